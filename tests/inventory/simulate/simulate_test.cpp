#include "shortfall/inventory/simulate/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

void expect_same_bits(const SimulationResult& a, const SimulationResult& b) {
  EXPECT_EQ(a.discounted_cost, b.discounted_cost);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.standard_error, b.standard_error);
  EXPECT_EQ(a.cost_per_period, b.cost_per_period);
  EXPECT_EQ(a.order_cost_per_period, b.order_cost_per_period);
  EXPECT_EQ(a.holding_cost_per_period, b.holding_cost_per_period);
  EXPECT_EQ(a.shortage_cost_per_period, b.shortage_cost_per_period);
  EXPECT_EQ(a.wastage_cost_per_period, b.wastage_cost_per_period);
  EXPECT_EQ(a.service_level, b.service_level);
  EXPECT_EQ(a.periods_short, b.periods_short);
  EXPECT_EQ(a.shortage_rate, b.shortage_rate);
  EXPECT_EQ(a.wastage_rate, b.wastage_rate);
  EXPECT_EQ(a.wasted_fraction, b.wasted_fraction);
  EXPECT_EQ(a.order_frequency, b.order_frequency);
  EXPECT_EQ(a.mean_order, b.mean_order);
  EXPECT_EQ(a.mean_stock, b.mean_stock);
  EXPECT_EQ(a.stock_by_age, b.stock_by_age);
}

TEST(Simulate, KeepsUndiscountedCostsOfEachReplication) {
  const Model model = testing::paper_model(3, testing::paper_costs, 12);
  const Policy orders = base_stock_policy(model, 10);
  const auto run = [&](std::size_t periods, std::size_t last) {
    return simulate(model, orders,
                    {.periods = periods, .replications = 50, .gamma = 1.0, .last = last});
  };
  const SimulationResult all = run(12, 12);
  const SimulationResult shorter = run(9, 4);
  const SimulationResult some = run(12, 3);
  EXPECT_EQ(all.total_cost, all.discounted_cost);  // with gamma = 1
  EXPECT_EQ(all.last_cost, all.total_cost);
  EXPECT_EQ(some.total_cost, all.total_cost);
  for (std::size_t r = 0; r < some.total_cost.size(); ++r) {
    // The same history, three periods longer; costs are whole numbers.
    EXPECT_EQ(some.last_cost[r], some.total_cost[r] - shorter.total_cost[r]);
  }
  EXPECT_TRUE(run(12, 0).total_cost.empty());
  EXPECT_EQ(quantile_of({3.0, 1.0, 2.0}, 0.5), 2.0);
  EXPECT_THAT([&] { (void)run(12, 13); },
              ThrowsMessage<InvalidInput>(HasSubstr("last = 13; accepted: 0 to")));
}

TEST(Simulate, IsBitwiseIdenticalForAnyNumberOfThreads) {
  for (const std::size_t m : {3U, 5U, 8U}) {
    const Model model = testing::paper_model(m, testing::paper_costs, 12);
    const Policy orders = base_stock_policy(model, 10);
    SimulationOptions options{.periods = 30, .replications = 20000};
    const SimulationResult one = simulate(model, orders, options, {.threads = 1});
    expect_same_bits(one, simulate(model, orders, options, {.threads = 2}));
    expect_same_bits(one, simulate(model, orders, options));
    options.seed = 2;
    EXPECT_NE(simulate(model, orders, options).discounted_cost, one.discounted_cost);
  }
}

TEST(Simulate, BeginsWithTheSameReplicationsForAnyNumberOfThem) {
  const Model model = testing::paper_model(3);
  const Policy orders = base_stock_policy(model, 10);
  const SimulationResult few = simulate(model, orders, {.replications = 10});
  SimulationResult many = simulate(model, orders, {.replications = 1000});
  many.discounted_cost.resize(10);
  EXPECT_EQ(few.discounted_cost, many.discounted_cost);
}

/// E Σ γᵗ c_t is the risk-neutral value. Truncation after `periods` is worth at most
/// γ^periods max V.
void expect_agreement(const Model& model, const Policy& orders, const SimulationOptions& options) {
  const Chain chain = under_policy(explicit_mdp(model), orders);
  const Solution exact = evaluate_by_newton(chain, {Mean(), options.gamma}, {.tolerance = 1e-9});
  double largest = 0.0;
  for (const double v : exact.values) largest = std::max(largest, v);
  const double cut = std::pow(options.gamma, static_cast<double>(options.periods)) * largest;
  const SimulationResult result = simulate(model, orders, options);
  // The seed is fixed: 4 standard errors are exceeded by one seed in 16000.
  EXPECT_NEAR(result.mean, exact.values[0],
              4.0 * result.standard_error + cut + 1e-9 * (1.0 + largest));
}

TEST(Simulate, AgreesWithExactEvaluationOfThePublishedModelOfShelfLifeThree) {
  const Model model = testing::paper_model(3);
  const SimulationOptions options{.periods = 50, .replications = 40'000};
  expect_agreement(model, base_stock_policy(model, 14), options);
  expect_agreement(model, reorder_policy(model, {.reorder_at = 4, .order_up_to = 12}), options);
}

TEST(Simulate, AgreesWithExactEvaluationOfRandomModelsAndOrders) {
  pcg64 generator(7);
  int weeks = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Model model = testing::random_model(generator);
    const Policy orders = testing::random_orders(generator, model);
    weeks += model.days() == 7 ? 1 : 0;
    SCOPED_TRACE(trial);
    expect_agreement(model, orders,
                     {.periods = 120, .replications = 5000, .gamma = 0.9, .seed = generator()});
  }
  EXPECT_GT(weeks, 5);
}

/// No demand, and units arrive fresh: an order of 3 stays intact for m periods, then expires.
TEST(Simulate, KeepsUnitsForTheirWholeShelfLife) {
  for (std::size_t m = 1; m <= 10; ++m) {
    const Model model({.capacity = 3,
                       .max_order = {3},
                       .arrival = {Arrival::fresh(m)},
                       .demand = {{1.0}},
                       .cost = {{.holding = 1.0, .wastage = 1.0}}});
    const SimulationResult result =
        simulate(model, reorder_policy(model, {.reorder_at = 0, .order_up_to = 3}),
                 {.periods = 2 * m, .replications = 2, .gamma = 1.0});
    // Twice the cycle: 3 units held for m periods and wasted in the last of them.
    EXPECT_THAT(result.discounted_cost, ElementsAre(6.0 * static_cast<double>(m) + 6.0,
                                                    6.0 * static_cast<double>(m) + 6.0));
    EXPECT_EQ(result.wasted_fraction, 1.0);
    EXPECT_EQ(result.order_frequency, 1.0 / static_cast<double>(m));
    ASSERT_EQ(result.stock_by_age.size(), m);
    for (const double units : result.stock_by_age) {
      EXPECT_NEAR(units, 3.0 / static_cast<double>(m), 4 * epsilon);
    }
  }
}

/// Demand 2, 2, .. and order up to 3 from 0: order 3, sell 2, keep 1; order 0, sell 1, lose 1; ...
TEST(Simulate, HasTheRatesOfACycleByHand) {
  const Model model({.capacity = 3,
                     .max_order = {3},
                     .arrival = {Arrival::fresh(2)},
                     .demand = {{0.0, 0.0, 1.0}},
                     .cost = {{.order = 10.0, .holding = 1.0, .shortage = 20.0, .wastage = 5.0}}});
  const SimulationResult result =
      simulate(model, reorder_policy(model, {.reorder_at = 0, .order_up_to = 3}),
               {.periods = 4, .replications = 3, .gamma = 0.5});
  // Costs 11, 20, 11, 20.
  EXPECT_THAT(result.discounted_cost, ElementsAre(26.25, 26.25, 26.25));
  EXPECT_EQ(result.mean, 26.25);
  EXPECT_EQ(result.standard_error, 0.0);
  EXPECT_EQ(result.order_cost_per_period, 5.0);
  EXPECT_EQ(result.holding_cost_per_period, 0.5);
  EXPECT_EQ(result.shortage_cost_per_period, 10.0);
  EXPECT_EQ(result.wastage_cost_per_period, 0.0);
  EXPECT_EQ(result.cost_per_period, 15.5);
  EXPECT_EQ(result.service_level, 0.75);
  EXPECT_EQ(result.periods_short, 0.5);
  EXPECT_EQ(result.shortage_rate, 0.5);
  EXPECT_EQ(result.wastage_rate, 0.0);
  EXPECT_EQ(result.wasted_fraction, 0.0);
  EXPECT_EQ(result.order_frequency, 0.5);
  EXPECT_EQ(result.mean_order, 3.0);
  EXPECT_EQ(result.mean_stock, 2.0);
  EXPECT_THAT(result.stock_by_age, ElementsAre(0.5, 1.5));
}

TEST(Simulate, GoesThroughTheWeekFromMonday) {
  ModelParts parts{.capacity = 1,
                   .max_order = {1},
                   .arrival = {Arrival::fresh(1)},
                   .demand = std::vector<std::vector<double>>(7, {1.0}),
                   .cost = {{.order = 0.25, .shortage = 1.0}}};
  parts.demand[2] = {0.0, 0.0, 0.0, 1.0};
  const Model model(parts);
  Policy orders(7, 0);
  orders[6] = 1;
  const SimulationResult result =
      simulate(model, orders, {.periods = 10, .replications = 1, .gamma = 0.5});
  // Wednesday's three units are lost in periods 2 and 9, an order is placed in period 6.
  EXPECT_THAT(result.discounted_cost,
              ElementsAre(3.0 * (0.25 + std::pow(0.5, 9)) + 0.25 * std::pow(0.5, 6)));
  EXPECT_EQ(result.service_level, 0.0);
}

TEST(Simulate, WithoutDemandOrOrdersHasPerfectService) {
  const Model model({.capacity = 1,
                     .max_order = {1},
                     .arrival = {Arrival::fresh(1)},
                     .demand = {{1.0}},
                     .cost = {testing::paper_costs}});
  const SimulationResult result = simulate(model, {0}, {.periods = 5, .replications = 2});
  EXPECT_EQ(result.service_level, 1.0);
  EXPECT_EQ(result.wasted_fraction, 0.0);
  EXPECT_EQ(result.mean_order, 0.0);
  EXPECT_EQ(result.mean, 0.0);
}

/// Arrivals are sold, wasted or left over, and at most the capacity is left at the end.
TEST(Simulate, AccountsForEveryUnit) {
  pcg64 generator(8);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = testing::random_model(generator);
    const Policy orders = testing::random_orders(generator, model);
    constexpr std::size_t periods = 500;
    const SimulationResult result =
        simulate(model, orders, {.periods = periods, .replications = 4, .gamma = 1.0});
    const double arrived = result.order_frequency * result.mean_order;
    const double demand = result.service_level < 1.0
                              ? result.shortage_rate / (1.0 - result.service_level)
                              : std::numeric_limits<double>::quiet_NaN();
    const double sold = demand - result.shortage_rate;
    EXPECT_NEAR(std::accumulate(result.stock_by_age.begin(), result.stock_by_age.end(), 0.0),
                result.mean_stock, 1e-12);
    EXPECT_NEAR(result.wasted_fraction * arrived, result.wastage_rate, 1e-12);
    EXPECT_NEAR(result.cost_per_period * static_cast<double>(periods), result.mean,
                1e-10 * (1.0 + result.mean));
    if (std::isnan(sold)) continue;
    const double left = (arrived - sold - result.wastage_rate) * static_cast<double>(periods);
    EXPECT_GE(left, -1e-9);
    EXPECT_LE(left, static_cast<double>(model.capacity()) + 1e-9);
  }
}

TEST(Simulate, ReportsProgressUpToTheEnd) {
  const Model model = testing::paper_model(3);
  std::vector<std::size_t> reports;  // calls do not overlap
  const Monitor monitor = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 100);
    reports.push_back(progress.done);
    return Request::proceed;
  };
  static_cast<void>(simulate(model, base_stock_policy(model, 9),
                             {.periods = 10'000, .replications = 100}, {.monitor = monitor}));
  ASSERT_GT(reports.size(), 1);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  EXPECT_EQ(reports.back(), 100);
}

TEST(Simulate, HasTheReplicationsThatWereFinishedWhenStopped) {
  const Model model = testing::paper_model(3);
  const Policy orders = base_stock_policy(model, 9);
  const SimulationOptions options{.periods = 100'000, .replications = 100};
  Execution execution{.threads = 1};
  const SimulationResult whole = simulate(model, orders, options, execution);
  execution.monitor = [](const Progress& progress) {
    return progress.done < 20 ? Request::proceed : Request::stop;
  };
  const SimulationResult part = simulate(model, orders, options, execution);
  ASSERT_GE(part.discounted_cost.size(), 20);
  ASSERT_LT(part.discounted_cost.size(), 100);
  for (std::size_t r = 0; r < part.discounted_cost.size(); ++r) {
    EXPECT_EQ(part.discounted_cost[r], whole.discounted_cost[r]);
  }
  EXPECT_NEAR(part.service_level, whole.service_level, 0.01);
  EXPECT_NEAR(part.cost_per_period, whole.cost_per_period, 0.05 * whole.cost_per_period);
}

TEST(Simulate, DiscountsToZeroOverLongHorizons) {
  const Model model = testing::paper_model(3);
  const Policy orders = base_stock_policy(model, 9);
  const SimulationResult long_run = simulate(model, orders, {.periods = 5000, .replications = 10});
  const SimulationResult enough = simulate(model, orders, {.periods = 200, .replications = 10});
  for (std::size_t r = 0; r < 10; ++r) {
    // 0.6²⁰⁰ is 4e-45.
    EXPECT_EQ(long_run.discounted_cost[r], enough.discounted_cost[r]);
  }
}

TEST(SimulationResult, HasTheQuantilesOfItsDefinition) {
  SimulationResult result;
  result.discounted_cost = {5.0, 1.0, 4.0, 2.0, 3.0};
  EXPECT_EQ(result.quantile(0.0), 1.0);
  EXPECT_EQ(result.quantile(0.2), 1.0);
  EXPECT_EQ(result.quantile(0.2001), 2.0);
  EXPECT_EQ(result.quantile(0.5), 3.0);
  EXPECT_EQ(result.quantile(0.6), 3.0);
  EXPECT_EQ(result.quantile(0.61), 4.0);
  EXPECT_EQ(result.quantile(1.0), 5.0);
  EXPECT_THAT(result.discounted_cost, ElementsAre(5.0, 1.0, 4.0, 2.0, 3.0));
}

TEST(SimulationResult, HasTheKthSmallestAtKHundredths) {
  SimulationResult result;
  result.discounted_cost.resize(100);
  std::iota(result.discounted_cost.begin(), result.discounted_cost.end(), 1.0);
  for (int k = 1; k <= 100; ++k) EXPECT_EQ(result.quantile(k / 100.0), k);
}

TEST(SimulationResult, RejectsInvalidLevels) {
  SimulationResult result;
  EXPECT_THAT([&] { static_cast<void>(result.quantile(0.5)); },
              ThrowsMessage<InvalidInput>(HasSubstr("quantile of no replications")));
  result.discounted_cost = {1.0};
  for (const double q : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THAT([&] { static_cast<void>(result.quantile(q)); },
                ThrowsMessage<InvalidInput>(HasSubstr("accepted: 0 to 1")));
  }
}

TEST(Simulate, HasTheStandardErrorOfItsMean) {
  const Model model = testing::paper_model(3);
  const Policy orders = base_stock_policy(model, 9);
  const SimulationResult result = simulate(model, orders, {.replications = 1000});
  double sum = 0.0;
  double squares = 0.0;
  for (const double c : result.discounted_cost) {
    sum += c;
    squares += c * c;
  }
  EXPECT_NEAR(result.mean, sum / 1000, 1e-12 * sum);
  const double variance = (squares - sum * sum / 1000) / 999;
  EXPECT_NEAR(result.standard_error, std::sqrt(variance / 1000), 1e-9);
  EXPECT_TRUE(std::isinf(simulate(model, orders, {.replications = 1}).standard_error));
}

TEST(Simulate, RejectsOptionsAndOrdersOutOfRange) {
  const Model model = testing::paper_model(3);
  const Policy orders = base_stock_policy(model, 9);
  const auto refuses = [&](const SimulationOptions& options, const char* message) {
    EXPECT_THAT([&] { static_cast<void>(simulate(model, orders, options)); },
                ThrowsMessage<InvalidInput>(HasSubstr(message)));
  };
  refuses({.periods = 0}, "periods = 0; accepted: 1 to 1000000000");
  refuses({.periods = max_periods + 1}, "periods = 1000000001; accepted: 1 to");
  refuses({.replications = 0}, "replications = 0; accepted: 1 to 100000000");
  refuses({.replications = max_replications + 1}, "replications = 100000001; accepted: 1 to");
  refuses({.gamma = 0.0}, "gamma = 0; accepted: a number above 0, at most 1");
  refuses({.gamma = 1.01}, "gamma = 1.01; accepted: a number above 0, at most 1");
  refuses({.gamma = std::nan("")}, "gamma = nan; accepted: a number above 0, at most 1");
  EXPECT_THAT([&] { static_cast<void>(simulate(model, Policy(3, 0))); },
              ThrowsMessage<InvalidInput>(HasSubstr("3 orders for 231 states")));
  EXPECT_THAT([&] { static_cast<void>(simulate(model, Policy(231, 1))); },
              ThrowsMessage<InvalidInput>(HasSubstr("with 20 units in stock; accepted: 0 to 0")));
}

}  // namespace
}  // namespace shortfall::inventory
