#pragma once

#include <Eigen/Core>

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
/// For TD with other features, the paper's conditions with an ergodic chain and independent
/// features. Throws InvalidInput for averager-td with features that are no averager, and for a Φ
/// that does not match the chain.
CheckedConditions check_conditions(ProvenAlgorithm algorithm, const AnyLoss& loss, double gamma,
                                   const FeaturesOfChain& features);

/// The assumption `recurrent states`.
Assumption recurrence_assumption(const Chain& chain, StateIndex state_base = 0);

}  // namespace shortfall::theory
