#pragma once

#include <Eigen/Core>
#include <string_view>

#include "shortfall/names/names.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/mean_field.hpp"

namespace shortfall::theory {

/// Why the search for θ* stopped.
enum class FixedPointStatus {
  converged,        ///< error_bound ≤ tolerance; without a bound, error_estimate ≤ tolerance
  not_isolated,     ///< a root up to rounding, but the Jacobian is singular: others may be near
  precision_limit,  ///< a root up to rounding, but rounding does not allow the tolerance
  iteration_limit,  ///< max_iterations reached first
  diverged          ///< θ exceeded `divergence_factor`, or the residual left the range of double
};
inline constexpr Names<FixedPointStatus, 5> fixed_point_status_names{
    {{"converged", FixedPointStatus::converged},
     {"not-isolated", FixedPointStatus::not_isolated},
     {"precision-limit", FixedPointStatus::precision_limit},
     {"iteration-limit", FixedPointStatus::iteration_limit},
     {"diverged", FixedPointStatus::diverged}}};
constexpr std::string_view to_string(FixedPointStatus status) {
  return name_of(status, fixed_point_status_names);
}

struct FixedPointOptions {
  double tolerance = 1e-9;  ///< on ‖Φθ - Φθ*‖_q, see `converged`
  int max_iterations = 10000;
  Eigen::VectorXd start{};  ///< initial θ; empty: zeros
};

/// The search has diverged if ‖Φθ‖_q exceeds this many times its initial scale,
/// ‖Φθ‖_q + ‖Π r(Φθ)‖_q / (largest mean slope) at the start.
inline constexpr double divergence_factor = 1e8;

/// The result. The equation is Φθ = ΠHΦθ for any α > 0, that is Π r(Φθ) = 0, that is h(θ) = 0.
struct [[nodiscard]] FixedPoint {
  FixedPointStatus status = FixedPointStatus::iteration_limit;
  Eigen::VectorXd theta;
  double residual_norm = infinity;  ///< ‖Π r(Φθ)‖_q = ‖Φθ - ΠHΦθ‖_q / α
  /// Certified: ‖Φθ - Φθ*‖_q ≤ error_bound, including rounding to first order. It follows from
  /// MeanField::monotonicity, so it is +∞ if γ is too large for that to be positive.
  double error_bound = infinity;
  /// ‖Φδ‖_q of the Newton step δ from θ: near a root with a regular Jacobian, the distance to it.
  double error_estimate = infinity;
  int iterations = 0;
};

/// Finds the root θ* of the drift by semismooth Newton with backtracking on ‖F‖, where F(w) is the
/// drift in coordinates w in which the features are orthonormal: ‖F‖₂ = ‖Π r(Φθ)‖_q, so scaling the
/// features changes nothing.
///
/// If Newton's step does not reduce ‖F‖ enough and the monotonicity s is positive, a step of
/// V ← ΠHV is taken, w ← w + αF with α = s/L² and L = L₁(1+γ). It reduces ‖F‖ by √(1 - s²/L²)
/// from any point, so that the search converges globally. If s is not positive, pseudo-transient
/// continuation takes over, (1/τ - F'(w)) δ = F(w) with a growing time step τ: it follows
/// the ODE of the learner to a stable root, or to infinity if there is none. Newton may also
/// end at an unstable root. Throws InvalidInput for a tolerance that is not positive or a
/// start of the wrong length.
FixedPoint projected_fixed_point(const MeanField& field, const FixedPointOptions& options = {});

}  // namespace shortfall::theory
