// Certified bounds checked against models with a closed-form solution for every loss, on one rank
// and on three.
#include "shortfall/dp/bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "tests/dp/solvers_on_ranks.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

const std::vector<double> costs = {-1.0, 0.5, 2.0, 7.0};
const std::vector<double> probabilities = {0.4, 0.3, 0.2, 0.1};

/// Costs that do not depend on the state: V = ρ(c) / (1 - γ) in all states, for every loss.
Mdp identical_states(StateIndex states) {
  TransitionTable table;
  for (StateIndex x = 0; x < states; ++x) {
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const auto next = static_cast<StateIndex>((std::size_t{x} * 7 + i * 3 + 1) % states);
      table.add(x, 0, next, Probability(probabilities[i]), costs[i]);
    }
  }
  return Mdp::build(std::move(table));
}

/// A countdown 0 → 1 → .. → n, terminal, at cost 1 per step: V(x) = (1-γ^{n-x})/(1-γ).
Mdp countdown(StateIndex steps) {
  TransitionTable table;
  for (StateIndex x = 0; x < steps; ++x) table.add(x, 0, x + 1, Probability(1.0), 1.0);
  return Mdp::build(std::move(table));
}

/// Independent of the library's root finding, in extended precision.
double risk_by_bisection(const AnyLoss& loss) {
  long double lower = costs.front();
  long double upper = costs.back();
  for (int i = 0; i < 100; ++i) {
    const long double middle = (lower + upper) / 2;
    long double sum = 0;
    for (std::size_t j = 0; j < costs.size(); ++j) {
      const long double d = costs[j] - middle;
      // ℓ(d) to first order in the part of d that `double` cannot hold.
      const auto rounded = static_cast<double>(d);
      const LossPoint point = loss.at(rounded);
      sum += probabilities[j] * (point.value + point.left_slope * (d - rounded));
    }
    (sum > 0 ? lower : upper) = middle;
  }
  return static_cast<double>((lower + upper) / 2);
}

double largest_error(const std::vector<double>& values, const std::vector<double>& exact) {
  double error = 0.0;
  for (std::size_t x = 0; x < values.size(); ++x) {
    error = std::max(error, std::abs(values[x] - exact[x]));
  }
  return error;
}

class EveryLossAndDiscount
    : public ::testing::TestWithParam<std::tuple<std::string, double, std::size_t>> {
 protected:
  Criterion criterion{AnyLoss::parse(std::get<0>(GetParam())), std::get<1>(GetParam())};
  std::size_t ranks = std::get<2>(GetParam());

  void expect_honest_bounds(const Mdp& model, const std::vector<double>& exact) const;
};
INSTANTIATE_TEST_SUITE_P(Bounds, EveryLossAndDiscount,
                         ::testing::Combine(::testing::ValuesIn(testing::loss_specs()),
                                            ::testing::Values(0.1, 0.9, 0.9999),
                                            ::testing::Values(1u, 3u)));

/// Stops every method after each possible number of iterations: the bound must hold at all times.
void EveryLossAndDiscount::expect_honest_bounds(const Mdp& model,
                                                const std::vector<double>& exact) const {
  for (const Method method :
       {Method::value_iteration, Method::gauss_seidel, Method::modified_policy_iteration,
        Method::policy_iteration, Method::adaptive}) {
    for (const int limit : {1, 2, 3, 5, 10, 40, 10000}) {
      const Solution solution = testing::solve_on(ranks, model, criterion, method,
                                                  {.tolerance = 1e-13, .max_iterations = limit});
      EXPECT_LE(largest_error(solution.values, exact), solution.error_bound)
          << to_string(method) << " stopped after " << limit << ": " << solution.brief_report();
    }
  }
}

TEST_P(EveryLossAndDiscount, IsNeverViolatedIfStatesAreIdentical) {
  const Mdp model = identical_states(5);
  const double risk = risk_by_bisection(criterion.loss);
  expect_honest_bounds(model, std::vector<double>(5, risk / (1.0 - criterion.gamma)));
}

TEST_P(EveryLossAndDiscount, IsNeverViolatedIfAStateIsTerminal) {
  const Mdp model = countdown(30);
  std::vector<double> exact(31);
  for (std::size_t x = 0; x <= 30; ++x) {
    exact[x] =
        (1.0 - std::pow(criterion.gamma, 30.0 - static_cast<double>(x))) / (1.0 - criterion.gamma);
  }
  expect_honest_bounds(model, exact);
}

TEST_P(EveryLossAndDiscount, HoldsFromAnyStart) {
  const Mdp model = countdown(10);
  std::vector<double> exact(11);
  for (std::size_t x = 0; x <= 10; ++x) {
    exact[x] =
        (1.0 - std::pow(criterion.gamma, 10.0 - static_cast<double>(x))) / (1.0 - criterion.gamma);
  }
  Policy policy(11, 0);
  policy.back() = no_action;  // terminal
  using testing::evaluate_on;
  for (const double start : {-50.0, 3.0, 1e4}) {
    for (const int limit : {1, 4, 1000000}) {
      const SolverOptions options{
          .tolerance = 1e-9, .max_iterations = limit, .start = std::vector<double>(11, start)};
      for (const Solution& solution :
           {testing::solve_on(ranks, model, criterion, Method::value_iteration, options),
            evaluate_on(ranks, model, policy, criterion, Evaluator::sweeps, options),
            evaluate_on(ranks, model, policy, criterion, Evaluator::newton, options)}) {
        EXPECT_LE(largest_error(solution.values, exact), solution.error_bound)
            << solution.brief_report();
      }
    }
  }
}

TEST(TwoSidedBound, HasItsClosedForm) {
  const SweepSummary sweep{
      .lowest_change = -1.0, .highest_change = 3.0, .lowest_value = 0.0, .highest_value = 0.0};
  const TwoSidedBound bound = two_sided_bound(sweep, 0.9, 0.0);
  EXPECT_DOUBLE_EQ(bound.shift, 9.0);
  // Rounding of changes and of shifts comes on top: a few hundred units of 1.1e-16.
  EXPECT_GE(bound.error, 18.0);
  EXPECT_NEAR(bound.error, 18.0, 1e-13);
  EXPECT_GE(two_sided_bound(sweep, 0.9, 0.5).error, 18.0 + 5.0);
  EXPECT_NEAR(two_sided_bound(sweep, 0.9, 0.5).error, 18.0 + 5.0, 1e-13);
}

TEST(Status, ReportsWhenDoubleArithmeticCannotCertifyTheTolerance) {
  const Mdp model = countdown(5);
  const Solution solution = value_iteration(model, {Mean(), 0.5}, {.tolerance = 1e-18});
  EXPECT_EQ(solution.status, Status::precision_limit);
  EXPECT_GT(solution.error_bound, 1e-18);
  EXPECT_LT(solution.error_bound, 1e-13);
  for (int x = 0; x <= 5; ++x) {
    const double exact = 2.0 - std::ldexp(2.0, x - 5);
    EXPECT_LE(std::abs(solution.values[static_cast<std::size_t>(x)] - exact), solution.error_bound);
  }
  const Solution certified = value_iteration(model, {Mean(), 0.5}, {.tolerance = 1e-13});
  EXPECT_EQ(certified.status, Status::converged);
}

}  // namespace
}  // namespace shortfall
