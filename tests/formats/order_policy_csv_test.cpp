#include "shortfall/formats/order_policy_csv.hpp"

#include <string>

#include "shortfall/inventory/model/demand.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace {

using inventory::Arrival;
using inventory::Model;

Model model_of(std::size_t shelf_life, std::size_t capacity, std::size_t max_order,
               std::size_t days = 1) {
  return Model({.capacity = capacity,
                .max_order = {max_order},
                .arrival = {Arrival::fresh(shelf_life)},
                .demand = std::vector(days, inventory::poisson_demand(1.0, 3)),
                .cost = {{}}});
}

/// Different orders in neighbouring states, all of which fit.
Policy some_orders(const Model& model) {
  Policy orders;
  for (std::size_t day = 0; day < model.days(); ++day) {
    for (std::size_t total = 0; total <= model.capacity(); ++total) {
      for (std::size_t k = 0; k < model.stocks().layer_size(total); ++k) {
        orders.push_back(
            static_cast<ActionIndex>((k + total + day) % (model.largest_order(day, total) + 1)));
      }
    }
  }
  return orders;
}

class OrderPolicyCsvTest : public FileTest {
 protected:
  std::string refusal(const std::string& text, const Model& model) const {
    return failure_of<InvalidInput>([&] { read_order_policy_csv(file(text), model); });
  }
  std::string written(const Model& model, const Policy& orders) const {
    write_order_policy_csv(path("out.csv"), model, orders);
    return content(path("out.csv"));
  }
};

TEST_F(OrderPolicyCsvTest, WritesOneRowPerStockInTheOrderOfTheStates) {
  EXPECT_EQ(written(model_of(3, 2, 2), {2, 1, 0, 0, 0, 0}),
            "x1,x2,order\n0,0,2\n0,1,1\n1,0,0\n0,2,0\n1,1,0\n2,0,0\n");
  EXPECT_EQ(written(model_of(1, 4, 3), {3}), "order\n3\n");
  EXPECT_EQ(written(model_of(1, 4, 3, 7), {0, 1, 2, 3, 2, 1, 0}),
            "day,order\n0,0\n1,1\n2,2\n3,3\n4,2\n5,1\n6,0\n");
}

TEST_F(OrderPolicyCsvTest, ReadsBackWhatWasWritten) {
  for (const auto& [shelf_life, capacity, days] :
       {std::tuple{1, 5, 1}, {1, 5, 7}, {2, 20, 1}, {4, 6, 7}, {10, 3, 1}}) {
    const Model model =
        model_of(static_cast<std::size_t>(shelf_life), static_cast<std::size_t>(capacity), 2,
                 static_cast<std::size_t>(days));
    const Policy orders = some_orders(model);
    write_order_policy_csv(path("out.csv"), model, orders);
    EXPECT_EQ(read_order_policy_csv(path("out.csv"), model), orders);
  }
}

TEST_F(OrderPolicyCsvTest, ReadsRowsAndColumnsInAnyOrder) {
  const Model model = model_of(3, 1, 1, 1);
  const std::string text = "order,x2,x1\r\n0, 0,1\n\"1\",0,0\n0,1,0\n\n";
  EXPECT_EQ(read_order_policy_csv(file(text), model), (Policy{1, 0, 0}));
}

TEST_F(OrderPolicyCsvTest, RefusesRowsThatDoNotFitTheModel) {
  const Model model = model_of(3, 2, 1);
  const std::string name = path("in.csv");
  EXPECT_EQ(refusal("x1,x2,order\n0,0,1\n0,2,1\n", model),
            name + ", line 3, column order: found 1; accepted: 0 to 0 with 2 units in stock");
  EXPECT_EQ(refusal("x1,x2,order\n0,0,2\n", model),
            name + ", line 2, column order: found 2; accepted: 0 to 1 with 0 units in stock");
  EXPECT_EQ(refusal("x1,x2,order\n1,2,0\n", model),
            name + ", line 2: the stock has 3 units; accepted: at most the capacity, 2");
  EXPECT_EQ(refusal("x1,x2,order\n0,1,0\n0,0,0\n0,1,0\n", model),
            name + ", line 4: this repeats the stock of line 2; accepted: one row per stock");
  EXPECT_THAT(refusal("x1,x2,order\n-1,0,0\n", model),
              ::testing::HasSubstr("line 2, column x1: found \"-1\"; accepted: an integer from 0"));
  EXPECT_THAT(refusal("x1,x2,order\n0,0,1.5\n", model), ::testing::HasSubstr("column order"));
  EXPECT_THAT(refusal("x1,x2,order\n0,0\n", model), ::testing::HasSubstr("found 2 field(s)"));
}

TEST_F(OrderPolicyCsvTest, NamesTheFirstStockWithoutRowAndHowManyThereAre) {
  const std::string name = path("in.csv");
  EXPECT_EQ(refusal("x1,x2,order\n0,0,0\n1,0,0\n", model_of(3, 1, 1)),
            name + ": stock x1,x2 = 0,1 has no row; accepted: one row for each of the 3 stocks");
  EXPECT_EQ(refusal("x1,x2,order\n0,1,0\n", model_of(3, 2, 1)),
            name +
                ": stock x1,x2 = 0,0 has no row, and 4 others have none either; accepted: one row "
                "for each "
                "of the 6 stocks");
  EXPECT_THAT(
      refusal("day,x1,order\n0,0,0\n0,1,0\n1,0,0\n", model_of(2, 1, 1, 7)),
      ::testing::HasSubstr("stock x1 = 1 on day 1 has no row, and 10 others have none either"));
  EXPECT_THAT(refusal("order\n", model_of(1, 1, 1)), ::testing::HasSubstr("has no row"));
}

TEST_F(OrderPolicyCsvTest, RefusesColumnsOfAnotherModel) {
  EXPECT_THAT(refusal("x1,order\n", model_of(3, 1, 1)),
              ::testing::HasSubstr("line 1: column x2 is missing; accepted: x1,x2,order"));
  EXPECT_THAT(refusal("x1,x2,x3,order\n", model_of(3, 1, 1)),
              ::testing::HasSubstr("unknown column \"x3\""));
  EXPECT_THAT(refusal("day,x1,order\n", model_of(2, 1, 1)),
              ::testing::HasSubstr("unknown column \"day\""));
  EXPECT_THAT(refusal("x1,order\n", model_of(2, 1, 1, 7)),
              ::testing::HasSubstr("column day is missing"));
  EXPECT_THAT(refusal("day,x1,order\n7,0,0\n", model_of(2, 1, 1, 7)),
              ::testing::HasSubstr("column day: found \"7\"; accepted: an integer from 0 to 6"));
}

TEST_F(OrderPolicyCsvTest, WritesNothingThatDoesNotFit) {
  EXPECT_THROW(write_order_policy_csv(path("out.csv"), model_of(2, 1, 1), {2, 0}), InvalidInput);
  EXPECT_THROW(write_order_policy_csv(path("out.csv"), model_of(2, 1, 1), {0}), InvalidInput);
  EXPECT_EQ(file_count(), 0u);
}

}  // namespace
}  // namespace shortfall::io
