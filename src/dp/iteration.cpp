#include "dp/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dp/multichain.hpp"
#include "errors/require.hpp"
#include "numbers/roundoff.hpp"
#include "parallel/partition.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::detail {

namespace {

void check_options(const SolverOptions& options, std::size_t states) {
  const double tolerance = options.tolerance.goal();
  require(tolerance > 0.0 && std::isfinite(tolerance), "tolerance = {}; accepted: a number > 0",
          tolerance);
  require(options.max_iterations >= 1, "max_iterations = {}; accepted: at least 1",
          options.max_iterations);
  require(options.start.empty() || options.start.size() == states,
          "{} starting values for {} states; accepted: one for each, or none", options.start.size(),
          states);
  for (const double v : options.start) {
    require(std::isfinite(v), "the starting values contain {}; accepted: finite numbers", v);
  }
}

}  // namespace

void check(const Criterion& criterion, const SolverOptions& options, std::size_t states) {
  require(criterion.gamma > 0.0 && criterion.gamma < 1.0,
          "gamma = {}; accepted: a number strictly between 0 and 1", criterion.gamma);
  check_options(options, states);
}

void check(const Criterion& criterion, const SolverOptions& options,
           const BellmanOperator& bellman) {
  if (!criterion.is_average()) return check(criterion, options, bellman.states());
  check_options(options, bellman.states());
  require(!bellman.has_terminal_states(),
          "the model has terminal states, from which there is no long-run average; accepted: a "
          "discount factor, a finite horizon, or a model whose episodes begin again");
}

bool record_iteration(const IterationOutcome& outcome, const SolverOptions& options, Watch& watch,
                      Solution& solution, Status goal) {
  solution.error_bound = outcome.error_bound;
  solution.trace.push_back({++solution.iterations, outcome.residual, outcome.error_bound});
  watch.set_done(static_cast<std::uint64_t>(solution.iterations), solution.error_bound);
  solution.status = !outcome.finite        ? Status::overflow
                    : outcome.reached_goal ? goal
                    : outcome.at_precision ? Status::precision_limit
                    : watch.is_stopped()   ? Status::stopped
                                           : Status::iteration_limit;
  if (solution.status == Status::iteration_limit && solution.iterations < options.max_iterations) {
    return false;
  }
  const bool gave_up =
      solution.status == Status::iteration_limit || solution.status == Status::precision_limit;
  if (gave_up && options.tolerance.is_met(outcome.error_bound, outcome.largest_value)) {
    solution.status = Status::converged;
  }
  return true;
}

/// Of a sweep from zeros to zeros.
constexpr SweepSummary no_changes{0.0, 0.0, 0.0, 0.0};

Iteration::Iteration(const BellmanOperator& bellman, const SolverOptions& options,
                     const Monitor& monitor, std::string_view activity)
    : values(options.start),
      backed_up(bellman.states()),
      bellman_(bellman),
      options_(options),
      watch_(monitor, {.activity = activity}, bellman.partition().communicator()),
      can_be_certified_(std::isfinite(bellman.rounding(no_changes))) {
  values.resize(bellman.states(), 0.0);
  // A sweep sets terminal states to 0 in any case; the bounds rely on it from the start.
  for (std::size_t x = 0; x < values.size(); ++x) {
    if (bellman.is_terminal(x)) values[x] = 0.0;
  }
}

/// Whether further sweeps can bring no result that is certified to be closer. If rounding alone
/// exceeds the tolerance, this holds once sweeps change no more than the tolerance, or than
/// rounding typically does: bounds on rounding may be far too large, and the values should be good
/// even then, as long as a hundred sweeps halve the removable part. Otherwise it holds once sweeps
/// make no more progress: among policies that are equal up to ties some are worth a few units less,
/// so that methods may never come closer than a few times the rounding error.
bool Iteration::is_at_precision(const SweepSummary& sweep) {
  constexpr double typical_units = 128.0 * unit_roundoff;
  constexpr int max_stalls = 10;
  constexpr int worth_waiting = 100;
  removable_ = two_sided_bound(sweep, bellman_.gamma(), 0.0).error;
  stalls_ = removable_ < least_removable_ ? 0 : stalls_ + 1;
  least_removable_ = std::min(least_removable_, removable_);
  const double value = std::max(std::abs(sweep.lowest_value), std::abs(sweep.highest_value));
  const double gamma = bellman_.gamma();
  const double typical =
      std::min(bound_.rounding, typical_units * value / (gamma < 1.0 ? 1.0 - gamma : 1.0));
  if (removable_ <= 0.5 * last_halved_) {
    last_halved_ = removable_;
    since_halved_ = 0;
  }
  if (bound_.rounding > tolerance()) {
    const bool slow = ++since_halved_ >= worth_waiting && bound_.error <= 2.0 * bound_.rounding;
    if (slow || removable_ <= std::max(tolerance(), typical)) return true;
  }
  return stalls_ >= max_stalls && removable_ <= 16.0 * typical;
}

bool Iteration::finished(const SweepSummary& sweep) {
  const bool is_average = bellman_.gamma() == 1.0;
  bound_ = two_sided_bound(sweep, bellman_.gamma(), bellman_.rounding(sweep));
  const bool finished = record_iteration(
      {.residual = is_average ? sweep.half_width() : sweep.residual(),
       .error_bound = std::isnan(bound_.error) ? infinity : bound_.error,
       .largest_value = is_average ? std::abs(bound_.shift)
                                   : std::max(std::abs(sweep.lowest_value + bound_.shift),
                                              std::abs(sweep.highest_value + bound_.shift)),
       .finite = sweep.finite && (std::isfinite(bound_.error) || !can_be_certified_),
       .reached_goal = bound_.error <= tolerance(),
       .at_precision = is_at_precision(sweep)},
      options_, watch_, solution_);
  const Status status = solution_.status;
  if (!is_average ||
      (finished ? status != Status::iteration_limit && status != Status::precision_limit
                : iterations() < next_test_)) {
    return finished;
  }
  next_test_ = 2 * iterations();
  if (!depends_on_start(bellman_, values, backed_up, bound_)) return finished;
  solution_.status = Status::multichain;
  return true;
}

void Iteration::advance(const TwoSidedBound& bound) {
  if (bellman_.gamma() == 1.0) {
    for (std::size_t x = 0; x < values.size(); ++x) {
      values[x] += average_damping * ((backed_up[x] - values[x]) + bound.shift);
    }
    return;
  }
  values.swap(backed_up);
  if (bellman_.has_terminal_states()) return;
  for (double& v : values) v += bound.shift;
}

void Iteration::sweep_on() {
  if (bellman_.gamma() == 1.0) {
    advance(bound_);
  } else {
    values.swap(backed_up);
  }
}

Solution Iteration::solution() && {
  for (std::size_t x = 0; x < values.size(); ++x) {
    values[x] = bellman_.is_terminal(x) ? 0.0 : backed_up[x] + bound_.shift;
  }
  if (bellman_.gamma() == 1.0) {
    solution_.average_cost = -bound_.shift;
    const double first = bellman_.partition().at_first_state(values.data());
    for (double& h : values) h -= first;
  }
  solution_.values = std::move(values);
  return std::move(solution_);
}

}  // namespace shortfall::detail
