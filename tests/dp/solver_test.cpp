#include "shortfall/dp/solve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/dp/bellman.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A lazy walk on a line of `states`: stays or moves to a neighbour, cost x/states. It mixes in
/// about states² steps, which is hard for sweeps and for unpreconditioned Krylov methods alike.
Mdp slow_walk(StateIndex states) {
  TransitionTable table;
  for (StateIndex x = 0; x < states; ++x) {
    const double cost = static_cast<double>(x) / states;
    table.add(x, 0, x > 0 ? x - 1 : x, Probability(0.25), cost);
    table.add(x, 0, x, Probability(0.5), 2.0 * cost);
    table.add(x, 0, x + 1 < states ? x + 1 : x, Probability(0.25), cost);
  }
  return Mdp::build(std::move(table));
}

/// Two actions of equal risk in every state, and a third that is worse.
Mdp with_ties() {
  TransitionTable table;
  for (const StateIndex x : {0u, 1u}) {
    table.add(x, 0, x, Probability(1.0), 2.0);
    table.add(x, 1, 0, Probability(0.3), 1.1);
    table.add(x, 1, 1, Probability(0.7), 1.1);
    table.add(x, 2, 1, Probability(0.7), 1.1);
    table.add(x, 2, 0, Probability(0.3), 1.1);
  }
  return Mdp::build(std::move(table));
}

TEST(Newton, NeedsFewIterationsOnASlowChainWithDiscountCloseToOne) {
  const Mdp model = slow_walk(2000);
  const Chain chain = under_policy(model, Policy(model.states(), 0));
  // Sweeps would take about log(1e-10) / log(0.9999) = 230 000. A loss that is neither convex nor
  // concave needs a line search, whose trials also count as iterations.
  const std::vector<std::pair<const char*, int>> cases = {
      {"mean", 5}, {"expectile:0.9", 10}, {"entropic:0.5", 12}, {"soft-quantile:0.8,2", 120}};
  for (const auto& [spec, iteration_limit] : cases) {
    const Criterion criterion{AnyLoss::parse(spec), 0.9999};
    const Solution newton = evaluate_by_newton(chain, criterion, {.tolerance = 1e-5});
    EXPECT_EQ(newton.status, Status::converged) << spec << " " << newton.brief_report();
    EXPECT_LE(newton.iterations, iteration_limit) << spec;
    // Its residual on a separate sweep: T V = V to the bound, independently of the solver.
    const BellmanOperator bellman(chain, criterion, {.threads = 1});
    std::vector<double> backed_up(chain.states());
    EXPECT_LE(bellman.apply(newton.values, backed_up).residual(), 2.0 * newton.error_bound) << spec;
  }
}

TEST(Newton, AgreesWithSweepsOnASlowChain) {
  const Mdp model = slow_walk(50);
  const Chain chain = under_policy(model, Policy(model.states(), 0));
  for (const char* spec : {"mean", "expectile:0.1", "soft-quantile:0.2,2"}) {
    const Criterion criterion{AnyLoss::parse(spec), 0.999};
    const Solution newton = evaluate_by_newton(chain, criterion);
    const Solution swept = evaluate_by_sweeps(chain, criterion);
    ASSERT_EQ(swept.status, Status::converged);
    EXPECT_LT(newton.iterations, swept.iterations / 5);
    for (std::size_t x = 0; x < chain.states(); ++x) {
      EXPECT_NEAR(newton.values[x], swept.values[x], newton.error_bound + swept.error_bound);
    }
  }
}

/// Most outcomes lead back to their state, few to others at random, all with costs up to 10.
Mdp lazy_random_graph(StateIndex states, ActionIndex actions, std::size_t successors) {
  pcg64 bits(1);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1.0p-53; };
  TransitionTable table;
  const double p = 1.0 / static_cast<double>(successors);
  for (StateIndex x = 0; x < states; ++x) {
    for (ActionIndex a = 0; a < actions; ++a) {
      for (std::size_t j = 0; j < successors; ++j) {
        const bool stays = uniform() < 0.8;
        table.add(x, a, stays ? x : static_cast<StateIndex>(bits() % states), Probability(p),
                  10.0 * uniform());
      }
    }
  }
  return Mdp::build(std::move(table));
}

TEST(PolicyIteration, ContinuesWhileTheBoundGrowsButPoliciesImprove) {
  const Mdp model = lazy_random_graph(300, 4, 12);
  int sweeps = 0;
  const Monitor monitor = [&](const Progress&) {
    ++sweeps;
    return Request::proceed;
  };
  const Solution solution =
      policy_iteration(model, {Entropic(0.1), 0.9999}, {.tolerance = 1e-5}, {.monitor = monitor});
  EXPECT_EQ(solution.status, Status::converged) << solution.brief_report();
  EXPECT_LT(sweeps, 10000);  // plain sweeps would need a hundred thousand
}

TEST(ModifiedPolicyIteration, ReportsThePrecisionLimitIfPoliciesAreEqualUpToTies) {
  const Mdp model = lazy_random_graph(20, 3, 4);
  const Solution solution = modified_policy_iteration(
      model, {Expectile(1e-12), 0.99}, {.tolerance = 1e-13, .max_iterations = 10000});
  EXPECT_EQ(solution.status, Status::precision_limit) << solution.brief_report();
  EXPECT_LT(solution.iterations, 1000);
}

/// Rows whose length is not a multiple of a vector's, far from 0, under a loss that
/// overflows there.
TEST(Backup, FindsTheBestActionIfTheLossOverflowsForOthers) {
  TransitionTable table;
  for (int i = 0; i < 8; ++i) table.add(0, 0, 1, Probability(0.125), -1000000.0 - i);
  for (int i = 0; i < 2; ++i) table.add(0, 1, 1, Probability(0.5), -2000000.0 - i);
  const Solution solution =
      value_iteration(Mdp::build(std::move(table)), {TruncatedEntropic(1.0, 700.0), 0.5});
  // Within the bound it is the entropic loss.
  const double exact = -2000000.0 + std::log1p(0.5 * std::expm1(-1.0));
  EXPECT_NEAR(solution.values[0], exact, solution.error_bound);
  EXPECT_EQ(solution.policy[0], 1);
}

/// Risks that differ by units in the last place: the smallest is found, without accumulating the
/// errors of the comparisons.
TEST(Backup, OfManyNearlyEqualActionsIsTheSmallest) {
  TransitionTable table;
  constexpr double unit = std::numeric_limits<double>::epsilon();
  for (ActionIndex a = 0; a < 300; ++a) {
    table.add(0, a, 1, Probability(0.1), 1.0 + a * unit);
    table.add(0, a, 1, Probability(0.9), 1.0 + (a + 2) * unit);
  }
  const Solution solution =
      value_iteration(Mdp::build(std::move(table)), {Expectile(1e-6), 0.1}, {.tolerance = 1e-14});
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_NEAR(solution.values[0], 1.0, solution.error_bound);  // action 0, up to 1e-5 units
}

TEST(Ties, GoToTheSmallerAction) {
  for (const char* spec : {"mean", "expectile:0.7", "entropic:2", "soft-quantile:0.3,2"}) {
    for (const Method method :
         {Method::value_iteration, Method::gauss_seidel, Method::modified_policy_iteration,
          Method::policy_iteration, Method::adaptive}) {
      const Solution solution = solve(with_ties(), {AnyLoss::parse(spec), 0.9}, method);
      EXPECT_THAT(solution.policy, ::testing::ElementsAre(1, 1)) << spec << to_string(method);
      EXPECT_NEAR(solution.values[0], 11.0, 1e-6);
    }
  }
}

TEST(Trace, HasOneRecordPerIterationAndEndsWithTheResult) {
  std::uint64_t calls = 0;
  const Monitor monitor = [&](const Progress& progress) {
    EXPECT_EQ(progress.done, ++calls);
    return Request::proceed;
  };
  const Solution solution =
      value_iteration(slow_walk(10), {Expectile(0.8), 0.9}, {}, {.monitor = monitor});
  ASSERT_EQ(solution.status, Status::converged);
  EXPECT_EQ(static_cast<int>(solution.trace.size()), solution.iterations);
  EXPECT_EQ(static_cast<int>(calls), solution.iterations);
  EXPECT_EQ(solution.trace.back().error_bound, solution.error_bound);
  for (std::size_t k = 1; k < solution.trace.size(); ++k) {
    // The residual of plain sweeps contracts by γ in the sup norm.
    EXPECT_LE(solution.trace[k].residual, 0.9 * solution.trace[k - 1].residual * (1 + 1e-12));
  }
}

TEST(Status, IsNoSuccessBeforeASolverSaysSo) {
  EXPECT_FALSE(is_success(Solution().status));
  EXPECT_EQ(Solution().error_bound, infinity);
  EXPECT_FALSE(is_success(FiniteHorizonSolution().status));
  EXPECT_EQ(FiniteHorizonSolution().error_bound, infinity);
}

TEST(Status, IsIterationLimitIfMoreIterationsAreNeeded) {
  const Solution solution =
      value_iteration(slow_walk(100), {Mean(), 0.999}, {.max_iterations = 10});
  EXPECT_EQ(solution.status, Status::iteration_limit);
  EXPECT_EQ(solution.iterations, 10);
  EXPECT_GT(solution.error_bound, 1e-6);
}

TEST(Status, IsOverflowIfABackupLeavesTheRangeOfDouble) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(0.5), 1e308);
  table.add(0, 0, 0, Probability(0.5), 1.7e308);
  const Mdp model = Mdp::build(std::move(table));
  for (const char* spec : {"mean", "entropic:10", "expectile:0.9"}) {
    for (const Method method :
         {Method::value_iteration, Method::gauss_seidel, Method::modified_policy_iteration,
          Method::policy_iteration, Method::adaptive}) {
      EXPECT_EQ(solve(model, {AnyLoss::parse(spec), 0.99}, method).status, Status::overflow)
          << spec << " " << to_string(method);
    }
  }
}

/// Values are up to 10⁴ times as large as costs here: near the end of the range they are certified
/// as usual, and beyond it the status says so. Nothing is NaN or certified wrongly.
TEST(Status, IsRightForCostsNearTheEndOfTheRange) {
  constexpr double gamma = 0.9999;
  const auto model = [](double scale) {
    TransitionTable table;
    for (StateIndex x = 0; x < 30; ++x) {
      for (const StateIndex a : {0U, 1U}) {
        const auto action = static_cast<ActionIndex>(a);
        table.add(x, action, (7 * x + a) % 30, Probability(0.25),
                  scale * (x % 3 == 0 ? -1.0 : 1.0));
        table.add(x, action, (x + 11 * a + 1) % 30, Probability(0.75),
                  scale * (0.5 + 0.01 * (x % 7)));
      }
    }
    return Mdp::build(std::move(table));
  };
  const double large = 0x1.0p1003;      // 10³⁰²
  const double too_large = 0x1.0p1020;  // 10³⁰⁷
  for (const AnyLoss& loss : {AnyLoss(Mean()), AnyLoss(Expectile(0.9))}) {
    const Solution reference = solve(model(1.0), {loss, gamma}, {.tolerance = 1e-7});
    for (const Method method : {Method::value_iteration, Method::modified_policy_iteration,
                                Method::policy_iteration, Method::adaptive}) {
      const Solution found =
          solve(model(large), {loss, gamma}, method, {.tolerance = 1e-6 * large});
      EXPECT_EQ(found.status, Status::converged) << to_string(method);
      for (std::size_t x = 0; x < 30; ++x) {
        EXPECT_NEAR(found.values[x] / large, reference.values[x],
                    found.error_bound / large + reference.error_bound);
      }
      const Solution overflow =
          solve(model(too_large), {loss, gamma}, method, {.tolerance = 1e-6 * large});
      EXPECT_EQ(overflow.status, Status::overflow) << to_string(method);
      EXPECT_EQ(overflow.error_bound, std::numeric_limits<double>::infinity());
    }
  }
}

TEST(Options, OutOfRangeAreNamed) {
  const Mdp model = slow_walk(3);
  const auto expect = [&](const Criterion& criterion, const SolverOptions& options,
                          const char* part) {
    for (const Method method :
         {Method::value_iteration, Method::gauss_seidel, Method::modified_policy_iteration,
          Method::policy_iteration, Method::adaptive}) {
      EXPECT_THAT([&] { (void)solve(model, criterion, method, options); },
                  ThrowsMessage<InvalidInput>(HasSubstr(part)));
    }
  };
  expect({Mean(), 1.5}, {}, "gamma = 1.5; accepted: a number strictly between 0 and 1");
  expect({Mean(), 0.0}, {}, "gamma = 0");
  expect({Mean(), std::numeric_limits<double>::quiet_NaN()}, {}, "gamma = nan");
  expect({Mean(), 0.5}, {.tolerance = 0.0}, "tolerance = 0");
  expect({Mean(), 0.5}, {.max_iterations = 0}, "max_iterations = 0");
  expect({Mean(), 0.5}, {.start = {1.0}}, "1 starting values for 3 states");
  expect({Mean(), 0.5}, {.start = {1.0, std::numeric_limits<double>::infinity(), 0.0}},
         "the starting values contain inf; accepted: finite numbers");
}

TEST(FiniteHorizon, CountsStagesAndTakesTerminalValues) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(1.0), 1.0);
  const Mdp model = Mdp::build(std::move(table));
  const auto solution =
      solve_finite_horizon(model, {Expectile(0.9), 1.0}, {.stages = 3, .terminal_values = {10.0}});
  ASSERT_EQ(solution.values.size(), 4u);
  EXPECT_DOUBLE_EQ(solution.values[0][0], 10.0);
  EXPECT_DOUBLE_EQ(solution.values[3][0], 13.0);
  EXPECT_EQ(solution.policies.size(), 3u);
  const auto last =
      solve_finite_horizon(model, {Expectile(0.9), 1.0},
                           {.stages = 3, .terminal_values = {10.0}, .keep = KeepStages::last});
  EXPECT_THAT(last.values, ::testing::ElementsAre(solution.values[3]));
  EXPECT_EQ(last.policies.size(), 1u);
  EXPECT_THAT(
      [&] {
        (void)solve_finite_horizon(model, {Mean(), 1.1}, {.stages = 1});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("gamma = 1.1")));
  EXPECT_THAT(
      [&] {
        (void)solve_finite_horizon(model, {Mean(), 1.0}, {.stages = 0});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("0 stages")));
}

TEST(FiniteHorizon, RejectsStagesThatDoNotFitInMemory) {
  const Mdp model = slow_walk(100);
  FiniteHorizonOptions options{.stages = 2'000'000'000};  // with values and actions, 2.8 TB
  EXPECT_THAT(
      [&] {
        (void)solve_finite_horizon(model, {Mean(), 0.9}, options);
      },
      ThrowsMessage<InvalidInput>(HasSubstr("2000000000 stages of 100 states needs")));
  options.stages = 10;
  EXPECT_EQ(solve_finite_horizon(model, {Mean(), 0.9}, options).values.size(), 11u);
}

TEST(Solution, ClaimsNothingUntilItIsCertified) {
  EXPECT_EQ(Solution().error_bound, infinity);
  EXPECT_EQ(FiniteHorizonSolution().error_bound, infinity);
}

TEST(BellmanOperator, RequiresOneElementPerState) {
  const Mdp model = slow_walk(3);
  const BellmanOperator bellman(model, {Mean(), 0.9}, {.threads = 1});
  std::vector<double> three(3);
  std::vector<double> other(3);
  std::vector<std::size_t> rows = {0, 1, 2};
  EXPECT_NO_THROW((void)bellman.apply(three, other, rows));
  const auto too_few = ThrowsMessage<InvalidInput>(HasSubstr("2 elements for 3 states"));
  for (std::vector<double>* const shorter : {&three, &other}) {
    shorter->resize(2);
    EXPECT_THAT([&] { (void)bellman.apply(three, other); }, too_few);
    EXPECT_THAT([&] { (void)bellman.apply(three, other, rows); }, too_few);
    EXPECT_THAT([&] { (void)bellman.apply_policy(three, other, rows); }, too_few);
    shorter->resize(3);
  }
  rows.resize(2);
  EXPECT_THAT([&] { (void)bellman.apply(three, other, rows); }, too_few);
  EXPECT_THAT([&] { (void)bellman.apply_policy(three, other, rows); }, too_few);
  three.resize(2);
  EXPECT_THAT([&] { (void)bellman.apply_in_place(three); }, too_few);
}

}  // namespace
}  // namespace shortfall
