#pragma once

#include <Eigen/Core>
#include <limits>
#include <string_view>

#include "shortfall/theory/mean_field.hpp"

namespace shortfall::theory {

/// Why the search for θ* stopped.
enum class FixedPointStatus {
  converged,  ///< error_bound ≤ tolerance; where there is no bound, error_estimate ≤ tolerance
  not_isolated,     ///< a root to rounding, but the Jacobian is singular: others may lie next to it
  precision_limit,  ///< a root to rounding, but tolerance is below what rounding allows
  iteration_limit,  ///< max_iterations reached first
  diverged  ///< θ went beyond `divergence_factor`, or the residual left the range of double
};
std::string_view to_string(FixedPointStatus status);

struct FixedPointOptions {
  double tolerance = 1e-9;  ///< on ‖Φθ - Φθ*‖_q, as `converged` says
  int max_iterations = 10000;
  Eigen::VectorXd start{};  ///< θ to begin from; empty: zeros
};

/// The search has diverged where ‖Φθ‖_q exceeds this many times what there was at the start,
/// ‖Φθ‖_q + ‖Π r(Φθ)‖_q / (largest mean slope).
inline constexpr double divergence_factor = 1e8;

/// What was found. The equation is Φθ = ΠHΦθ for any α > 0, that is Π r(Φθ) = 0, that is h(θ) = 0.
struct [[nodiscard]] FixedPoint {
  FixedPointStatus status = FixedPointStatus::iteration_limit;
  Eigen::VectorXd theta;
  double residual_norm = 0.0;  ///< ‖Π r(Φθ)‖_q = ‖Φθ - ΠHΦθ‖_q / α
  /// Certified: ‖Φθ - Φθ*‖_q ≤ error_bound, rounding included to first order; by
  /// MeanField::monotonicity, hence +∞ where γ is too large for it to be positive.
  double error_bound = std::numeric_limits<double>::infinity();
  /// ‖Φδ‖_q of the Newton step δ from θ: near a root with a regular Jacobian, the distance to it.
  double error_estimate = std::numeric_limits<double>::infinity();
  int iterations = 0;
};

/// The root θ* of the drift by semismooth Newton with backtracking on ‖F‖, where F(w) is the drift
/// in coordinates w in which the features are orthonormal: ‖F‖₂ = ‖Π r(Φθ)‖_q, and scaling features
/// changes nothing.
///
/// Where Newton's step does not shrink ‖F‖ enough and the monotonicity s is positive, a step of
/// V ← ΠHV is taken, w ← w + αF with α = s/L² and L = L₁(1+γ). It shrinks ‖F‖ by √(1 - s²/L²) from
/// anywhere, so that the search converges globally. Where s is not positive, pseudo-transient
/// continuation takes over, (1/τ - F'(w)) δ = F(w) with a growing time step τ: it follows the ODE
/// of the learner to a stable root, or out of sight where there is none. Newton may also end at an
/// unstable root. Throws InvalidInput for a tolerance that is not positive or a start of the wrong
/// length.
FixedPoint projected_fixed_point(const MeanField& field, const FixedPointOptions& options = {});

}  // namespace shortfall::theory
