// The stopping rule of the published tables, separate from the certified solvers.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dp/iteration.hpp"
#include "inventory/kernel/memory.hpp"
#include "inventory/kernel/stock_bellman.hpp"
#include "numbers/roundoff.hpp"
#include "shortfall/inventory/kernel/solve.hpp"

namespace shortfall::inventory {
namespace {

using shortfall::detail::ranks_of;
using shortfall::detail::Watch;

/// Which of the last two iterates is reported.
enum class Report { before_the_last_sweep, after_it };

/// Synchronous sweeps from V = 0: every day uses the old values of the following day. With
/// l ≤ TV - V ≤ u the fixed point is in V + [l, u] / (1-γ), and in TV + γ [l, u] / (1-γ). A bound
/// for V therefore holds for TV, which is what a stop in the next sweep leaves.
template <class SweepDay>
Solution sweep_from_zero(StockBellman& bellman, Policy orders, const SolverOptions& options,
                         Report report, SweepDay&& sweep_day) {
  const std::size_t stocks = bellman.model().stocks().size();
  const std::size_t days = bellman.model().days();
  const double gamma = bellman.gamma();
  Solution solution;
  solution.policy = orders;
  std::vector<double> values(bellman.model().states(), 0.0);
  std::vector<double> swept(values.size());
  for (;;) {
    BackupSummary summary;
    for (std::size_t day = 0; day < days; ++day) {
      const std::size_t next_day = (day + 1) % days;
      summary.merge(sweep_day(
          StockBellman::Sweep{.day = day,
                              .next_values = std::span(values).subspan(next_day * stocks, stocks),
                              .values = std::span(values).subspan(day * stocks, stocks),
                              .backed_up = std::span(swept).subspan(day * stocks, stocks),
                              .orders = std::span(orders).subspan(day * stocks, stocks),
                              .goal = exact_roots}));
    }
    if (bellman.is_stopped()) {
      solution.status = Status::stopped;
      solution.values = std::move(values);
      if (!std::isfinite(solution.error_bound)) solution.policy.clear();
      return solution;
    }
    solution.policy = orders;
    const double residual =
        std::max(std::abs(summary.lowest_change), std::abs(summary.highest_change));
    // Costs are not negative, so values increase from sweep to sweep. Rounding may decrease them by
    // up to 2r/(1-γ), and make earlier lower bounds of other orders too high.
    const double highest = bellman.range_of(swept).highest;
    const double rounding = bellman.rounding(0.0, highest);
    const double error = summary.root_error + rounding * (1.0 + 2.0 * gamma / (1.0 - gamma));
    const double reach = report == Report::after_it ? gamma : 1.0;
    const bool stop = shortfall::detail::record_iteration(
        {.residual = residual,
         .error_bound =
             shortfall::detail::rounded_up(reach * residual + error, 16.0) / (1.0 - gamma),
         .largest_value = highest,
         .finite = summary.finite,
         .reached_goal = residual < options.tolerance.goal(),
         .at_precision = residual <= error},
        options, bellman.watch(), solution, Status::small_change);
    if (stop) {
      solution.values = report == Report::after_it ? std::move(swept) : std::move(values);
      return solution;
    }
    values.swap(swept);
  }
}

}  // namespace

Solution solve_as_published(const Model& model, const Criterion& criterion,
                            const SolverOptions& options, const Execution& execution) {
  shortfall::detail::check(criterion, options, model.states());
  check_memory(model, ranks_of(execution));
  Watch watch(execution, {.activity = "solving"});
  StockBellman bellman(model, criterion, execution.threads, watch);
  const std::size_t bounds_per_day = bellman.own_stocks() * bellman.orders_per_state();
  // Costs are not negative, so values only increase, and a lower bound remains valid.
  std::vector<float> lower_bounds(model.days() * bounds_per_day,
                                  -std::numeric_limits<float>::infinity());
  return sweep_from_zero(
      bellman, Policy(model.states(), 0), options, Report::before_the_last_sweep,
      [&](const StockBellman::Sweep& sweep) {
        const auto bounds =
            std::span(lower_bounds).subspan(sweep.day * bounds_per_day, bounds_per_day);
        return bellman.improve(sweep, {bounds, bellman.orders_per_state()});
      });
}

Solution evaluate_as_published(const Model& model, const Criterion& criterion, const Policy& orders,
                               const SolverOptions& options, const Execution& execution) {
  shortfall::detail::check(criterion, options, model.states());
  model.check_orders(orders);
  check_memory(model, ranks_of(execution));
  Watch watch(execution, {.activity = "evaluating"});
  StockBellman bellman(model, criterion, execution.threads, watch);
  Solution solution = sweep_from_zero(
      bellman, orders, options, Report::after_it,
      [&](const StockBellman::Sweep& sweep) { return bellman.apply_orders(sweep); });
  solution.policy.clear();
  return solution;
}

}  // namespace shortfall::inventory
