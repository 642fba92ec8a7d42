#include "inventory/kernel/coarse_passes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "inventory/kernel/memory.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "tests/inventory/train/training_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using namespace shortfall::testing;
using Deliveries = StockBellman::Deliveries;

/// Small, but orders of four to six units have 330 to 1716 deliveries, which are replaced.
Model long_lived(std::size_t capacity = 6) {
  return paper_model(8, {.order = 10.0, .holding = 1.0, .shortage = 20.0, .wastage = 5.0},
                     capacity);
}

Model long_lived_week() {
  return week_of(studies::platelets_arrival(8), 5);
}

struct Operator {
  Operator(const Model& model, const Criterion& criterion)
      : bellman(model, criterion, 0, unwatched) {}
  shortfall::detail::Watch unwatched;
  StockBellman bellman;
};

/// Values without any pattern.
std::vector<double> random_values(const Model& model, pcg64& bits) {
  std::vector<double> values(model.states());
  for (double& value : values) value = 30.0 + 20.0 * draw_uniform(bits);
  return values;
}

TEST(CoarseDeliveries, ReplaceOrdersWithManyDeliveries) {
  const Model model = long_lived();
  const NestedBinomials arrivals(model.arrival(0), 6);
  const CoarseDeliveries coarse(arrivals, 8);
  EXPECT_TRUE(coarse.replaces_any());
  EXPECT_FALSE(coarse.replaces(3));  // 120 deliveries
  EXPECT_TRUE(coarse.replaces(4));   // 330
  EXPECT_FALSE(CoarseDeliveries().replaces_any());
  EXPECT_FALSE(CoarseDeliveries().replaces(6));
  const NestedBinomials fresh(Arrival::fresh(8), 6);
  EXPECT_FALSE(CoarseDeliveries(fresh, 8).replaces_any());
}

/// Independent draws would have this standard error, and points are to be better than those.
TEST(CoarseDeliveries, HaveTheMeansOfTheExactOnes) {
  const Model model = paper_model(8);
  const NestedBinomials arrivals(model.arrival(0), 20);
  const CoarseDeliveries coarse(arrivals, 8);
  for (std::size_t z = 4; z <= 20; ++z) {
    const std::vector<double> p = model.arrival(0).probabilities(z);
    ASSERT_EQ(coarse.points(z).size(), CoarseDeliveries::points_per_order);
    double up_to = 0.0;
    for (std::size_t i = 0; i < 7; ++i) {
      up_to += p[i];
      double sum = 0.0;
      for (const CoarseDeliveries::Point& y : coarse.points(z)) {
        ASSERT_LE(i == 0 ? 0 : y[i - 1], y[i]);
        ASSERT_LE(y[i], z);
        sum += y[i];
      }
      const auto count = static_cast<double>(CoarseDeliveries::points_per_order);
      const auto units = static_cast<double>(z);
      const double standard_error = std::sqrt(units * up_to * (1.0 - up_to) / count);
      EXPECT_NEAR(sum / count, units * up_to, standard_error) << "order " << z << ", age " << i;
    }
  }
}

/// Five of the eight ages are possible: 10626 deliveries of 20 units.
TEST(CoarseDeliveries, HaveOnlyAgesThatArePossible) {
  const Arrival arrival = Arrival::shares({0.0, 0.1, 0.2, 0.0, 0.3, 0.25, 0.15, 0.0});
  const NestedBinomials arrivals(arrival, 20);
  EXPECT_EQ(arrivals.deliveries(20), 10626);
  EXPECT_EQ(arrivals.least_log(), 20.0 * std::log(0.1));
  const CoarseDeliveries coarse(arrivals, 8);
  ASSERT_TRUE(coarse.replaces(20));
  for (const CoarseDeliveries::Point& y : coarse.points(20)) {
    EXPECT_EQ(y[0], 0);
    EXPECT_EQ(y[3], y[2]);
    EXPECT_EQ(y[6], 20);
  }
}

/// min over all orders by one exact pass without any bounds or first orders.
std::vector<double> greedy_values(StockBellman& bellman, std::span<const double> values) {
  std::vector<double> risks(values.size());
  std::vector<float> no_bounds(values.size() * bellman.orders_per_state(),
                               -std::numeric_limits<float>::infinity());
  Policy orders(values.size(), 0);
  (void)bellman.improve({0, values, values, risks, orders, exact_roots},
                        {no_bounds, bellman.orders_per_state()});
  return risks;
}

/// The risk of an order over the listed points and all demands, by the plain templates.
double plain_coarse_risk(const Model& model, const Criterion& criterion, std::size_t x,
                         std::size_t z, const std::vector<double>& values) {
  const NestedBinomials arrivals(model.arrival(0), model.capacity());
  const CoarseDeliveries coarse(arrivals, model.shelf_life());
  std::vector<std::uint8_t> stock(model.stocks().length());
  model.stocks().unrank(static_cast<std::uint32_t>(x), stock);
  std::vector<double> atoms;
  std::vector<double> probabilities;
  for (const CoarseDeliveries::Point& y : coarse.points(z)) {
    for (std::size_t d = 0; d < model.demand(0).size(); ++d) {
      std::size_t left_to_serve = d;
      std::size_t before = 0;
      std::vector<std::uint8_t> next;
      std::size_t total = 0;
      std::size_t expired = 0;
      for (std::size_t i = 0; i < model.shelf_life(); ++i) {
        const std::size_t y_i = (i + 1 < model.shelf_life() ? y[i] : z) - before;
        before += y_i;
        const std::size_t units = y_i + (i < stock.size() ? stock[i] : 0);
        total += units;
        const std::size_t sold = std::min(units, left_to_serve);
        left_to_serve -= sold;
        if (i == 0) {
          expired = units - sold;
        } else {
          next.push_back(static_cast<std::uint8_t>(units - sold));
        }
      }
      const Costs& cost = model.cost(0);
      const double held = total > d ? static_cast<double>(total - d) : 0.0;
      atoms.push_back(cost.order + cost.holding * held +
                      cost.shortage * static_cast<double>(left_to_serve) +
                      cost.wastage * static_cast<double>(expired) +
                      criterion.gamma * values[model.stocks().rank(next)]);
      probabilities.push_back(model.demand(0)[d] / static_cast<double>(coarse.points(z).size()));
    }
  }
  return shortfall_risk(criterion.loss, Law{atoms, probabilities});
}

TEST(CoarsePass, AgreesWithAPlainSumOverItsPoints) {
  const Model model = long_lived();
  pcg64 bits(31);
  for (const char* const spec :
       {"expectile:0.9", "expectile:0.2", "soft-quantile:0.8,0.5", "truncated-entropic:0.1,20"}) {
    const Criterion criterion{AnyLoss::parse(spec), 0.6};
    const std::vector<double> values = random_values(model, bits);
    Operator op(model, criterion);
    Policy orders = base_stock_policy(model, 6);
    std::vector<double> risks(model.states());
    std::vector<double> correction(model.states());
    for (double& c : correction) c = draw_uniform(bits);
    (void)op.bellman.apply_orders({.day = 0,
                                   .next_values = values,
                                   .values = values,
                                   .backed_up = risks,
                                   .orders = orders,
                                   .goal = exact_roots,
                                   .deliveries = Deliveries::coarse,
                                   .correction = correction});
    for (const std::size_t x : {0UL, 1UL, 4UL, 7UL}) {  // totals 0 and 1
      const auto z = static_cast<std::size_t>(orders[x]);
      ASSERT_GE(z, 5);
      // Roots of about 100 with a few hundred roundings each, of slopes that differ by a
      // factor of ten.
      EXPECT_NEAR(risks[x], plain_coarse_risk(model, criterion, x, z, values) + correction[x],
                  1e-10)
          << spec << ", state " << x;
    }
  }
}

/// T~ V + (T V - T~ V) = T V, on every day.
TEST(CoarsePass, WithItsCorrectionGivesTheExactValuesWhereItWasMeasured) {
  pcg64 bits(32);
  for (const Model& model : {long_lived(), long_lived_week()}) {
    Operator op(model, expectile(0.9));
    const std::vector<double> values = random_values(model, bits);
    const Policy orders = base_stock_policy(model, model.capacity());
    Cycle exact(op.bellman, values, orders);
    Cycle coarse(op.bellman, values, orders);
    exact.sweep_orders(exact_roots);
    exact.advance({.shift = std::vector<double>(model.days(), 0.0)});
    coarse.sweep_orders_and_correct(exact_roots);
    coarse.sweep_coarsely(exact_roots);
    coarse.advance({.shift = std::vector<double>(model.days(), 0.0)});
    for (std::size_t x = 0; x < model.states(); ++x) {
      ASSERT_NEAR(coarse.values()[x], exact.values()[x], 1e-10);  // as above
    }
  }
}

/// The values of a policy are the fixed point of the corrected operator, from anywhere.
TEST(CoarsePass, SettlesAtTheValuesOfAPolicy) {
  for (const Model& model : {long_lived(), long_lived_week()}) {
    const Criterion criterion = expectile(0.9);
    const Policy orders = base_stock_policy(model, model.capacity());
    const Solution known = evaluate(model, criterion, orders, {.tolerance = 1e-9});
    Operator op(model, criterion);
    Cycle cycle(op.bellman, std::vector<double>(model.states(), 0.0), orders);
    double last_change = std::numeric_limits<double>::infinity();
    bool settled = false;
    for (int round = 0; round < 8; ++round) {
      cycle.sweep_orders_and_correct(exact_roots);
      const CycleBound bound = cycle.bound();
      cycle.advance(bound);
      for (std::size_t x = 0; x < model.states(); ++x) {
        ASSERT_NEAR(cycle.values()[x], known.values[x], bound.error + known.error_bound);
      }
      settled = bound.change < 1e-9;
      if (settled) break;
      EXPECT_LT(bound.change, 0.2 * last_change) << "no better than exact passes";
      last_change = bound.change;
      settle_coarsely(cycle, 0.01 * bound.change);
    }
    EXPECT_TRUE(settled);
  }
}

/// Improving over the likely orders, as solve() does, against the plain solver with tiny models.
TEST(CoarsePass, ChoosesOrdersThatAPassOverAllOfThemConfirms) {
  for (const Model& model : {long_lived(), long_lived_week()}) {
    const Criterion criterion = expectile(0.9);
    const Solution known = solve(model, criterion, {.tolerance = 1e-9});
    Operator op(model, criterion);
    Cycle cycle(op.bellman, std::vector<double>(model.states(), 0.0), Policy(model.states(), 0));
    const double accuracy = coarse_accuracy * cycle.highest_cost();
    settle_coarsely(cycle, accuracy);
    choose_orders_coarsely(cycle, accuracy);
    cycle.keep_likely_orders(20.0 * accuracy);
    improve_likely_orders_coarsely(cycle, 1e-7);
    cycle.improve(Cycle::Choice::all);
    const CycleBound bound = cycle.bound();
    cycle.advance(bound);
    EXPECT_LT(bound.error, 1e-4);
    for (std::size_t x = 0; x < model.states(); ++x) {
      ASSERT_NEAR(cycle.values()[x], known.values[x], bound.error + known.error_bound);
    }
  }
}

/// Bounds of coarse deliveries, which do not hold for exact ones, must not exclude an order.
TEST(CoarsePass, LeavesNoBoundsBehind) {
  const Model model = long_lived();
  const Criterion criterion = expectile(0.9);
  const Solution known = solve(model, criterion, {.tolerance = 1e-9});
  Operator op(model, criterion);
  Cycle cycle(op.bellman, known.values, Policy(model.states(), 0));
  cycle.improve_coarsely();
  cycle.keep_likely_orders(0.0);  // all but the best coarse order are unlikely
  cycle.improve(Cycle::Choice::likely);
  cycle.improve(Cycle::Choice::all);
  const CycleBound bound = cycle.bound();
  EXPECT_LE(bound.error, 10.0 * known.error_bound);
  const std::vector<double> plain = greedy_values(op.bellman, known.values);
  cycle.advance({.shift = {0.0}});
  for (std::size_t x = 0; x < model.states(); ++x) ASSERT_NEAR(cycle.values()[x], plain[x], 1e-10);
}

TEST(CoarsePass, PaysForLargeOrdersOnly) {
  const Model model =
      model_of(Arrival::logit(6, {0.8, 1.4, 1.9, 2.3, 1.7}, {-0.03, -0.04, -0.05, -0.06, -0.07}),
               17, {negative_binomial_demand(11.0, 6.2, 20)});
  Operator op(model, expectile(0.9));
  const std::vector<double> values(model.states(), 50.0);
  const Policy large = reorder_policy(model, {.reorder_at = 11, .order_up_to = 17});
  EXPECT_TRUE(coarse_passes_pay(Cycle(op.bellman, values, large), Task::evaluate));
  EXPECT_FALSE(
      coarse_passes_pay(Cycle(op.bellman, values, base_stock_policy(model, 5)), Task::improve));
  Operator mean(model, expectile(0.5));
  EXPECT_FALSE(coarse_passes_pay(Cycle(mean.bellman, values, large), Task::improve))
      << "rows are replaced by their means";
}

}  // namespace
}  // namespace shortfall::inventory
