#pragma once

#include <Eigen/Core>
#include <limits>
#include <string_view>

#include "shortfall/names.hpp"
#include "studies/learning_problem.hpp"

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
  /// Of a stable root: -max Re of the eigenvalues of h'. The start is forgotten like
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

}  // namespace shortfall::studies
