#pragma once

#include <optional>

#include "shortfall/theory/contraction.hpp"

/// How far the projected fixed point Φθ* is from the value V, given how far span Φ is:
/// `projection_error` is ‖ΠV - V‖_q throughout. α is free, because θ* does not depend on it.
namespace shortfall::theory {

/// ‖Φθ* - V‖_q ≤ ‖ΠV - V‖_q / (1 - ᾱ) with ᾱ the modulus of H at α, or the best one.
double lemma2_bound(const QNormContraction& contraction, double projection_error,
                    std::optional<double> alpha = std::nullopt);

/// A sharper bound from the same ingredients, ‖Φθ* - V‖_q ≤ ‖ΠV - V‖_q / √(1 - ᾱ²), because
/// Φθ* - ΠV is orthogonal to ΠV - V:
///
///   ‖Φθ* - V‖² = ‖Φθ* - ΠV‖² + ‖ΠV - V‖² ≤ ᾱ² ‖Φθ* - V‖² + ‖ΠV - V‖².
///
/// At the best α the factor is L₁(1+γ)/s, against about twice its square for `lemma2_bound`.
double pythagorean_bound(const QNormContraction& contraction, double projection_error,
                         std::optional<double> alpha = std::nullopt);

}  // namespace shortfall::theory
