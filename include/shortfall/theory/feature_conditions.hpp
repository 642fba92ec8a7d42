#pragma once

#include <Eigen/Core>
#include <optional>

#include "shortfall/names/names.hpp"
#include "shortfall/theory/conditions_report.hpp"

/// Conditions for convergence where the features are known, too.
namespace shortfall::theory {

/// The algorithms with a proof. TD(λ) needs more than one step's condition, and for Newton there is
/// no proof.
enum class ProvenAlgorithm { td, averager_td };
inline constexpr Names<ProvenAlgorithm, 2> proven_algorithm_names{
    {{"td", ProvenAlgorithm::td}, {"averager-td", ProvenAlgorithm::averager_td}}};

/// A chain with one row of features per state.
struct FeaturesOfChain {
  const Chain& chain;
  const Eigen::MatrixXd& phi;
  StateIndex state_base = 0;  ///< added to states in reasons
};

/// For averager-td, and for TD with hard aggregation, which is the same algorithm, the proof of
/// averager.hpp: every loss and every γ < 1. Its `gamma_limit` is 1. It requires
///
///   features           φ ≥ 0, Σφ ≤ 1
///   discount           γ < 1
///   recurrent states   all paths end up in the same class of states, periodic or not. Terminal
///                      states count as one class: after an end, a path starts again
///   bounded weights    that there are steps for which weights provably stay bounded from θ = 0
///                      (averager_steps.hpp)
///
/// For TD with other features, the conditions of conditions.hpp with an ergodic chain and
/// independent features; `largest_step` is then `largest_td_step`. With `first_step`, that of the
/// learner, there is an assumption on it; without, steps are taken to be small enough, as scaled
/// ones are (learn/any_step.hpp). Throws InvalidInput for averager-td with features that are no
/// averager, and for a Φ that does not match the chain.
CheckedConditions check_conditions(ProvenAlgorithm algorithm, const AnyLoss& loss, double gamma,
                                   const FeaturesOfChain& features,
                                   std::optional<double> first_step = {});

/// The assumption `first step`, for TD with steps that begin with `first` and decrease: that it is
/// at most `largest_td_step`, so that no step moves φᵀθ beyond its target. Convergence as such
/// needs only steps that become small; but values can leave the range of numbers before.
Assumption step_assumption(const AnyLoss& loss, const Eigen::MatrixXd& phi, double first);

/// 1 / (L₁ max |φ(x)|²); 0 if slopes are not bounded, ∞ if all features are 0.
double largest_td_step(const AnyLoss& loss, const Eigen::MatrixXd& phi);

/// The assumption `recurrent states`.
Assumption recurrence_assumption(const Chain& chain, StateIndex state_base = 0);

}  // namespace shortfall::theory
