#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "parallel/watch.hpp"
#include "shortfall/dp/bellman.hpp"
#include "shortfall/dp/bounds.hpp"
#include "shortfall/dp/solution.hpp"

namespace shortfall::detail {

/// Throws InvalidInput unless γ is in (0, 1) and the options are valid for this number of states.
void check(const Criterion& criterion, const SolverOptions& options, std::size_t states);

/// The same, or an average, which is refused for a model with terminal states.
void check(const Criterion& criterion, const SolverOptions& options,
           const BellmanOperator& bellman);

/// The part of a sweep that an average takes, so that sweeps converge on periodic chains, too: it
/// is a sweep of a chain that stays where it is with probability 1 - κ.
inline constexpr double average_damping = 0.8;

/// What an iteration showed.
struct IterationOutcome {
  double residual;
  double error_bound;
  double largest_value;  ///< max over states of |V|
  bool finite;           ///< otherwise values are not usable
  bool reached_goal;     ///< what the solver was asked for
  bool at_precision;     ///< more iterations would not improve the bound
};

/// Where every solver decides whether to stop: adds an iteration to the solution's trace, reports
/// it, and sets status and error bound. True once there is a reason to stop; `goal` is the status
/// if it is that the goal was reached. Where there is another reason than a request, but the bound
/// meets the tolerance, the status is converged.
bool record_iteration(const IterationOutcome& outcome, const SolverOptions& options, Watch& watch,
                      Solution& solution, Status goal = Status::converged);

/// The common part of the solvers of explicit models: the values, the certified bound after each
/// sweep, the stopping decision and the trace.
///
///   Iteration run(op, options);
///   while (!run.finished(sweep from run.values into run.backed_up)) choose the next run.values
class Iteration {
 public:
  Iteration(const BellmanOperator& bellman, const SolverOptions& options, const Monitor& monitor,
            std::string_view activity);

  std::vector<double> values;     ///< V
  std::vector<double> backed_up;  ///< TV, written by the caller's sweep

  /// Records a sweep from `values` to `backed_up`; true once there is a reason to stop.
  bool finished(const SweepSummary& sweep);

  const TwoSidedBound& bound() const { return bound_; }
  Watch& watch() { return watch_; }

  /// The part of the bound that further sweeps can remove. Methods use this instead of the whole
  /// bound, since for some losses rounding has no bound.
  double removable() const { return removable_; }

  /// The residual of the last sweep: max |TV - V|, or max |TV - V - g| for an average.
  double residual() const { return solution_.trace.back().residual; }

  double tolerance() const { return options_.tolerance.goal(); }
  int iterations() const { return solution_.iterations; }

  /// V ← TV, or TV plus the shift of a two-sided bound if that cannot slow convergence: without
  /// terminal states a constant cancels from all later changes up to a factor. Of an average, V ← V
  /// + κ (TV + shift - V) with κ = average_damping.
  void advance(const TwoSidedBound& bound);

  /// V ← TV, or the step of an average.
  void sweep_on();

  /// The result: TV + shift.
  Solution solution() &&;

 private:
  bool is_at_precision(const SweepSummary& sweep);

  const BellmanOperator& bellman_;
  const SolverOptions& options_;
  Watch watch_;
  /// A loss without bounded slopes may have no bound even at V = 0; that is not an overflow.
  bool can_be_certified_;
  TwoSidedBound bound_{0.0, 0.0, 0.0};
  double removable_ = std::numeric_limits<double>::infinity();
  double least_removable_ = std::numeric_limits<double>::infinity();  ///< smallest so far
  double last_halved_ = std::numeric_limits<double>::infinity();
  int since_halved_ = 0;  ///< sweeps
  int stalls_ = 0;        ///< consecutive sweeps without a decrease
  int next_test_ = 32;    ///< of whether an average depends on the start, after this many sweeps
  Solution solution_;
};

}  // namespace shortfall::detail
