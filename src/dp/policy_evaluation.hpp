#pragma once

#include <Eigen/Core>

#include <limits>
#include <span>

#include "dp/iteration.hpp"
#include "dp/packed_rows.hpp"
#include "dp/tangent_solver.hpp"
#include "shortfall/dp/bellman.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::detail {

/// Semismooth Newton for V = TV on the chosen rows of the operator's model, starting from the run's
/// values, until the run is finished.
void newton(Iteration& run, const BellmanOperator& bellman, const ChosenRows& chosen,
            const AnyLoss& loss, TangentSolver& solver, End end);

/// Solves d = b + γ W d where no row of W has more than one entry, as for a policy in a
/// deterministic model: exactly, in linear time. Whoever follows successors from a state gets to a
/// state without one, or into a cycle x₀ → x₁ → .. → x_L = x₀, where
///
///   d(x₀) = Σ_j g_j b(x_j) / (1 - g_L),    g_j = γʲ w(x₀) .. w(x_{j-1}).
///
/// Values of the other states on the way follow backwards. If γ = 1, d(x₀) = 0, and d = b - ḡ + W d
/// with ḡ the mean of b over the cycle. Levels of cycles are arbitrary; those of greater ḡ are
/// raised, so that the next improvement leaves them where that is possible. The rows must be
/// packed. Each rank solves for all states: that takes less time than a few products. `r` has b,
/// and then the residual b - (I - γ W) d: 0, or ḡ.
void solve_single_successors(const Tangent& tangent, Eigen::VectorXd& r, Eigen::VectorXd& d);

/// The accuracy of evaluations in policy iteration. A policy need not be evaluated more accurately
/// than the next improvement requires, but evaluations that are too rough may make policies cycle.
/// The bound may grow for many iterations while policies still improve and their values decrease.
/// Each time neither has decreased, the next evaluations are made a hundred times more accurate.
/// If that happens several times in a row, policies differ by less than the accuracy of their
/// evaluation; the iteration then stops evaluating them for a while.
class EvaluationAccuracy {
 public:
  /// The bound after an evaluation, and the sum of the values that it gave.
  void update(double error, double total);
  /// An evaluation that failed, as Newton's may for losses that are neither convex nor concave.
  void note_failure() { ++failures_; }

  double relative_to_bound() const { return relative_; }
  bool is_exhausted() const { return failures_ > 8; }

 private:
  static constexpr double negligible = 1e-13;
  static constexpr double tightest = 1e-17;
  double smallest_error_ = std::numeric_limits<double>::infinity();
  double last_total_ = std::numeric_limits<double>::infinity();
  double relative_ = 0.1;
  int failures_ = 0;
};

/// How policy iteration gets from an improving sweep to the values for the next one.
class PolicyEvaluation {
 public:
  PolicyEvaluation(const Outcomes& outcomes, const BellmanOperator& bellman,
                   const Criterion& criterion, TangentSolver& solver)
      : outcomes_(outcomes), bellman_(bellman), loss_(criterion.loss), solver_(solver) {}

  /// Replaces the run's values by those of the policy that its last sweep found. If policies cannot
  /// be told apart any more, plain sweeps, which always contract, and after a number of them that
  /// doubles each time, another attempt.
  void evaluate(Iteration& run, std::span<const std::size_t> rows);

  /// The same for at most about this cost, in products with W, and without plain sweeps. Returns
  /// the cost. If nothing was gained, the run's values are those of its last sweep.
  double attempt(Iteration& run, std::span<const std::size_t> rows, double most_cost);

 private:
  void note_last(const Iteration& run);
  double replace_values(Iteration& run, std::span<const std::size_t> rows, double most_cost);

  const Outcomes& outcomes_;
  const BellmanOperator& bellman_;
  const AnyLoss& loss_;
  TangentSolver& solver_;
  EvaluationAccuracy accuracy_;
  bool evaluated_ = false;
  int rest_ = 64;  ///< plain sweeps before the next attempt
  int rested_ = 0;
};

}  // namespace shortfall::detail
