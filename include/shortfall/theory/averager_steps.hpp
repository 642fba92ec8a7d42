#pragma once

#include <Eigen/Core>

#include "shortfall/theory/averager.hpp"

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

}  // namespace shortfall::theory
