// The random draws of simulate(): common random numbers across policies, and the right laws.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"
#include "tests/inventory/model/models_for_tests.hpp"
#include "tests/mdp/chi_square.hpp"

namespace shortfall::inventory {
namespace {

/// The costs below encode the events of a replication in its cost, as digits in base 1/γ.
constexpr double gamma_of_digits = 1.0 / 1024;
constexpr std::size_t digits = 5;  // 50 bits

std::vector<std::vector<std::size_t>> digits_of(const SimulationResult& result) {
  std::vector<std::vector<std::size_t>> spelt;
  for (double cost : result.discounted_cost) {
    std::vector<std::size_t>& of_replication = spelt.emplace_back();
    for (std::size_t t = 0; t < digits; ++t) {
      const double digit = std::floor(cost);
      of_replication.push_back(static_cast<std::size_t>(digit));
      cost = (cost - digit) / gamma_of_digits;
    }
  }
  return spelt;
}

/// Shelf life 1: the lost demand is (D - z)⁺ in each period.
TEST(CommonRandomNumbers, GiveTheSameDemandUnderEveryPolicy) {
  const Model model({.capacity = 20,
                     .max_order = {20},
                     .arrival = {Arrival::fresh(1)},
                     .demand = {negative_binomial_demand(11.064622, 6.165049, 20)},
                     .cost = {{.shortage = 1.0}}});
  const SimulationOptions options{.periods = digits, .replications = 300, .gamma = gamma_of_digits};
  const auto demand = digits_of(simulate(model, {0}, options));
  for (const ActionIndex z : {1, 5, 20}) {
    const auto lost = digits_of(simulate(model, {z}, options));
    for (std::size_t r = 0; r < lost.size(); ++r) {
      for (std::size_t t = 0; t < digits; ++t) {
        const auto stock = static_cast<std::size_t>(z);
        EXPECT_EQ(lost[r][t], demand[r][t] > stock ? demand[r][t] - stock : 0);
      }
    }
  }
}

/// There is no demand and z is ordered each period, so that Y_1 of today and z - Y_1 of yesterday
/// are wasted. If the law does not depend on z, the units of an order of z with one period left are
/// those of an order of z - 1, plus possibly the last unit, in every period.
TEST(CommonRandomNumbers, GiveTheSameUnitsTheSameShelfLifeUnderEveryPolicy) {
  const Model model({.capacity = 18,
                     .max_order = {9},
                     .arrival = {Arrival::logit(2, {0.0}, {0.0})},
                     .demand = {{1.0}},
                     .cost = {{.wastage = 1.0}}});
  const SimulationOptions options{.periods = digits, .replications = 300, .gamma = gamma_of_digits};
  std::vector<std::vector<std::size_t>> before(300, std::vector<std::size_t>(digits, 0));
  std::vector<std::size_t> ones(2, 0);
  for (std::size_t z = 1; z <= 9; ++z) {
    Policy orders(19, 0);
    std::fill_n(orders.begin(), 10, static_cast<ActionIndex>(z));
    const auto wasted = digits_of(simulate(model, orders, options));
    for (std::size_t r = 0; r < wasted.size(); ++r) {
      std::size_t stock = 0;
      for (std::size_t t = 0; t < digits; ++t) {
        const std::size_t expiring = wasted[r][t] - stock;
        stock = z - expiring;
        const std::size_t more = expiring - before[r][t];
        ASSERT_LE(more, 1);
        ++ones[more];
        before[r][t] = expiring;
      }
    }
  }
  const auto [statistic, threshold] = testing::chi_square(ones, {0.5, 0.5});
  EXPECT_LT(statistic, threshold);
}

/// With independent draws the error of the difference would be the root of the sum of squared
/// errors, within a few percent.
TEST(CommonRandomNumbers, ReduceTheVarianceOfADifference) {
  const Model model({.capacity = 8,
                     .max_order = {8},
                     .arrival = {Arrival::logit(3, {0.3, 0.2}, {0.0, 0.0})},
                     .demand = {poisson_demand(3.0, 12)},
                     .cost = {{.order = 1.0, .holding = 1.0, .shortage = 7.0, .wastage = 2.0}}});
  Policy many = reorder_policy(model, {.reorder_at = 3, .order_up_to = 8});
  Policy fewer = reorder_policy(model, {.reorder_at = 3, .order_up_to = 7});
  const SimulationOptions options{.periods = 40, .replications = 4000, .gamma = 0.9};
  const SimulationResult a = simulate(model, many, options);
  const SimulationResult b = simulate(model, fewer, options);
  double squares = 0.0;
  for (std::size_t r = 0; r < options.replications; ++r) {
    squares += std::pow(a.discounted_cost[r] - b.discounted_cost[r] - (a.mean - b.mean), 2);
  }
  const double of_difference = std::sqrt(squares) / static_cast<double>(options.replications);
  EXPECT_LT(of_difference, 0.7 * std::hypot(a.standard_error, b.standard_error));
}

/// Replications are independent and demand has its law: tested on the first demands of all
/// replications, and on pairs of first demands of consecutive replications.
TEST(CommonRandomNumbers, FollowTheDemandLawIndependentlyInEachReplication) {
  const std::vector<double> law{0.1, 0.0, 0.4, 0.3, 0.2};
  const Model model({.capacity = 1,
                     .max_order = {0},
                     .arrival = {Arrival::fresh(1)},
                     .demand = {law},
                     .cost = {{.shortage = 1.0}}});
  const SimulationResult result =
      simulate(model, {0}, {.periods = 1, .replications = 200'000, .gamma = 1.0});
  std::vector<std::size_t> counts(5, 0);
  std::vector<std::size_t> pairs(25, 0);
  std::vector<double> law_of_pairs;
  for (const double p : law) {
    for (const double q : law) law_of_pairs.push_back(p * q);
  }
  for (std::size_t r = 0; r < result.discounted_cost.size(); ++r) {
    const auto demand = static_cast<std::size_t>(result.discounted_cost[r]);
    ++counts.at(demand);
    if (r % 2 == 1) {
      ++pairs.at(5 * static_cast<std::size_t>(result.discounted_cost[r - 1]) + demand);
    }
  }
  EXPECT_EQ(counts[1], 0);
  const auto single = testing::chi_square(counts, law);
  EXPECT_LT(single.statistic, single.threshold);
  const auto joint = testing::chi_square(pairs, law_of_pairs);
  EXPECT_LT(joint.statistic, joint.threshold);
}

/// If 6 units are ordered and there is no demand, Y_1 are wasted in the first period, Y_2 in the
/// second, ..: the multinomial law of (Y_1, Y_2) at p = p(6).
TEST(CommonRandomNumbers, FollowTheLawOfShelfLivesGivenTheOrder) {
  const Arrival arrival = studies::platelets_arrival(3);
  const Model model({.capacity = 6,
                     .max_order = {6},
                     .arrival = {arrival},
                     .demand = {{1.0}},
                     .cost = {{.wastage = 1.0}}});
  const SimulationResult result =
      simulate(model, reorder_policy(model, {.reorder_at = 0, .order_up_to = 6}),
               {.periods = 2, .replications = 100'000, .gamma = gamma_of_digits});
  const std::vector<double> p = arrival.probabilities(6);
  std::vector<double> law;
  std::vector<std::size_t> counts(49, 0);
  for (int i = 0; i <= 6; ++i) {
    for (int j = 0; j <= 6; ++j) {
      const int k = 6 - i - j;
      // If all six expire at once, six more are ordered; their law is not tested.
      law.push_back(k < 0 || i == 6
                        ? 0.0
                        : std::tgamma(7.0) / std::tgamma(i + 1.0) / std::tgamma(j + 1.0) /
                              std::tgamma(k + 1.0) * std::pow(p[0], i) * std::pow(p[1], j) *
                              std::pow(p[2], k));
    }
  }
  double kept = 0.0;
  for (const double probability : law) kept += probability;
  for (double& probability : law) probability /= kept;
  for (const std::vector<std::size_t>& wasted : digits_of(result)) {
    if (wasted[0] < 6) ++counts.at(7 * wasted[0] + wasted[1]);
  }
  const auto [statistic, threshold] = testing::chi_square(counts, law);
  EXPECT_LT(statistic, threshold);
}

}  // namespace
}  // namespace shortfall::inventory
