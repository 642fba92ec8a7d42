#pragma once

#include <vector>

#include "shortfall/mdp/visits.hpp"
#include "shortfall/theory/conditions.hpp"
#include "studies/learning_problem.hpp"
#include "studies/studied_learner.hpp"

namespace shortfall::studies {

/// A learner in a setting.
struct LearnerCase {
  const LearningProblem& problem;
  const Visits& visits;
  const StudiedLearner& learner;
  StateIndex state_base = 0;  ///< added to states in reasons
};

/// The assumptions under which this learner is proven to converge; it is guaranteed to do so if all
/// of them hold.
///
///   td             the paper's conditions, with γ replaced by the effective discount factor where
///                  paths restart; those of averager-td where every state that is visited lies in
///                  one cell, since the two are the same there
///   td-lambda      those of td if λ = 0 or the loss is linear (Tsitsiklis and Van Roy, IEEE
///                  Transactions on Automatic Control 42, 1997); otherwise there is no proof
///   averager-td    those of theory/feature_conditions.hpp, from the initial weights
///   newton, averager-newton    there is no proof
///
/// At γ = 1, where every path ends: let q be the law of states along paths that start anew after
/// their end only, so that qP ≤ q, and D = diag(q). Then ‖PΔ‖_q ≤ ‖Δ‖_q and
/// ΔᵀD(I - P)Δ ≥ ‖Δ‖_q² - ‖Δ‖_q ‖PΔ‖_q ≥ 0, with equality only if PΔ = Δ = Pⁿ Δ = 0. So TD's mean
/// update is stable for a linear loss (Bertsekas and Tsitsiklis, "Neuro-Dynamic Programming", 1996,
/// chapter 6). For other losses and for averagers nothing is proven there.
std::vector<theory::Assumption> assumptions_of(const LearnerCase& given);

}  // namespace shortfall::studies
