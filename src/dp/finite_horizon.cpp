#include "shortfall/dp/finite_horizon.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "errors/require.hpp"
#include "numbers/roundoff.hpp"
#include "parallel/watch.hpp"
#include "shortfall/dp/bellman.hpp"
#include "shortfall/memory/memory.hpp"

namespace shortfall {
namespace {

/// Values and decisions are each a list of lists, one per stage. With few states, the overhead of
/// the allocator and of lists that move when they grow is significant.
void check_memory_of_stages(const FiniteHorizonOptions& options, std::size_t states) {
  if (options.keep == KeepStages::last) return;
  constexpr double allocation = 16.0;
  constexpr double growth = 3.0;
  constexpr double list = growth * sizeof(Policy) + allocation;
  const double stage =
      2.0 * list + static_cast<double>(states) * (sizeof(double) + sizeof(ActionIndex));
  check_memory(static_cast<double>(options.stages) * stage,
               fmt::format("keeping {} stages of {} states", options.stages, states),
               "fewer stages, or only the last one");
}

void check(const Criterion& criterion, const FiniteHorizonOptions& options, std::size_t states) {
  require(criterion.gamma > 0.0 && criterion.gamma <= 1.0,
          "gamma = {}; accepted with a finite horizon: a number in (0, 1]", criterion.gamma);
  require(options.stages >= 1, "{} stages; accepted: at least 1", options.stages);
  require(options.terminal_values.empty() || options.terminal_values.size() == states,
          "{} terminal values for {} states; accepted: one for each, or none",
          options.terminal_values.size(), states);
  check_memory_of_stages(options, states);
}

/// Appends to the stages kept, or replaces them.
template <class T>
void keep(std::vector<T>& stages, T latest, KeepStages which) {
  if (which == KeepStages::last) stages.clear();
  stages.push_back(std::move(latest));
}

/// Runs the stages of `sweep(values, backed_up)`, starting from the terminal values.
template <class Sweep>
FiniteHorizonSolution backward(const BellmanOperator& bellman, const FiniteHorizonOptions& options,
                               const Monitor& monitor, Sweep&& sweep) {
  detail::Watch watch(monitor,
                      {.activity = "stages", .total = static_cast<std::uint64_t>(options.stages)},
                      bellman.partition().communicator());
  FiniteHorizonSolution solution;
  solution.status = Status::converged;
  solution.error_bound = 0.0;  // of the terminal values
  solution.values.push_back(options.terminal_values);
  solution.values.back().resize(bellman.states(), 0.0);
  for (int stage = 0; stage < options.stages && solution.status == Status::converged; ++stage) {
    std::vector<double> backed_up(bellman.states());
    const SweepSummary summary = sweep(solution.values.back(), backed_up);
    if (!summary.finite) solution.status = Status::overflow;
    solution.error_bound =
        detail::rounded_up(bellman.gamma() * solution.error_bound + bellman.rounding(summary), 4.0);
    keep(solution.values, std::move(backed_up), options.keep);
    watch.set_done(static_cast<std::uint64_t>(stage) + 1, solution.error_bound);
    const bool is_last = stage + 1 == options.stages || solution.status == Status::overflow;
    if (watch.is_stopped() && !is_last) solution.status = Status::stopped;
  }
  return solution;
}

}  // namespace

FiniteHorizonSolution solve_finite_horizon(const Mdp& model, const Criterion& criterion,
                                           const FiniteHorizonOptions& options,
                                           const Execution& execution) {
  check(criterion, options, model.states());
  const BellmanOperator bellman(model, criterion, execution);
  std::vector<std::size_t> rows(model.states());
  std::vector<Policy> policies;
  FiniteHorizonSolution solution =
      backward(bellman, options, execution.monitor,
               [&](const std::vector<double>& values, std::vector<double>& backed_up) {
                 const SweepSummary summary = bellman.apply(values, backed_up, rows);
                 keep(policies, policy_of_rows(model, rows), options.keep);
                 return summary;
               });
  solution.policies = std::move(policies);
  return solution;
}

FiniteHorizonSolution evaluate_finite_horizon(const Chain& chain, const Criterion& criterion,
                                              const FiniteHorizonOptions& options,
                                              const Execution& execution) {
  check(criterion, options, chain.states());
  const BellmanOperator bellman(chain, criterion, execution);
  return backward(bellman, options, execution.monitor,
                  [&](const std::vector<double>& values, std::vector<double>& backed_up) {
                    return bellman.apply(values, backed_up);
                  });
}

}  // namespace shortfall
