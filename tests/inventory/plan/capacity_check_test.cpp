#include "shortfall/inventory/plan/capacity_check.hpp"

#include <gtest/gtest.h>

#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/demand.hpp"

namespace shortfall::inventory {
namespace {

Model model_with(std::size_t capacity, const Costs& cost) {
  return Model({.capacity = capacity,
                .max_order = {capacity},
                .arrival = {Arrival::fresh(2)},
                .demand = {poisson_demand(2.0, 15)},
                .cost = {cost}});
}

TEST(CapacityCheck, NamesACapacityThatDoesNotLimitTheBestOrders) {
  const Costs cost{.order = 0.0, .holding = 0.1, .shortage = 300.0, .wastage = 0.0};
  const Criterion criterion{Expectile(0.99), 0.9};
  const auto solved = [&](std::size_t capacity) {
    return solve(model_with(capacity, cost), criterion);
  };
  const Solution tight = solved(6);
  const auto warning = capacity_warning(model_with(6, cost), criterion, tight.policy);
  ASSERT_TRUE(warning.has_value());
  EXPECT_EQ(warning->code, WarningCode::capacity_limits_orders);
  EXPECT_EQ(warning->count, 6U);
  EXPECT_GT(warning->number, 0.5) << "each day is filled up";
  const Solution wide = solved(warning->total);
  EXPECT_FALSE(capacity_warning(model_with(warning->total, cost), criterion, wide.policy));
  EXPECT_LT(wide.values[0], 0.5 * tight.values[0]);
  EXPECT_NEAR(solved(2 * warning->total).values[0], wide.values[0], 1e-3 * wide.values[0]);
}

/// What is left costs nothing, so that the best orders fill any shelf, and gain nothing by it.
TEST(CapacityCheck, IsSilentWhereMoreRoomIsOfNoUse) {
  const Costs cost{.order = 5.0, .holding = 0.0, .shortage = 20.0, .wastage = 0.0};
  const Criterion criterion{Mean(), 0.9};
  const Solution solution = solve(model_with(40, cost), criterion);
  EXPECT_FALSE(capacity_warning(model_with(40, cost), criterion, solution.policy));
}

TEST(CapacityCheck, IsSilentForOrdersOfAnotherModel) {
  const Criterion criterion{Mean(), 0.9};
  EXPECT_FALSE(capacity_warning(model_with(4, {.shortage = 20.0}), criterion, Policy(3, 0)));
}

}  // namespace
}  // namespace shortfall::inventory
