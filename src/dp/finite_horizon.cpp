#include "shortfall/dp/finite_horizon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
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

/// With the discount outside the risk, a second model is kept, with its costs in another unit.
void check_memory_of_copy(const Outcomes& outcomes) {
  constexpr double outcome = 2.0 * sizeof(double) + sizeof(StateIndex);
  constexpr double row = 2.0 * sizeof(std::size_t) + sizeof(double) + sizeof(ActionIndex) + 1.0;
  check_memory(
      static_cast<double>(outcomes.size()) * outcome + static_cast<double>(outcomes.rows()) * row,
      fmt::format("a second model of {} outcomes", outcomes.size()),
      "a smaller model, or the discount inside the risk");
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

/// The operator of a stage. With the discount outside it is γ times the undiscounted one of costs
/// c/γ.
template <class Model>
class StageOperator {
 public:
  StageOperator(const Model& model, const Criterion& criterion, Discount discount,
                const Execution& execution)
      : gamma_(criterion.gamma),
        is_outside_(discount == Discount::outside && criterion.gamma < 1.0),
        divided_(is_outside_ ? std::optional(divided_by(gamma_, model)) : std::nullopt),
        bellman_(divided_ ? *divided_ : model,
                 is_outside_ ? Criterion{criterion.loss, 1.0} : criterion, execution) {}
  StageOperator(const StageOperator&) = delete;
  StageOperator& operator=(const StageOperator&) = delete;

  const BellmanOperator& bellman() const { return bellman_; }

  /// After a sweep to `backed_up` from values that were off by `error`: finishes the stage, and
  /// returns the error of its values.
  double finish(const SweepSummary& summary, double error, std::vector<double>& backed_up) const {
    const double of_sweep = bellman_.gamma() * error + bellman_.rounding(summary);
    if (!is_outside_) return detail::rounded_up(of_sweep, 4.0);
    const double largest =
        gamma_ * std::max(std::abs(summary.lowest_value), std::abs(summary.highest_value));
    for (double& v : backed_up) v *= gamma_;
    return detail::rounded_up(gamma_ * of_sweep + detail::unit_roundoff * largest, 8.0) +
           std::numeric_limits<double>::denorm_min();
  }

 private:
  static Mdp divided_by(double gamma, const Mdp& model) {
    check_memory_of_copy(model.outcomes());
    return model.with_costs_divided(gamma);
  }
  static Chain divided_by(double gamma, const Chain& chain) {
    check_memory_of_copy(chain.outcomes());
    Outcomes outcomes = chain.outcomes();
    outcomes.divide_costs(gamma);
    return Chain(std::move(outcomes));
  }

  double gamma_;
  bool is_outside_;
  std::optional<Model> divided_;
  BellmanOperator bellman_;
};

/// Runs the stages of `sweep(values, backed_up)`, starting from the terminal values.
template <class Model, class Sweep>
FiniteHorizonSolution backward(const StageOperator<Model>& stages,
                               const FiniteHorizonOptions& options, const Monitor& monitor,
                               Sweep&& sweep) {
  const BellmanOperator& bellman = stages.bellman();
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
    solution.error_bound = stages.finish(summary, solution.error_bound, backed_up);
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
  const StageOperator stages(model, criterion, options.discount, execution);
  std::vector<std::size_t> rows(model.states());
  std::vector<Policy> policies;
  FiniteHorizonSolution solution =
      backward(stages, options, execution.monitor,
               [&](const std::vector<double>& values, std::vector<double>& backed_up) {
                 const SweepSummary summary = stages.bellman().apply(values, backed_up, rows);
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
  const StageOperator stages(chain, criterion, options.discount, execution);
  return backward(stages, options, execution.monitor,
                  [&](const std::vector<double>& values, std::vector<double>& backed_up) {
                    return stages.bellman().apply(values, backed_up);
                  });
}

}  // namespace shortfall
