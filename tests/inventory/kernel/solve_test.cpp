#include "shortfall/inventory/kernel/solve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "shortfall/mdp/chain.hpp"
#include "tests/inventory/kernel/solution_on_ranks.hpp"
#include "tests/inventory/model/models_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::inventory {
namespace {

using shortfall::testing::paper_model;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Criterion expectile(double tau) {
  return {Expectile(tau), 0.6};
}

struct KnownAnswer {
  double tau;
  double optimal;
  double static_policy;
  double myopic;
  double risk_neutral;
};

/// Converged values at the empty stock with costs (10, 1, 20, 5): computed independently by plain
/// value iteration over the listed outcomes, to all digits given.
class ShelfLifeThree : public ::testing::TestWithParam<KnownAnswer> {};

TEST_P(ShelfLifeThree, HasTheKnownValues) {
  const KnownAnswer& known = GetParam();
  const Model model = paper_model(3);
  const Criterion criterion = expectile(known.tau);
  const auto value = [&](const Policy& orders) {
    const Solution solution = evaluate(model, criterion, orders);
    EXPECT_EQ(solution.status, Status::converged);
    return solution.values[0];
  };
  const Solution optimum = solve(model, criterion);
  ASSERT_EQ(optimum.status, Status::converged);
  EXPECT_LE(optimum.error_bound, 1e-6);
  EXPECT_NEAR(optimum.values[0], known.optimal, 6e-5);
  EXPECT_NEAR(value(static_policy(model, solve_non_perishable(model, criterion))),
              known.static_policy, 6e-5);
  EXPECT_NEAR(value(myopic_policy(model, criterion)), known.myopic, 6e-5);
  EXPECT_NEAR(value(solve(model, {Mean(), 0.6}).policy), known.risk_neutral, 6e-5);
  EXPECT_NEAR(value(optimum.policy), optimum.values[0], 2e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Levels, ShelfLifeThree,
    ::testing::Values(KnownAnswer{0.1, 34.5022, 36.5334, 34.6664, 35.9157},
                      KnownAnswer{0.5, 54.84898, 72.9541, 54.85594, 54.84898},
                      KnownAnswer{0.9, 93.55288, 148.1521, 93.55318, 100.7047}),
    [](const auto& test) { return "tau_" + std::to_string(std::lround(10 * test.param.tau)); });

TEST(ShelfLifeFive, HasTheKnownValues) {
  if (shortfall::testing::is_sanitized())
    GTEST_SKIP() << "too slow with sanitizers; backup_kernel_test covers long shelf lives";
  const Model model = paper_model(5);
  for (const auto& [tau, optimal, of_static] :
       {std::tuple{0.5, 40.47158, 40.47288}, std::tuple{0.9, 53.18516, 55.63363}}) {
    const Criterion criterion = expectile(tau);
    EXPECT_NEAR(solve(model, criterion).values[0], optimal, 6e-6);
    const Policy orders = static_policy(model, solve_non_perishable(model, criterion));
    EXPECT_NEAR(evaluate(model, criterion, orders).values[0], of_static, 6e-6);
  }
}

/// With a shelf life of one period no stock is ever left, and the value is that of a period over 1
/// - γ: the smallest log E e^{βc} / β over orders z, here with demand's tail summed term by term
/// from 1000 downwards.
long double value_without_stock(long double mean, std::size_t max, long double beta,
                                long double gamma) {
  constexpr std::size_t far = 1000;
  std::vector<long double> law(far + 1);
  for (std::size_t k = 0; k <= far; ++k) {
    const auto times = static_cast<long double>(k);
    law[k] = std::exp(times * std::log(mean) - mean - std::lgamma(times + 1.0L));
  }
  for (std::size_t k = far; k > max; --k) law[max] += law[k];
  long double best = std::numeric_limits<long double>::infinity();
  for (std::size_t z = 0; z <= 5; ++z) {
    long double sum = 0.0L;
    for (std::size_t d = 0; d <= max; ++d) {
      const auto left = static_cast<long double>(z > d ? z - d : 0);
      const auto missing = static_cast<long double>(d > z ? d - z : 0);
      const long double cost = (z > 0 ? 10.0L : 0.0L) + 6.0L * left + 20.0L * missing;
      sum += law[d] * std::exp(beta * cost);
    }
    best = std::min(best, std::log(sum) / beta);
  }
  return best / (1.0L - gamma);
}

/// Poisson demand truncated far out in its tail, which is negligible for the mean but not for the
/// risk-averse: one minus the sum of the rest would be all rounding.
TEST(Bounds, HoldIfTheTailOfDemandIsFarBelowRoundingError) {
  for (const std::size_t max : {25u, 30u}) {
    const Model model({.capacity = 5,
                       .max_order = {5},
                       .arrival = {Arrival::fresh(1)},
                       .demand = {poisson_demand(1.5, max)},
                       .cost = {{.order = 10, .holding = 1, .shortage = 20, .wastage = 5}}});
    const Solution solution = solve(model, {Entropic(0.1), 0.6}, {.tolerance = 1e-9});
    ASSERT_EQ(solution.status, Status::converged);
    const long double exact = value_without_stock(1.5L, max, 0.1, 0.6);
    EXPECT_NEAR(solution.values[0], static_cast<double>(exact), solution.error_bound + 1e-12);
  }
}

class BoundsOnRanks : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Ranks, BoundsOnRanks, ::testing::Values(1u, 3u));

TEST_P(BoundsOnRanks, HoldForARoughSolve) {
  using shortfall::testing::on_ranks;
  for (const char* const loss :
       {"mean", "expectile:0.1", "expectile:0.9", "entropic:0.05", "truncated-entropic:0.1,20",
        "soft-quantile:0.9,0.5", "piecewise:-1:-1,0:0,1:3"}) {
    const Model model = paper_model(3, shortfall::testing::paper_costs, 10);
    const Criterion criterion{AnyLoss::parse(loss), 0.6};
    const Solution exact = solve(model, criterion, {.tolerance = 1e-9});
    ASSERT_EQ(exact.status, Status::converged) << loss;
    for (const double tolerance : {10.0, 1e-1, 1e-3}) {
      const SolverOptions options{.tolerance = tolerance};
      const Solution rough = on_ranks(GetParam(), [&](const Execution& execution) {
        return solve(model, criterion, options, execution);
      });
      ASSERT_EQ(rough.status, Status::converged) << loss;
      EXPECT_LE(rough.error_bound, tolerance);
      const Solution rough_value = on_ranks(GetParam(), [&](const Execution& execution) {
        return evaluate(model, criterion, rough.policy, options, execution);
      });
      const Solution exact_value = evaluate(model, criterion, rough.policy, {.tolerance = 1e-9});
      for (std::size_t x = 0; x < model.states(); ++x) {
        ASSERT_LE(std::abs(rough.values[x] - exact.values[x]),
                  rough.error_bound + exact.error_bound)
            << loss << " state " << x;
        ASSERT_LE(std::abs(rough_value.values[x] - exact_value.values[x]),
                  rough_value.error_bound + exact_value.error_bound)
            << loss << " state " << x;
        // No policy is better than the optimum.
        ASSERT_GE(exact_value.values[x], exact.values[x] - 2e-9) << loss << " state " << x;
      }
    }
  }
}

TEST(Solve, FindsTheSameOnEveryDayOfAWeekOfEqualDays) {
  const Model one_day = paper_model(3, shortfall::testing::paper_costs, 10);
  const std::vector<double> law(one_day.demand(0).begin(), one_day.demand(0).end());
  const Model week({.capacity = 10,
                    .max_order = {10},
                    .arrival = {one_day.arrival(0)},
                    .demand = std::vector<std::vector<double>>(7, law),
                    .cost = {one_day.cost(0)}});
  const Solution expected = solve(one_day, {Expectile(0.8), 0.95});
  const Solution found = solve(week, {Expectile(0.8), 0.95});
  ASSERT_EQ(found.status, Status::converged);
  for (std::size_t x = 0; x < week.states(); ++x) {
    ASSERT_NEAR(found.values[x], expected.values[x % one_day.states()],
                found.error_bound + expected.error_bound);
  }
}

/// Independent of the solver's own bounds: a policy of the published instance whose value was
/// computed by listing its outcomes.
TEST(Evaluate, AgreesWithTheExplicitModelOnAReorderPolicy) {
  const Model model = paper_model(5, shortfall::testing::paper_costs, 8);
  const Criterion criterion{Expectile(0.9), 0.6};
  const Policy orders = reorder_policy(model, {3, 8});
  const Solution expected =
      evaluate_by_newton(under_policy(explicit_mdp(model), orders), criterion);
  const Solution found = evaluate(model, criterion, orders);
  for (std::size_t x = 0; x < model.states(); ++x) {
    ASSERT_NEAR(found.values[x], expected.values[x], found.error_bound + expected.error_bound);
  }
}

TEST(Solve, IsBitwiseIdenticalForAnyNumberOfThreads) {
  const Model model = paper_model(3);
  for (const char* const loss : {"mean", "expectile:0.9", "entropic:0.1"}) {
    const Criterion criterion{AnyLoss::parse(loss), 0.6};
    const Solution one = solve(model, criterion, {}, {.threads = 1});
    const Solution two = solve(model, criterion, {}, {.threads = 2});
    EXPECT_EQ(one.values, two.values) << loss;
    EXPECT_EQ(one.policy, two.policy) << loss;
  }
}

/// Shelf life 6, where coarse passes settle values between exact ones, against plain sweeps.
TEST(CoarseDeliveries, ChangeNothingButTheNumberOfExactPasses) {
  if (is_sanitized()) GTEST_SKIP() << "too slow; coarse_passes_test covers the same with less";
  const Model model({.capacity = 17,
                     .max_order = {17},
                     .arrival = {Arrival::logit(6, {0.8, 1.4, 1.9, 2.3, 1.7},
                                                {-0.03, -0.04, -0.05, -0.06, -0.07})},
                     .demand = {negative_binomial_demand(11.0, 6.2, 20)},
                     .cost = {shortfall::testing::paper_costs}});
  const Criterion criterion = expectile(0.9);
  const Policy orders = static_policy(model, solve_non_perishable(model, criterion));
  const Solution plain = evaluate_as_published(model, criterion, orders, {.tolerance = 1e-3});
  const Solution found = evaluate(model, criterion, orders, {}, {.threads = 1});
  ASSERT_EQ(found.status, Status::converged);
  EXPECT_LE(found.iterations, 8);  // 18 without
  for (std::size_t x = 0; x < model.states(); ++x) {
    ASSERT_NEAR(found.values[x], plain.values[x], found.error_bound + plain.error_bound);
  }
  EXPECT_EQ(evaluate(model, criterion, orders, {}, {.threads = 2}).values, found.values);

  const Solution optimum = solve(model, criterion, {}, {.threads = 1});
  ASSERT_EQ(optimum.status, Status::converged);
  const Solution again = solve(model, criterion, {}, {.threads = 2});
  EXPECT_EQ(again.values, optimum.values);
  EXPECT_EQ(again.policy, optimum.policy);
  const Solution warm = solve(model, criterion, {.start = plain.values});
  for (std::size_t x = 0; x < model.states(); ++x) {
    ASSERT_NEAR(warm.values[x], optimum.values[x], warm.error_bound + optimum.error_bound);
    ASSERT_LE(optimum.values[x], found.values[x] + found.error_bound + optimum.error_bound);
  }
}

TEST(Solve, StartsFromGivenValues) {
  const Model model = paper_model(3);
  const Solution neutral = solve(model, {Mean(), 0.6});
  const Solution cold = solve(model, expectile(0.6));
  const Solution warm = solve(model, expectile(0.6), {.start = neutral.values});
  EXPECT_NEAR(warm.values[0], cold.values[0], 2e-6);
  EXPECT_EQ(warm.policy, cold.policy);
}

TEST(Solve, GivesTheSameBitsFromAKnownNonPerishableOptimum) {
  const Model model = paper_model(3);
  const Criterion criterion = expectile(0.9);
  const Solution expected = solve(model, criterion);
  const Solution found = solve_from(solve_non_perishable(model, criterion), model, criterion);
  EXPECT_EQ(found.values, expected.values);
  EXPECT_EQ(found.policy, expected.policy);
  EXPECT_EQ(found.iterations, expected.iterations);
}

TEST(Solve, ReportsWhyItStoppedBeforeConverging) {
  const Model model = paper_model(3);
  const Solution stopped = solve(model, expectile(0.9), {.max_iterations = 1});
  EXPECT_EQ(stopped.status, Status::iteration_limit);
  const Solution exact = solve(model, expectile(0.9), {.tolerance = 1e-9});
  for (std::size_t x = 0; x < model.states(); ++x) {
    ASSERT_LE(std::abs(stopped.values[x] - exact.values[x]), stopped.error_bound + 1e-9);
  }
  EXPECT_EQ(solve(model, expectile(0.9), {.tolerance = 1e-300}).status, Status::precision_limit);
}

TEST(Solve, RejectsWhatDoesNotFitInMemory) {
  // 3·10¹⁰ targets: more than a quarter of a terabyte.
  const Model model({.capacity = 250,
                     .max_order = {250},
                     .arrival = {Arrival::fresh(4)},
                     .demand = {poisson_demand(100.0, 1000)},
                     .cost = {{}}});
  EXPECT_GT(memory_needed(model), 2.5e11);
  EXPECT_THAT(
      [&] {
        (void)solve(model, {Mean(), 0.6});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("GB of memory; accepted: at most")));
}

TEST(Solve, RejectsInvalidOptions) {
  const Model model = paper_model(3, shortfall::testing::paper_costs, 5);
  EXPECT_THROW((void)solve(model, {Mean(), 1.0}), InvalidInput);
  EXPECT_THROW((void)solve(model, {Mean(), 0.6}, {.tolerance = 0.0}), InvalidInput);
  EXPECT_THROW((void)solve(model, {Mean(), 0.6}, {.start = {1.0}}), InvalidInput);
  EXPECT_THROW((void)evaluate(model, {Mean(), 0.6}, {1, 2}), InvalidInput);
  EXPECT_THROW((void)evaluate(model, {Mean(), 0.6}, Policy(model.states(), 1)), InvalidInput);
}

}  // namespace
}  // namespace shortfall::inventory
