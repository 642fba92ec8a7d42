#include "shortfall/inventory/kernel/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dp/iteration.hpp"
#include "inventory/kernel/coarse_passes.hpp"
#include "inventory/kernel/cycle.hpp"
#include "inventory/kernel/memory.hpp"
#include "inventory/kernel/stock_bellman.hpp"

namespace shortfall::inventory {
namespace {

using shortfall::detail::ranks_of;
using shortfall::detail::Watch;

/// Whether a pass computed roots to full accuracy, or took one step towards them.
enum class Roots { exact, one_step };

/// Whether only rounding is left, in sums or in roots. Losses without bounded slopes have no bound
/// on rounding: they continue until the rest is small enough.
bool is_at_precision(const CycleBound& bound, Roots roots, double tolerance) {
  if (!std::isfinite(bound.rounding)) return bound.change + bound.roots <= tolerance;
  return bound.error <= 2.0 * bound.rounding ||
         (roots == Roots::exact && bound.change <= 0.1 * tolerance);
}

/// Records a pass; true once there is a reason to stop.
bool finished(Solution& solution, const CycleBound& bound, Roots roots,
              const SolverOptions& options, Watch& watch) {
  return shortfall::detail::record_iteration(
      {.residual = bound.residual,
       .error_bound = bound.error,
       .largest_value = bound.largest_value,
       .finite = bound.finite,
       .reached_goal = bound.error <= options.tolerance.goal(),
       .at_precision = is_at_precision(bound, roots, options.tolerance.goal())},
      options, watch, solution);
}

/// The number of evaluations per root. One Newton step is enough as long as passes make progress
/// with it; to certify, or after several passes without progress, roots are computed accurately.
class RootSchedule {
 public:
  RootSchedule(double tolerance, double gamma)
      : accuracy_(0.05 * (1.0 - gamma) * tolerance), nearly_done_(1.5 * tolerance) {}

  RootGoal goal() const { return {accuracy_, one_step_ ? 1 : 100}; }
  Roots roots() const { return one_step_ ? Roots::one_step : Roots::exact; }

  void update(const CycleBound& bound) {
    if (one_step_ && bound.change > 0.95 * last_change_) ++failures_;
    one_step_ = failures_ < 3 && bound.change > nearly_done_;
    last_change_ = bound.change;
  }

 private:
  double accuracy_;
  double nearly_done_;
  bool one_step_ = true;
  int failures_ = 0;
  double last_change_ = std::numeric_limits<double>::infinity();
};

/// The result if the last pass was stopped: that of the pass before, or what it began with.
Solution stopped(Solution solution, const Cycle& cycle) {
  solution.status = Status::stopped;
  if (solution.values.empty()) solution.values = cycle.values();
  if (!std::isfinite(solution.error_bound)) solution.policy.clear();
  return solution;
}

/// Passes of the current orders until they are evaluated to the tolerance, with coarse passes in
/// between for as long as these help.
Solution evaluate_orders(Cycle& cycle, double gamma, const SolverOptions& options, Watch& watch) {
  Solution solution;
  RootSchedule schedule(options.tolerance.goal(), gamma);
  double last_change = std::numeric_limits<double>::infinity();
  bool coarse = coarse_passes_pay(cycle, Task::evaluate);
  for (;;) {
    if (coarse) {
      cycle.sweep_orders_and_correct(schedule.goal());
    } else {
      cycle.sweep_orders(schedule.goal());
    }
    if (cycle.is_stopped()) return stopped(std::move(solution), cycle);
    const CycleBound bound = cycle.bound();
    const bool stop = finished(solution, bound, schedule.roots(), options, watch);
    cycle.advance(bound);
    coarse = coarse && !is_slow(bound.change, last_change);
    const bool oscillates = bound.change > 0.95 * last_change;
    if (stop || oscillates || coarse) {
      solution.values = cycle.values();
    } else {
      solution.values.clear();  // those of the cycle are certified
    }
    if (stop) return solution;
    if (coarse) {
      settle_coarsely(cycle, settled_part * bound.change);
    } else if (oscillates) {
      cycle.average_with_last(bound);
    }
    schedule.update(bound);
    last_change = bound.change;
  }
}

/// Policy iteration over the likely orders, until they allow no more improvement: a pass over all
/// orders costs many times as much, and should find little to improve.
void improve_likely_orders(Cycle& cycle, double gamma, double last_error, double tolerance) {
  constexpr int max_rounds = 20;
  for (int round = 0; round < max_rounds; ++round) {
    const double rough = std::isfinite(last_error) ? 0.01 * last_error : 0.0;
    const SolverOptions inner{.tolerance = std::max(0.3 * tolerance, rough),
                              .max_iterations = 10000};
    Watch unwatched;
    (void)evaluate_orders(cycle, gamma, inner, unwatched);
    if (!cycle.is_stopped()) cycle.improve(Cycle::Choice::likely);
    if (cycle.is_stopped()) return;
    const CycleBound bound = cycle.bound();
    cycle.advance(bound);
    if (!bound.finite || bound.error <= 0.5 * tolerance) return;
    if (is_at_precision(bound, Roots::exact, tolerance)) return;
    last_error = bound.error;
  }
}

/// First orders and values, from the non-perishable ones: a pass over all orders should begin with
/// values that are not far from the optimum.
void begin_exactly(Cycle& cycle, const Criterion& criterion, double tolerance) {
  const double rough = 1e-3 * cycle.highest_cost();
  Watch unwatched;
  (void)evaluate_orders(cycle, criterion.gamma,
                        {.tolerance = std::max(rough, tolerance), .max_iterations = 100},
                        unwatched);
}

/// Where the values that a solver starts with come from.
enum class Start { non_perishable, given };

/// The same by coarse deliveries. Given values are better than what these would make of them.
void begin_coarsely(Cycle& cycle, Start start, double tolerance) {
  const double accuracy = coarse_accuracy * cycle.highest_cost();
  if (start == Start::given) {
    cycle.improve_coarsely();
  } else {
    settle_coarsely(cycle, 20.0 * accuracy);
    if (!cycle.is_stopped()) choose_orders_coarsely(cycle, 2.0 * accuracy);
  }
  if (cycle.is_stopped()) return;
  cycle.keep_likely_orders(20.0 * accuracy);
  improve_likely_orders_coarsely(cycle, tolerance);
}

}  // namespace

Solution evaluate(const Model& model, const Criterion& criterion, const Policy& orders,
                  const SolverOptions& options, const Execution& execution) {
  shortfall::detail::check(criterion, options, model.states());
  model.check_orders(orders);
  check_memory(model, ranks_of(execution));
  std::vector<double> start = options.start;
  if (start.empty()) start = static_values(model, solve_non_perishable(model, criterion));
  Watch watch(execution, {.activity = "evaluating"});
  StockBellman bellman(model, criterion, execution.threads, watch);
  Cycle cycle(bellman, std::move(start), orders);
  if (options.start.empty() && coarse_passes_pay(cycle, Task::evaluate)) {
    settle_coarsely(cycle,
                    std::max(coarse_accuracy * cycle.highest_cost(), options.tolerance.goal()));
  }
  return evaluate_orders(cycle, criterion.gamma, options, watch);
}

Solution solve(const Model& model, const Criterion& criterion, const SolverOptions& options,
               const Execution& execution) {
  shortfall::detail::check(criterion, options, model.states());
  check_memory(model, ranks_of(execution));
  return solve_from(solve_non_perishable(model, criterion), model, criterion, options, execution);
}

Solution solve_from(const NonPerishable& non_perishable, const Model& model,
                    const Criterion& criterion, const SolverOptions& options,
                    const Execution& execution) {
  shortfall::detail::check(criterion, options, model.states());
  check_memory(model, ranks_of(execution));
  Watch watch(execution, {.activity = "solving"});
  StockBellman bellman(model, criterion, execution.threads, watch);
  const bool warm = !options.start.empty();
  Cycle cycle(bellman, warm ? options.start : static_values(model, non_perishable),
              static_policy(model, non_perishable));
  const double tolerance = options.tolerance.goal();
  bool coarse = coarse_passes_pay(cycle, Task::improve);
  if (coarse) {
    begin_coarsely(cycle, warm ? Start::given : Start::non_perishable, tolerance);
  } else if (!warm) {
    begin_exactly(cycle, criterion, tolerance);
  }
  double last_change = std::numeric_limits<double>::infinity();
  Solution solution;
  solution.policy = cycle.orders();
  for (;;) {
    if (!cycle.is_stopped()) cycle.improve(Cycle::Choice::all);
    if (cycle.is_stopped()) return stopped(std::move(solution), cycle);
    const CycleBound bound = cycle.bound();
    const bool stop = finished(solution, bound, Roots::exact, options, watch);
    cycle.advance(bound);
    solution.values = cycle.values();
    solution.policy = cycle.orders();
    if (stop) return solution;
    coarse = coarse && !is_slow(bound.change, last_change);
    last_change = bound.change;
    if (coarse) {
      cycle.limit_likely_margin(2.0 * bound.error);
      settle_coarsely(cycle, settled_part * bound.change);
      if (!cycle.is_stopped()) improve_likely_orders_coarsely(cycle, tolerance);
    } else {
      improve_likely_orders(cycle, criterion.gamma, bound.error, tolerance);
    }
  }
}

}  // namespace shortfall::inventory
