#pragma once

#include "shortfall/dp/bellman.hpp"

namespace shortfall {

/// TV + shift (in states that are not terminal) is within `error` of the fixed point V*.
struct TwoSidedBound {
  double shift;
  double error;
  double rounding;  ///< the part of `error` that no further sweep can remove
};

/// MacQueen's bounds, which need only what every shortfall risk has, monotonicity and translation
/// invariance. With l ≤ TV - V ≤ u in all states (terminal ones count as 0) and γ in (0, 1),
///
///   TV + γ l / (1-γ)  ≤  V*  ≤  TV + γ u / (1-γ).
///
/// Proof of the upper half: V ≤ W := V + k with k = u / (1-γ), and TW ≤ TV + γk ≤ V + u + γk = W,
/// so T^n W falls to V*, hence V* ≤ TW ≤ TV + γk. A terminal state keeps value 0 on both sides,
/// which is consistent because u ≥ 0 there. The midpoint halves the width. A backup computed with
/// an error of at most r adds r / (1-γ): r for TV itself, and γ r / (1-γ) because l and u are off
/// by r. Rounding of l, u, the shift and TV + shift is counted in besides.
TwoSidedBound two_sided_bound(const SweepSummary& sweep, double gamma, double rounding);

}  // namespace shortfall
