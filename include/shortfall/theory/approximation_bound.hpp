#pragma once

#include <optional>

#include "shortfall/theory/contraction.hpp"

/// The distance of the projected fixed point Φθ* from the value V, in terms of the distance
/// of span Φ from V: `projection_error` is ‖ΠV - V‖_q throughout. α is free, because
/// θ* does not depend on it.
namespace shortfall::theory {

/// ‖Φθ* - V‖_q ≤ ‖ΠV - V‖_q / (1 - ᾱ) with ᾱ the modulus of H at α, or at the best α if
/// none is given.
double lemma2_bound(const QNormContraction& contraction, double projection_error,
                    std::optional<double> alpha = std::nullopt);

/// A sharper bound under the same assumptions, ‖Φθ* - V‖_q ≤ ‖ΠV - V‖_q / √(1 - ᾱ²), because
/// Φθ* - ΠV is orthogonal to ΠV - V:
///
///   ‖Φθ* - V‖² = ‖Φθ* - ΠV‖² + ‖ΠV - V‖² ≤ ᾱ² ‖Φθ* - V‖² + ‖ΠV - V‖².
///
/// At the best α the factor is L₁(1+γ)/s, compared with about twice its square for `lemma2_bound`.
double pythagorean_bound(const QNormContraction& contraction, double projection_error,
                         std::optional<double> alpha = std::nullopt);

}  // namespace shortfall::theory
