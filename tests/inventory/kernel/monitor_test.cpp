#include "shortfall/monitor/monitor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "tests/inventory/kernel/losses_for_tests.hpp"
#include "tests/inventory/model/models_for_tests.hpp"
#include "tests/inventory/train/training_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using namespace shortfall::testing;

using Solver = std::function<Solution(const SolverOptions&, const Execution&)>;

struct Reports {
  std::size_t all = 0;
  std::size_t certified = 0;  ///< stopped with a finite bound
};

/// Stops a solver at each of its reports in turn: between passes and within them. `exact` are the
/// values it converges to.
Reports expect_true_bounds_wherever_stopped(const std::string& name, const Model& model,
                                            const Solution& exact, const Solver& solver) {
  Reports reports;
  (void)solver({.tolerance = 1e-8}, {.threads = 1, .monitor = [&](const Progress&) {
                                       ++reports.all;
                                       return Request::proceed;
                                     }});
  const std::size_t stride = 1 + reports.all / 40;
  for (std::size_t limit = 1; limit <= reports.all; limit += stride) {
    std::size_t calls = 0;
    const Solution found =
        solver({.tolerance = 1e-8}, {.threads = 1, .monitor = [&](const Progress&) {
                                       return ++calls < limit ? Request::proceed : Request::stop;
                                     }});
    EXPECT_EQ(calls, limit) << name;
    if (limit < reports.all) {
      EXPECT_EQ(found.status, Status::stopped) << name;
    }
    EXPECT_EQ(found.values.size(), model.states());
    if (!found.policy.empty()) model.check_orders(found.policy);
    if (!std::isfinite(found.error_bound)) {
      EXPECT_TRUE(found.policy.empty()) << name;
      continue;
    }
    ++reports.certified;
    for (std::size_t x = 0; x < found.values.size(); ++x) {
      if (std::abs(found.values[x] - exact.values[x]) <= found.error_bound + exact.error_bound) {
        continue;
      }
      ADD_FAILURE() << name << ", stopped at report " << limit << " of " << reports.all
                    << ", state " << x << ": " << found.values[x] << " within " << found.error_bound
                    << ", exact " << exact.values[x];
      break;
    }
  }
  return reports;
}

void expect_true_bounds(const Model& model, const Criterion& criterion) {
  const std::string loss = criterion.loss.to_string();
  const SolverOptions accurate{.tolerance = 1e-9};
  const Solution optimum = solve(model, criterion, accurate);
  const Policy orders = myopic_policy(model, criterion);
  const Solution myopic = evaluate(model, criterion, orders, accurate);
  const auto check = [&](const std::string& name, const Solution& exact, const Solver& solver) {
    const Reports reports =
        expect_true_bounds_wherever_stopped(loss + ", " + name, model, exact, solver);
    EXPECT_GT(reports.certified, 0);
    EXPECT_GT(reports.all, reports.certified) << "within the first pass nothing is certified";
  };
  check("solve", optimum,
        [&](const SolverOptions& o, const Execution& e) { return solve(model, criterion, o, e); });
  check("evaluate", myopic, [&](const SolverOptions& o, const Execution& e) {
    return evaluate(model, criterion, orders, o, e);
  });
  check("solve as published", optimum, [&](const SolverOptions& o, const Execution& e) {
    return solve_as_published(model, criterion, o, e);
  });
  check("evaluate as published", myopic, [&](const SolverOptions& o, const Execution& e) {
    return evaluate_as_published(model, criterion, orders, o, e);
  });
}

TEST(StoppedSolver, HasATrueBound) {
  expect_true_bounds(paper_model(3, paper_costs, 8), {Expectile(0.9), 0.6});
  expect_true_bounds(paper_model(3, paper_costs, 5),
                     {AnyLoss::parse("soft-quantile:0.8,0.1"), 0.6});
  expect_true_bounds(week_of(Arrival::fresh(3), 4), {Expectile(0.3), 0.7});
}

/// Stock that oscillates, for which an evaluation averages its last two passes.
TEST(StoppedSolver, HasATrueBoundIfPassesOscillate) {
  std::vector<double> certain(7, 0.0);
  certain[3] = 1.0;
  const Model model = model_of(Arrival::fresh(3), 6, {certain});
  const Criterion criterion{Expectile(0.7), 0.95};
  const Policy orders = reorder_policy(model, {.reorder_at = 0, .order_up_to = 6});
  const Solution exact = evaluate(model, criterion, orders, {.tolerance = 1e-9});
  const Reports reports = expect_true_bounds_wherever_stopped(
      "oscillating", model, exact, [&](const SolverOptions& o, const Execution& e) {
        return evaluate(model, criterion, orders, o, e);
      });
  EXPECT_GT(reports.certified, 10);
}

TEST(StoppedSolver, HasATrueBoundOnSeveralThreads) {
  const Model model = paper_model(3, paper_costs, 12);
  const Criterion criterion{Expectile(0.9), 0.6};
  const Solution exact = solve(model, criterion, {.tolerance = 1e-9});
  for (std::size_t limit = 1; limit < 60; limit += 3) {
    std::size_t calls = 0;  // calls do not overlap
    const Solution found =
        solve(model, criterion, {.tolerance = 1e-8}, {.monitor = [&](const Progress&) {
                return ++calls < limit ? Request::proceed : Request::stop;
              }});
    EXPECT_LE(calls, limit);
    for (std::size_t x = 0; x < found.values.size(); ++x) {
      ASSERT_LE(std::abs(found.values[x] - exact.values[x]), found.error_bound + exact.error_bound);
    }
  }
}

TEST(MyopicPolicy, IsEmptyIfStopped) {
  const Model model = paper_model(3);
  const Policy stopped =
      myopic_policy(model, expectile(0.7), {.monitor = [](const Progress& progress) {
                      EXPECT_EQ(progress.activity, "computing myopic orders");
                      return Request::stop;
                    }});
  EXPECT_TRUE(stopped.empty());
}

}  // namespace
}  // namespace shortfall::inventory
