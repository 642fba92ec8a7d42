#pragma once

#include <Eigen/Core>

#include "shortfall/theory/averager.hpp"

namespace shortfall::theory {

/// How far Φθ* of an averager is from the value V of the chain, in the sup norm over the states R
/// that matter (`AveragerOperator::reached`).
///
/// Let V⁺_i and V⁻_i be the largest and smallest V(x) over x with q(x) φ_i(x) > 0, D the largest
/// |φ(x)ᵀθ* - V(x)| over R, and s(x) = Σ_i φ_i(x) ≤ s̄.
///
/// 1. μ_i is a mixture of the laws of transitions from such x, whose risk is ρ(c + γV(X')|x) =
/// V(x).
///    The risk of a mixture lies between those of its parts (E ℓ(Y - m) is linear in the law, and
///    at their maximum m it is ≤ 0 for each part), so that V⁻_i ≤ ρ_{μ_i}(c + γ V(X')) ≤ V⁺_i.
/// 2. Successors are in R or terminal, where both φᵀθ* and V are 0. So φ(X')ᵀθ* is within D of
///    V(X'), and θ*_i = (Kθ*)_i lies in [V⁻_i - γD, V⁺_i + γD].
/// 3. φ(x)ᵀθ* - V(x) ≤ Σ φ_i V⁺_i - V(x) + s γ D, and likewise below. The maximum over R is D:
///
///      D ≤ max over R of max(Σ φ_i V⁺_i - V, V - Σ φ_i V⁻_i) / (1 - γ s̄).                    (1)
///
///    With osc = max_i of the range of V over the states of R with φ_i > 0, this is at most
///
///      D ≤ (s̄ osc + max |1 - s| |V|) / (1 - γ s̄), which is osc / (1-γ) where Σφ = 1.         (2)
///
/// Where Σφ < 1, the missing weight is one on the value 0, and (2) says what that costs. A state of
/// R with a feature whose cell is never visited has no bound: that weight is arbitrary.
struct AveragerBound {
  double oscillation;        ///< osc
  double oscillation_bound;  ///< (2)
  double bound;              ///< (1), never larger than (2)
};

/// `values` are V by state. If they are within ε of it, (1) is off by at most
/// (1 + s̄) ε / (1 - γ s̄), and (2) by at most (2 s̄ + max |1 - s|) ε / (1 - γ s̄), s the row sums.
/// Throws InvalidInput for a wrong length.
AveragerBound averager_bound(const AveragerOperator& averager,
                             const Eigen::Ref<const Eigen::VectorXd>& values);

/// max over R of |φ(x)ᵀθ - V(x)|: the left-hand side, at θ.
double averager_error(const AveragerOperator& averager,
                      const Eigen::Ref<const Eigen::VectorXd>& theta,
                      const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace shortfall::theory
