// The stopping rule of the published tables, separate from the certified solvers.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dp/iteration.hpp"
#include "inventory/memory.hpp"
#include "inventory/stock_bellman.hpp"
#include "roundoff.hpp"
#include "shortfall/inventory/solve.hpp"

namespace shortfall::inventory {
namespace {

/// Which of the last two iterates is reported.
enum class Report { before_the_last_sweep, after_it };

/// Synchronous sweeps from V = 0: every day uses the old values of the following day. With
/// l ≤ TV - V ≤ u the fixed point is in V + [l, u] / (1-γ), and in TV + γ [l, u] / (1-γ).
template <class SweepDay>
Solution sweep_from_zero(StockBellman& bellman, const SolverOptions& options, Report report,
                         SweepDay&& sweep_day) {
  const std::size_t stocks = bellman.model().stocks().size();
  const std::size_t days = bellman.model().days();
  const double gamma = bellman.gamma();
  Solution solution;
  std::vector<double> values(bellman.model().states(), 0.0);
  std::vector<double> swept(values.size());
  for (;;) {
    BackupSummary summary;
    for (std::size_t day = 0; day < days; ++day) {
      const std::size_t next_day = (day + 1) % days;
      summary.merge(sweep_day(day, std::span(values).subspan(next_day * stocks, stocks),
                              std::span(values).subspan(day * stocks, stocks),
                              std::span(swept).subspan(day * stocks, stocks)));
    }
    const double residual =
        std::max(std::abs(summary.lowest_change), std::abs(summary.highest_change));
    // Costs are not negative, so values increase from sweep to sweep. Rounding may decrease them by
    // up to 2r/(1-γ), and make earlier lower bounds of other orders too high.
    const double highest = *std::max_element(swept.begin(), swept.end());
    const double rounding = bellman.rounding(0.0, highest);
    const double error = summary.root_error + rounding * (1.0 + 2.0 * gamma / (1.0 - gamma));
    const double reach = report == Report::after_it ? gamma : 1.0;
    const bool stop = shortfall::detail::record_iteration(
        {.residual = residual,
         .error_bound =
             shortfall::detail::rounded_up(reach * residual + error, 16.0) / (1.0 - gamma),
         .finite = summary.finite,
         .reached_goal = residual < options.tolerance,
         .at_precision = residual <= error},
        options, solution, Status::small_change);
    if (stop) {
      solution.values = report == Report::after_it ? std::move(swept) : std::move(values);
      return solution;
    }
    values.swap(swept);
  }
}

}  // namespace

Solution solve_as_published(const Model& model, const Criterion& criterion,
                            const SolverOptions& options) {
  shortfall::detail::check(criterion, options, model.states());
  check_memory(model);
  StockBellman bellman(model, criterion, options);
  const std::size_t stocks = model.stocks().size();
  const std::size_t orders_per_state = bellman.orders_per_state();
  Policy orders(model.states(), 0);
  // Costs are not negative, so values only increase, and a lower bound remains valid.
  std::vector<float> lower_bounds(model.states() * orders_per_state,
                                  -std::numeric_limits<float>::infinity());
  Solution solution = sweep_from_zero(
      bellman, options, Report::before_the_last_sweep,
      [&](std::size_t day, auto next_values, auto values, auto backed_up) {
        return bellman.improve(
            {day, next_values, values, backed_up, std::span(orders).subspan(day * stocks, stocks),
             exact_roots},
            {std::span(lower_bounds)
                 .subspan(day * stocks * orders_per_state, stocks * orders_per_state),
             0.0,
             {}});
      });
  solution.policy = std::move(orders);
  return solution;
}

Solution evaluate_as_published(const Model& model, const Criterion& criterion, const Policy& orders,
                               const SolverOptions& options) {
  shortfall::detail::check(criterion, options, model.states());
  model.check_orders(orders);
  check_memory(model);
  StockBellman bellman(model, criterion, options);
  const std::size_t stocks = model.stocks().size();
  Policy given = orders;
  return sweep_from_zero(
      bellman, options, Report::after_it,
      [&](std::size_t day, auto next_values, auto values, auto backed_up) {
        return bellman.apply_orders({day, next_values, values, backed_up,
                                     std::span(given).subspan(day * stocks, stocks), exact_roots});
      });
}

}  // namespace shortfall::inventory
