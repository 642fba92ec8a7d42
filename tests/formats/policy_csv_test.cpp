#include "shortfall/formats/policy_csv.hpp"

#include <string>
#include <variant>
#include <vector>

#include "files/atomic_file.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace {

using ::testing::ElementsAre;

/// States 1 to 4, actions 1 to 3: state 1 has 1, 2, 3; state 2 has 2; state 3 is terminal; state 4
/// has 1, 3.
Mdp four_states() {
  TransitionTable t;
  t.state_base = 1;
  t.action_base = 1;
  for (const ActionIndex a : {0, 1, 2}) t.add(0, a, 1, Probability(1.0), a);
  t.add(1, 1, 2, Probability(1.0), 5.0);
  for (const ActionIndex a : {0, 2}) t.add(3, a, 0, Probability(1.0), a);
  return Mdp::build(t);
}

class PolicyCsv : public FileTest {
 protected:
  std::variant<Policy, RandomisedPolicy> read(const std::string& text) {
    return read_policy_csv(file(text), model);
  }
  void expect_refused(const std::string& text, std::initializer_list<std::string_view> parts) {
    const std::string name = file(text);
    expect_rejected([&] { read_policy_csv(name, model); }, {name});
    expect_rejected([&] { read_policy_csv(name, model); }, parts);
  }

  const Mdp model = four_states();
};

TEST_F(PolicyCsv, IsDeterministicWithoutProbabilities) {
  const auto policy = read("idstate,idaction\n1,3\n2,2\n4,1\n");
  ASSERT_TRUE(std::holds_alternative<Policy>(policy));
  EXPECT_THAT(std::get<Policy>(policy), ElementsAre(2, 1, no_action, 0));
}

TEST_F(PolicyCsv, IsRandomisedWithProbabilities) {
  const auto policy =
      read("idstate,idaction,probability\n4,3,1\n1,3,0.25\n1,1,0.75\n2,2,1\n4,1,0\n");
  ASSERT_TRUE(std::holds_alternative<RandomisedPolicy>(policy));
  // Rows of the model: state 1 with actions 1, 2, 3; state 2 with 2; state 4 with 1, 3.
  EXPECT_THAT(std::get<RandomisedPolicy>(policy).weight, ElementsAre(0.75, 0, 0.25, 1, 0, 1));
}

TEST_F(PolicyCsv, MayHaveAnyOfTheFormsOfCsv) {
  const Policy expected = {2, 1, no_action, 0};
  for (const std::string text : {"idaction,idstate\n3,1\n2,2\n1,4\n",
                                 "\xEF\xBB\xBFidstate,idaction\r\n4,1\r\n1,3\r\n2,2\r\n",
                                 "\"idstate\", idaction\n \"1\",+3\n2 ,2\n4,1\n\n\n"}) {
    EXPECT_EQ(std::get<Policy>(read(text)), expected) << text;
  }
}

TEST_F(PolicyCsv, RefusesABadHeader) {
  const auto accepted = "idstate,idaction or idstate,idaction,probability";
  expect_refused("1,3\n2,2\n4,1\n", {"line 1", "unknown column \"1\"", accepted});
  expect_refused("idstate\n1\n", {"line 1", "column idaction is missing", accepted});
  expect_refused("idstate,idaction,idstate\n1,1,1\n", {"column idstate appears twice", accepted});
}

TEST_F(PolicyCsv, RefusesAStateThatTheModelDoesNotHave) {
  for (const std::string id : {"0", "5"}) {
    expect_refused("idstate,idaction\n1,3\n" + id + ",1\n",
                   {"line 3", "column idstate", "found " + id, "a state of the model, 1 to 4"});
  }
}

TEST_F(PolicyCsv, RefusesARowForATerminalState) {
  expect_refused("idstate,idaction\n3,1\n", {"line 2", "column idstate", "state 3 is terminal"});
}

TEST_F(PolicyCsv, RefusesAnActionThatTheStateDoesNotHaveAndListsThoseItHas) {
  expect_refused("idstate,idaction\n1,3\n4,2\n",
                 {"line 3", "column idaction", "found 2", "accepted: an action of state 4: 1, 3"});
  expect_refused("idstate,idaction,probability\n2,0,1\n",
                 {"line 2", "column idaction", "found 0", "accepted: an action of state 2: 2"});
}

TEST_F(PolicyCsv, RefusesAStateWithoutRow) {
  expect_refused("idstate,idaction\n1,3\n4,1\n",
                 {"state 2 has no row", "a row for each non-terminal state"});
  expect_refused("idstate,idaction\n", {"state 1 has no row"});
  expect_refused("idstate,idaction,probability\n1,1,1\n2,2,1\n", {"state 4 has no row"});
}

TEST_F(PolicyCsv, RefusesARepeatedRow) {
  expect_refused("idstate,idaction\n1,3\n2,2\n1,1\n4,1\n",
                 {"line 4", "repeats line 2", "one row per state"});
  expect_refused("idstate,idaction,probability\n1,1,0.5\n1,2,0.5\n1,1,0.5\n",
                 {"line 4", "repeats line 2", "one row for each state and action"});
}

TEST_F(PolicyCsv, RefusesProbabilitiesThatDoNotSumToOne) {
  expect_refused("idstate,idaction,probability\n2,2,1\n1,1,0.5\n4,1,1\n1,2,0.25\n",
                 {"line 3", "column probability", "the probabilities of state 1 sum to 0.75",
                  "1 within 1e-06"});
}

TEST_F(PolicyCsv, RefusesFieldsThatCannotBeRead) {
  expect_refused("idstate,idaction\n1,x\n", {"line 2", "column idaction", "\"x\"", "an integer"});
  expect_refused("idstate,idaction\n-1,1\n", {"line 2", "column idstate", "\"-1\"", "an integer"});
  expect_refused("idstate,idaction\n1\n", {"line 2", "found 1 field(s)", "2: idstate,idaction"});
  expect_refused("idstate,idaction,probability\n1,1,1.5\n",
                 {"line 2", "column probability", "\"1.5\"", "a number in [0, 1]"});
  expect_refused("idstate,idaction\n1,3\n\n2,2\n", {"line 3", "blank"});
}

TEST_F(PolicyCsv, IsWrittenWithoutTerminalStatesAndReadBack) {
  const Policy policy = {2, 1, no_action, 0};
  write_policy_csv(path("policy.csv"), model, policy);
  EXPECT_EQ(content(path("policy.csv")), "idstate,idaction\n1,3\n2,2\n4,1\n");
  EXPECT_EQ(std::get<Policy>(read_policy_csv(path("policy.csv"), model)), policy);
}

TEST_F(PolicyCsv, IsWrittenByStagesToGo) {
  const std::vector<Policy> policies = {{2, 1, no_action, 0}, {0, 1, no_action, 2}};
  write_staged_policy_csv(path("policy.csv"), model, policies);
  EXPECT_EQ(content(path("policy.csv")),
            "stage,idstate,idaction\n1,1,3\n1,2,2\n1,4,1\n2,1,1\n2,2,2\n2,4,3\n");
}

TEST_F(PolicyCsv, IsNotWrittenUnlessItFitsTheModel) {
  expect_rejected(
      [&] {
        write_policy_csv(path("p.csv"), model, {0, 0, no_action, 0});
      },
      {"state 2", "action 1"});
  const std::vector<Policy> policies = {{2, 1, no_action, 0}, {0, 1, 1, 2}};
  expect_rejected([&] { write_staged_policy_csv(path("p.csv"), model, policies); }, {"state 3"});
  EXPECT_EQ(file_count(), 0u);
  EXPECT_THROW(write_policy_csv("/dev/full", model, {2, 1, no_action, 0}), OutputError);
}

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
