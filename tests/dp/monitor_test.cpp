#include "shortfall/monitor/monitor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/library.hpp"

namespace shortfall {
namespace {

TEST(Progress, SaysWhatIsKnown) {
  EXPECT_EQ((Progress{.activity = "solving"}).to_string(), "solving");
  EXPECT_EQ((Progress{.activity = "solving", .done = 1, .error_bound = 0.25}).to_string(),
            "solving: 1 iteration, within 0.25");
  EXPECT_EQ((Progress{.activity = "solving", .done = 3, .fraction = 0.4}).to_string(),
            "solving: 3 iterations, 40 % of a sweep");
  EXPECT_EQ((Progress{.activity = "simulating", .done = 30, .total = 100}).to_string(),
            "simulating: 30 of 100");
}

TEST(Monitor, CanBeGivenAPrefix) {
  std::string seen;
  const Monitor prefixed = with_prefix(
      [&](const Progress& progress) {
        seen = progress.to_string();
        return Request::stop;
      },
      "tau=0.3");  // copies the monitor, which is gone by now
  EXPECT_EQ(prefixed({.activity = "solving"}), Request::stop);
  EXPECT_EQ(seen, "tau=0.3: solving");
  EXPECT_FALSE(with_prefix({}, "nobody listens"));
}

class Enough : public std::exception {};

Mdp model() {
  pcg64 generator(7);
  return library::random_mdp({.states = 60, .actions = 4, .features = 1}, generator).model;
}

const Criterion criterion{AnyLoss(Expectile(0.9)), 0.9};

using Solver = std::function<Solution(const SolverOptions&, const Execution&)>;

/// Stops a solver at each of its reports in turn.
void expect_true_bounds_wherever_stopped(const std::string& name, const Solver& solver) {
  const Solution exact = solver({.tolerance = 1e-9}, {});
  ASSERT_EQ(exact.status, Status::converged) << name;
  bool stopped = true;
  double last_bound = infinity;
  for (int limit = 1; stopped && limit < 100; ++limit) {
    int calls = 0;
    const Solution found = solver({.tolerance = 1e-9}, {.monitor = [&](const Progress&) {
                                    return ++calls < limit ? Request::proceed : Request::stop;
                                  }});
    stopped = found.status == Status::stopped;
    EXPECT_LE(calls, limit) << name << ": calls after a request to stop";
    EXPECT_EQ(found.error_bound, found.trace.back().error_bound);
    for (std::size_t x = 0; x < found.values.size(); ++x) {
      ASSERT_LE(std::abs(found.values[x] - exact.values[x]), found.error_bound + exact.error_bound)
          << name << ", stopped at report " << limit << ", state " << x;
    }
    last_bound = found.error_bound;
  }
  EXPECT_LT(last_bound, 0.1) << name;
  EXPECT_THROW((void)solver({}, {.monitor = [](const Progress&) -> Request { throw Enough(); }}),
               Enough)
      << name;
}

TEST(Solvers, HaveATrueBoundWhereverTheyAreStopped) {
  const Mdp mdp = model();
  for (const Method method :
       {Method::adaptive, Method::policy_iteration, Method::modified_policy_iteration,
        Method::value_iteration, Method::gauss_seidel}) {
    expect_true_bounds_wherever_stopped(
        std::string(to_string(method)),
        [&](const SolverOptions& options, const Execution& execution) {
          return solve(mdp, criterion, method, options, execution);
        });
  }
}

TEST(Evaluators, HaveATrueBoundWhereverTheyAreStopped) {
  const Mdp mdp = model();
  const Chain chain = under_policy(mdp, Policy(mdp.states(), 0));
  for (const auto& [name, evaluate] :
       {std::pair{"newton", &evaluate_by_newton}, {"sweeps", &evaluate_by_sweeps}}) {
    expect_true_bounds_wherever_stopped(
        name, [&, evaluate = evaluate](const SolverOptions& options, const Execution& execution) {
          return evaluate(chain, criterion, options, execution);
        });
  }
}

TEST(PolicyIteration, CanBeStoppedWithinAnIteration) {
  int reports = 0;
  std::uint64_t iterations = 0;
  (void)policy_iteration(model(), criterion, {}, {.monitor = [&](const Progress& progress) {
                           ++reports;
                           iterations = progress.done;
                           return Request::proceed;
                         }});
  EXPECT_GT(reports, static_cast<int>(iterations));
}

TEST(FiniteHorizon, HasTheStagesThatWereDoneWhenStopped) {
  const Mdp mdp = model();
  const FiniteHorizonSolution whole = solve_finite_horizon(mdp, criterion, {.stages = 5});
  for (const std::uint64_t last : {1U, 3U, 5U}) {
    const FiniteHorizonSolution part = solve_finite_horizon(
        mdp, criterion, {.stages = 5}, {.monitor = [&](const Progress& progress) {
          EXPECT_EQ(progress.total, 5);
          return progress.done < last ? Request::proceed : Request::stop;
        }});
    EXPECT_EQ(part.status, last < 5 ? Status::stopped : Status::converged);
    ASSERT_EQ(part.values.size(), last + 1);
    ASSERT_EQ(part.policies.size(), last);
    EXPECT_EQ(part.values.back(), whole.values[last]);
    EXPECT_EQ(part.policies.back(), whole.policies[last - 1]);
  }
}

}  // namespace
}  // namespace shortfall
