#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "dp/iteration.hpp"
#include "dp/policy_evaluation.hpp"
#include "dp/tangent_solver.hpp"
#include "shortfall/dp/bellman.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::detail {

/// How modified policy iteration gets from an improving sweep to the values for the next one: by
/// sweeps of the policy that it found, from its result, until they have gained what another
/// improving sweep would check anyway, nine tenths of the bound, or have cost several times as much
/// as it. For the mean, they read the policy's rows packed: with b = TV - V, n sweeps from TV lead
/// to V + b + γ W b + ... + (γ W)ⁿ b.
class PolicySweeps {
 public:
  PolicySweeps(const Outcomes& outcomes, const BellmanOperator& bellman, TangentSolver& solver);

  /// Replaces the run's values. Returns the cost in improving sweeps, without the last one.
  double sweep(Iteration& run, std::span<const std::size_t> rows);

  double rows_per_state() const { return rows_per_state_; }

 private:
  double sweep_packed(Iteration& run, std::span<const std::size_t> rows);
  double sweep_with_losses(Iteration& run, std::span<const std::size_t> rows);

  const Outcomes& outcomes_;
  const BellmanOperator& bellman_;
  TangentSolver& solver_;
  double rows_per_state_;
};

/// How the default gets from an improving sweep to the values for the next one: by a Newton step
/// for V = TV, in policy and weights at once. That is an evaluation of the policy if the loss is
/// linear, and much less work if it is not. Steps always converge, though the bound may grow for a
/// while, if T is concave: if ℓ is, or if every action has one outcome; or if it is convex: if ℓ
/// is, and there is no choice. Otherwise they may lead away: a step that makes the bound much
/// larger is taken back, and after several that bring nothing, policies are evaluated.
///
/// Sweeps, as in modified policy iteration, always converge, and what they gain is measured. An
/// attempt that gains less than sweeps would have for the same cost leaves a debt. Attempts are
/// made only while the debt is a part of the sweeps so far and of those that still seem necessary;
/// so no model takes much longer than by sweeps alone. Steps that always converge and sweeps each
/// continue where they ended; others begin where sweeps ended.
class AdaptiveSteps {
 public:
  AdaptiveSteps(const Mdp& rows, const BellmanOperator& bellman, const Criterion& criterion);

  /// After an improving sweep of the run, which chose these rows.
  void next(Iteration& run, std::span<const std::size_t> rows);

 private:
  enum class Kind { none, sweep, step, evaluation };

  void judge_sweep(double error);
  bool judge_step(double error);
  double rate() const;
  double credit(const Iteration& run) const;
  /// In products with W.
  double improving_sweep() const { return sweeps_.rows_per_state() * solver_.sweep_cost(); }
  void sweep(Iteration& run, std::span<const std::size_t> rows);
  void leave_steps(Iteration& run);
  void attempt(Iteration& run, std::span<const std::size_t> rows);
  void step(Iteration& run, std::span<const std::size_t> rows);

  const Outcomes& outcomes_;
  const BellmanOperator& bellman_;
  TangentSolver solver_;
  PolicyEvaluation evaluation_;
  PolicySweeps sweeps_;
  bool steps_converge_;
  bool evaluations_converge_;

  Kind last_ = Kind::none;  ///< what led to the values of the last sweep
  double cost_ = 0.0;       ///< of it; all costs are in improving sweeps
  double debt_ = 0.0;

  // About sweeps.
  double swept_ = 0.0;  ///< cost of all
  /// A point of the present phase.
  struct Mark {
    double cost;
    double error;
  };
  double phase_cost_ = 0.0;
  std::array<Mark, 2> marks_{};
  double sweep_error_ = std::numeric_limits<double>::infinity();  ///< where they ended
  std::vector<double> swept_values_;
  std::vector<double> stepped_values_;
  double rate_ = 0.0;  ///< logarithm by which they reduce the bound; 0: not known yet

  // About steps and evaluations.
  double smallest_error_ = std::numeric_limits<double>::infinity();
  std::vector<double> best_;  ///< TV with the smallest bound
  int without_gain_ = 0;      ///< attempts since the bound was smallest
  double gave_up_at_ = std::numeric_limits<double>::infinity();  ///< bound when steps last failed
};

}  // namespace shortfall::detail
