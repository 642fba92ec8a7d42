#pragma once

#include <Eigen/Core>

#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/averager.hpp"
#include "shortfall/theory/fixed_point.hpp"

namespace shortfall::theory {

struct AveragerFixedPointOptions {
  double tolerance = 1e-9;  ///< on max_i |θ_i - θ*_i|
  int max_iterations = 10000;
  Eigen::VectorXd start{};  ///< initial θ, kept in cells without visits; empty: zeros
};

struct [[nodiscard]] AveragerFixedPoint {
  /// converged: error_bound ≤ tolerance. precision_limit: rounding does not allow the tolerance.
  /// diverged: θ left the range of double, which costs within 1e300 (1-γ) cannot cause.
  FixedPointStatus status = FixedPointStatus::iteration_limit;
  Eigen::VectorXd theta;
  double residual = infinity;  ///< max_i |(Kθ)_i - θ_i|, as computed
  /// Certified, including rounding: max_i |θ_i - θ*_i| ≤ error_bound over visited cells, for the
  /// chain, Φ and q as the doubles that they are. It is (residual + rounding) / (1 - modulus).
  double error_bound = infinity;
  int iterations = 0;  ///< evaluations of K at a new point, at most four per Newton step
};

/// The one fixed point θ* of K, by semismooth Newton: (I - K'(θ)) d = Kθ - θ with the M-matrix of
/// `newton_matrix`. Where ℓ is convex or concave, K is a maximum or a minimum over tilted laws and
/// the steps are those of policy iteration, which converge from everywhere. Other losses take a
/// shorter step, or a sweep θ ← Kθ, where a full one does not reduce the residual; the sweep
/// reduces it to γ times itself at most. In O(d³ + N d²) per step. Throws InvalidInput for a
/// tolerance that is not positive or a start of the wrong length or not finite.
AveragerFixedPoint averager_fixed_point(const AveragerOperator& averager,
                                        const AveragerFixedPointOptions& options = {});

}  // namespace shortfall::theory
