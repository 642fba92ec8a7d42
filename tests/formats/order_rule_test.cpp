#include "shortfall/formats/order_rule.hpp"

#include <fstream>
#include <string>

#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::io {
namespace {

class OrderRuleTest : public FileTest {
 protected:
  const InventoryConfiguration plan = InventoryToml(small_inventory, "small").configuration();
};

TEST_F(OrderRuleTest, IsOneOfThoseWithANameOrTheOrdersOfAFile) {
  EXPECT_EQ(read_rule("base-stock:2", plan.model).name, "base-stock:2");
  const Policy orders(plan.model.states(), 0);
  write_order_policy_csv(path("orders.csv"), plan.model, orders);
  const inventory::Rule given = read_rule(path("orders.csv"), plan.model);
  EXPECT_EQ(given.kind, inventory::Rule::Kind::given);
  EXPECT_EQ(given.orders, orders);
}

TEST_F(OrderRuleTest, IsParsedWithoutReadingItsFile) {
  EXPECT_EQ(parse_order_rule("base-stock:2").levels.order_up_to, 2U);
  EXPECT_EQ(parse_order_rule("-").kind, inventory::Rule::Kind::given);
  std::ofstream(path("no_orders.csv")) << "x1,order\n";
  const inventory::Rule parsed = parse_order_rule(path("no_orders.csv"));
  EXPECT_EQ(parsed.kind, inventory::Rule::Kind::given);
  EXPECT_TRUE(parsed.orders.empty());
  expect_rejected([&] { fitting_rule(parsed, plan.model); }, {"no_orders.csv"});
}

TEST_F(OrderRuleTest, IsRefusedIfItIsNeitherAndIfItDoesNotFitTheModel) {
  expect_rejected([&] { read_rule("base-stok:2", plan.model); },
                  {"base-stok:2: this is neither a policy nor an existing file",
                   "did you mean base-stock", "; accepted: "});
  expect_rejected([&] { read_rule("qqqqqqqqqqqq", plan.model); }, {"existing file; accepted: "});
  expect_rejected([&] { read_rule("fixed:50", plan.model); }, {"fixed", "; accepted: "});
}

}  // namespace
}  // namespace shortfall::io
