// Weeks whose days differ in deliveries, costs and the largest order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/dp/solve.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/explicit_mdp.hpp"
#include "shortfall/inventory/simulate.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/inventory/train.hpp"
#include "tests/inventory/models_for_tests.hpp"

namespace shortfall::inventory {
namespace {

constexpr std::size_t sunday = 6;

/// One unit is asked for every day, units arrive fresh with two periods left, and no orders are
/// possible on Sundays.
ModelParts closed_on_sundays() {
  return {.capacity = 2,
          .max_order = {2, 2, 2, 2, 2, 2, 0},
          .arrival = {Arrival::fresh(2)},
          .demand = {{0.0, 1.0}},
          .cost = {{.unit = 3.0, .holding = 1.0, .shortage = 20.0, .wastage = 2.0}}};
}

/// The sum of discounted costs of a week, over all weeks.
double every_week(double gamma, const std::vector<double>& costs) {
  double sum = 0.0;
  for (std::size_t day = 7; day-- > 0;) sum = costs[day] + gamma * sum;
  return sum / (1.0 - std::pow(gamma, 7.0));
}

/// Nothing is random, so that all losses agree.
void expect_value(const ModelParts& parts, const std::vector<double>& costs) {
  const Model model(parts);
  for (const char* const loss :
       {"mean", "expectile:0.9", "entropic:0.5", "soft-quantile:0.8,0.5"}) {
    const Criterion criterion{AnyLoss::parse(loss), 0.9};
    const double value = every_week(0.9, costs);
    const Solution solution = solve(model, criterion);
    ASSERT_EQ(solution.status, Status::converged) << loss;
    EXPECT_NEAR(solution.values[0], value, solution.error_bound) << loss;
    const Solution plain = policy_iteration(explicit_mdp(model), criterion);
    EXPECT_NEAR(plain.values[0], value, plain.error_bound) << loss;
    const Solution as_published = solve_as_published(model, criterion, {.tolerance = 1e-7});
    EXPECT_NEAR(as_published.values[0], value, as_published.error_bound) << loss;
  }
}

/// A unit costs 3 each day; Saturday's order of two also pays for holding Sunday's unit.
TEST(Weekday, AClosedDayIsCoveredByTheDayBefore) {
  expect_value(closed_on_sundays(), {3, 3, 3, 3, 3, 7, 0});
  const Model model(closed_on_sundays());
  const Policy orders = solve(model, {Expectile(0.9), 0.9}).policy;
  // Stocks 0, 1 and 2, from Monday to Sunday.
  EXPECT_EQ(orders, (Policy{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 2, 1, 0, 0, 0, 0}));
}

TEST(Weekday, ACheapDayIsUsedForTheNextOne) {
  ModelParts parts = closed_on_sundays();
  parts.cost.assign(7, parts.cost.front());
  for (std::size_t day = 0; day < 7; ++day) parts.cost[day].unit = day == 0 ? 1.0 : 5.0;
  expect_value(parts, {3, 0, 5, 5, 5, 11, 0});
}

/// Saturday's units expire on the same day, and Friday's on Saturday: Sunday's demand is lost.
TEST(Weekday, OldDeliveriesOfOneDayAreOfNoUseOnTheNext) {
  ModelParts parts = closed_on_sundays();
  parts.arrival.assign(7, Arrival::shares({0.0, 1.0}));
  parts.arrival[5] = Arrival::shares({1.0, 0.0});
  expect_value(parts, {3, 3, 3, 3, 3, 3, 20});
}

/// If a unit costs more than a shortage, nothing is ordered; if less, what is asked for.
TEST(UnitCost, DecidesWhetherToOrder) {
  for (const double unit : {4.0, 6.0}) {
    ModelParts parts{.capacity = 2,
                     .max_order = {2},
                     .arrival = {Arrival::fresh(1)},
                     .demand = {{0.0, 0.0, 1.0}},
                     .cost = {{.order = 1.0, .unit = unit, .shortage = 5.0}}};
    const Solution solution = solve(Model(parts), {Expectile(0.8), 0.5});
    EXPECT_EQ(solution.policy[0], unit < 4.5 ? 2 : 0);
    EXPECT_NEAR(solution.values[0], (unit < 4.5 ? 1.0 + 2.0 * unit : 10.0) / 0.5, 1e-6);
  }
}

TEST(ClosedDay, HasNoOrdersUnderAnyPolicy) {
  ModelParts parts = closed_on_sundays();
  parts.demand = {{0.3, 0.4, 0.3}};
  const Model model(parts);
  const Criterion criterion{Expectile(0.9), 0.8};
  const auto expect_closed = [&](const Policy& orders, const char* name) {
    ASSERT_EQ(orders.size(), model.states());
    EXPECT_GT(orders[0], 0) << name;
    for (std::size_t x = sunday * 3; x < 7 * 3; ++x) EXPECT_EQ(orders[x], 0) << name;
    EXPECT_NO_THROW(model.check_orders(orders)) << name;
  };
  const NonPerishable non_perishable = solve_non_perishable(model, criterion);
  EXPECT_FALSE(non_perishable.shape[sunday].has_value());
  expect_closed(solve(model, criterion).policy, "optimal");
  expect_closed(static_policy(model, non_perishable), "static");
  expect_closed(myopic_policy(model, criterion), "myopic");
  expect_closed(base_stock_policy(model, 2), "base stock");
  expect_closed(reorder_policy(model, {.reorder_at = 0, .order_up_to = 2}), "reorder");
  for (const std::size_t scenarios : {0U, 20U}) {
    Training training(model, criterion, {.samples = 4000, .warmup = 100, .scenarios = scenarios});
    ASSERT_TRUE(training.iterate());
    expect_closed(training.state().orders, "trained");
  }
  Policy orders = base_stock_policy(model, 2);
  orders[sunday * 3] = 1;
  EXPECT_THAT([&] { model.check_orders(orders); },
              ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr(
                  "order 1 in state 18, with 0 units in stock on day 6; accepted: 0 to 0")));
}

TEST(Weekday, IsSimulatedWithTheCostsOfItsDay) {
  ModelParts parts = closed_on_sundays();
  parts.cost.assign(7, parts.cost.front());
  parts.cost[5] = {.order = 7.0, .unit = 10.0, .holding = 14.0};
  const Model model(parts);
  const Policy orders = {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 2, 1, 0, 0, 0, 0};
  const SimulationResult result =
      simulate(model, orders, {.periods = 70, .replications = 2, .gamma = 1.0});
  EXPECT_DOUBLE_EQ(result.order_cost_per_period, 1.0);
  EXPECT_DOUBLE_EQ(result.unit_cost_per_period, (5 * 3.0 + 20.0) / 7.0);
  EXPECT_DOUBLE_EQ(result.holding_cost_per_period, 2.0);
  EXPECT_EQ(result.shortage_cost_per_period, 0.0);
  EXPECT_DOUBLE_EQ(result.cost_per_period, 8.0);
  EXPECT_DOUBLE_EQ(result.mean, 560.0);
  EXPECT_DOUBLE_EQ(result.order_frequency, 6.0 / 7.0);
}

/// Values, orders and simulated costs do not depend on how often a part is written down.
TEST(Week, OfSevenEqualEntriesIsTheSameAsOne) {
  pcg64 generator(41);
  const ModelParts one{
      .capacity = 5,
      .max_order = {4},
      .arrival = {testing::random_shares(generator, 3)},
      .demand = {testing::random_demand(generator, 6)},
      .cost = {{.order = 5, .unit = 2, .holding = 1, .shortage = 20, .wastage = 3}}};
  const Criterion criterion{Expectile(0.7), 0.9};
  const Solution expected = solve(Model(one), criterion);
  const std::vector<std::function<void(ModelParts&)>> repeats{
      [](ModelParts& p) { p.max_order.assign(7, p.max_order[0]); },
      [](ModelParts& p) { p.arrival.assign(7, Arrival(p.arrival[0])); },
      [](ModelParts& p) { p.demand.assign(7, std::vector(p.demand[0])); },
      [](ModelParts& p) { p.cost.assign(7, Costs(p.cost[0])); }};
  for (const auto& repeat : repeats) {
    ModelParts parts = one;
    repeat(parts);
    const Model week(parts);
    ASSERT_EQ(week.days(), 7);
    const Solution found = solve(week, criterion);
    for (std::size_t x = 0; x < week.states(); ++x) {
      const std::size_t of_one = x % expected.values.size();
      ASSERT_NEAR(found.values[x], expected.values[of_one],
                  found.error_bound + expected.error_bound);
      ASSERT_EQ(found.policy[x], expected.policy[of_one]);
    }
    const SimulationOptions options{.periods = 50, .replications = 100};
    EXPECT_EQ(simulate(week, found.policy, options).discounted_cost,
              simulate(Model(one), expected.policy, options).discounted_cost);
  }
}

/// The tables of deliveries are shared by days with the same law.
TEST(Week, NeedsMemoryForEachLawOfArrival) {
  ModelParts parts{.capacity = 12,
                   .max_order = {12},
                   .arrival = {Arrival::shares({0.2, 0.3, 0.5})},
                   .demand = std::vector<std::vector<double>>(7, {0.5, 0.5}),
                   .cost = {{}}};
  const double of_one = memory_needed(Model(parts));
  parts.arrival.assign(7, Arrival(parts.arrival[0]));
  EXPECT_EQ(memory_needed(Model(parts)), of_one);
  parts.arrival[3] = Arrival::shares({0.3, 0.2, 0.5});
  // binomial(15, 3) ways to place up to 12 units on three ages, 16 bytes each.
  EXPECT_EQ(memory_needed(Model(parts)), of_one + 455 * 16);
}

/// Shares are the logits log(p_i / p_1) without dependence on the order.
TEST(Shares, AreTheLogitsOfTheirLogarithms) {
  pcg64 generator(43);
  for (std::size_t m = 2; m <= 6; ++m) {
    std::vector<double> shares(m);
    double sum = 0.0;
    for (double& share : shares) sum += share = 0.05 + draw_uniform(generator);
    for (double& share : shares) share /= sum;
    std::vector<double> c0;
    for (std::size_t i = 1; i < m; ++i) c0.push_back(std::log(shares[i] / shares[0]));
    ModelParts parts{.capacity = 6,
                     .max_order = {6},
                     .arrival = {Arrival::shares(shares)},
                     .demand = {testing::random_demand(generator, 7)},
                     .cost = {testing::paper_costs}};
    const Model with_shares(parts);
    parts.arrival = {Arrival::logit(m, c0, std::vector<double>(m - 1, 0.0))};
    const Model with_logits(parts);
    for (const char* const loss : {"mean", "expectile:0.9", "entropic:0.1"}) {
      const Criterion criterion{AnyLoss::parse(loss), 0.8};
      const Solution a = solve(with_shares, criterion);
      const Solution b = solve(with_logits, criterion);
      for (std::size_t x = 0; x < a.values.size(); ++x) {
        // Logarithms are off by a few units in the last place.
        ASSERT_NEAR(a.values[x], b.values[x], a.error_bound + b.error_bound + 1e-11) << loss;
      }
    }
  }
}

}  // namespace
}  // namespace shortfall::inventory
