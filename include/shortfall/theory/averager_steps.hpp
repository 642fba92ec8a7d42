#pragma once

#include <Eigen/Core>

#include "shortfall/theory/averager.hpp"
#include "shortfall/theory/conditions.hpp"

namespace shortfall::theory {

/// Where the weights of an averager stay, for certain: not only with probability one, and in
/// whatever order the transitions come.
///
/// Write ℓ(δ) = ξ δ with the chord slope ξ > 0. An update moves θ_i to (1 - a) θ_i + a Y with
/// Y = c + γ φ(x')ᵀθ and a = η φ_i ξ, and a ≤ 1 if η ≤ 1/ξ. So θ stays in [low, high] if Y does.
/// For costs in [c⁻, c⁺] and sums Σφ(x') in [s⁻, s⁺] (0 where x' is terminal), that is so for
///
///   low ≤ c⁻ / (1 - γ s) with s = s⁺ if c⁻ < 0, else s⁻;   high likewise from c⁺;
///
/// and for every lower `low` and every higher `high`. Then |δ| ≤ high - low, and the largest
/// chord slope up to there limits the steps. It is L₁ at most; for the entropic loss it grows with
/// the interval, exponentially.
struct AveragerBox {
  double low;
  double high;
  double largest_step;  ///< steps up to this keep θ in [low, high]; 0 if there are none
};

/// The smallest such interval that holds all entries of `start`, by the costs of states with q > 0.
/// Throws InvalidInput for a start of the wrong length.
AveragerBox averager_box(const AveragerOperator& averager,
                         const Eigen::Ref<const Eigen::VectorXd>& start);

/// The assumption `bounded weights`: that there are steps which keep weights in the interval. Fails
/// if exponential losses of possible errors are out of the range of double, or allow no step above
/// 1e-12.
Assumption bounded_weights(const AveragerBox& box);

/// Steps that do not increase.
struct AveragerSteps {
  double first;
  bool vanish;  ///< whether they become smaller than any number, as convergence needs
};

/// The same for the steps of a learner. They may begin above `largest_step` if they vanish and the
/// slopes of the loss are bounded by L₁: once steps are at most 1/L₁, weights stay in the smallest
/// interval that holds those of that time.
Assumption bounded_weights(const AveragerBox& box, SlopeBounds slopes, const AveragerSteps& steps);

}  // namespace shortfall::theory
