#pragma once

#include <Eigen/Core>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/mdp/visits.hpp"
#include "shortfall/names/names.hpp"
#include "shortfall/theory/conditions.hpp"
#include "studies/learning_problem.hpp"
#include "studies/studied_learner.hpp"

namespace shortfall::studies {

/// What the mean-field ODE of TD(λ) does from θ = 0, where the learner starts.
enum class LimitStatus {
  stable,    ///< ends at a root at which all eigenvalues of h' have negative real parts
  unstable,  ///< a root was found, but the learner will not stay there
  away,      ///< leaves the range of possible values
  unknown    ///< none of these within the steps allowed
};
inline constexpr Names<LimitStatus, 4> limit_names{{{"stable", LimitStatus::stable},
                                                    {"unstable", LimitStatus::unstable},
                                                    {"away", LimitStatus::away},
                                                    {"unknown", LimitStatus::unknown}}};

struct TraceLimit {
  LimitStatus status = LimitStatus::unknown;
  Eigen::VectorXd theta = {};
  /// At a stable root: -max Re of the eigenvalues of h'. The start is forgotten like
  /// exp(-rate Σ η_n).
  double rate = std::numeric_limits<double>::quiet_NaN();
};

/// The limit of TD(λ): a root of its mean update divided by the step,
///
///   h(θ) = E ζ_n ℓ(δ_n) = Bᵀ r(Φθ),   B = (I - γλPᵀ)⁻¹ diag(q) Φ,
///
/// with r(V)(x) = E ℓ(c + γ V(X') - V(x)), because B(x) = q(x) E[ζ_n | X_n = x]. At λ = 0 its root
/// is the projected fixed point; if Φ can represent V, it is V for every λ. Traces end with an
/// episode, so P has only the transitions that do not end. States with q = 0 do not matter.
///
/// Computed by linearly implicit steps whose length grows while ‖h‖ does not, with Newton's method
/// at the end, which is exact for piecewise linear losses. `unknown` if features are
/// dependent or the slopes of the loss unbounded.
TraceLimit limit_of_traces(const LearningProblem& problem, double lambda);

/// Where a learner should end, computed without sampling.
struct LearnerLimit {
  std::string kind;    ///< "projected fixed point", "limit of traces", "averager's fixed point"
  std::string status;  ///< of the computation: "converged", or why there is none
  /// What the learner's mean-field ODE does there, a LimitStatus: "stable", "unstable", "away", or
  /// "unknown" for Newton, which does not follow it, and where it was not computed.
  std::string stability = "unknown";
  Eigen::VectorXd values = {};  ///< by state; empty: no limit is known
};

/// Φθ* for td and newton, with and without averages; for td-lambda with λ > 0 that of
/// limit_of_traces(); for averagers, whose features must fit, Φθ* of theory/averager.hpp, which
/// is always stable.
LearnerLimit limit_of(const LearningProblem& problem, const learn::LearnerOptions& learner);

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
