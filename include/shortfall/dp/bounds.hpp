#pragma once

#include "shortfall/dp/bellman.hpp"

namespace shortfall {

/// TV + shift (in non-terminal states) is within `error` of the fixed point V*. For γ = 1, the
/// average cost is within `error` of -shift.
struct TwoSidedBound {
  double shift;
  double error;
  double rounding;  ///< the part of `error` that no further sweep can remove
};

/// MacQueen's bounds. They need only monotonicity and translation invariance, which every shortfall
/// risk has. With l ≤ TV - V ≤ u in all states (terminal states count as 0) and γ in (0, 1),
///
///   TV + γ l / (1-γ)  ≤  V*  ≤  TV + γ u / (1-γ).
///
/// Proof of the upper half: V ≤ W := V + k with k = u / (1-γ), and TW ≤ TV + γk ≤ V + u + γk = W,
/// so T^n W decreases to V*, hence V* ≤ TW ≤ TV + γk. A terminal state keeps value 0 on both
/// sides, which is consistent because u ≥ 0 there. The midpoint halves the width. If a backup
/// is computed with an error of at most r, the bound grows by r / (1-γ): r for TV itself,
/// and γ r / (1-γ) because l and u are off by r. The bound also covers the rounding of l, u,
/// the shift and TV + shift.
///
/// For γ = 1, and no terminal states, l ≤ g ≤ u for the average cost g from every state: T^n V ≥ V
/// + n l and T^n V ≤ V + n u, divided by n. The policy that is greedy for V costs at most u. The
/// bound grows by r, and the shift -(l + u) / 2 takes out of TV what a period costs.
TwoSidedBound two_sided_bound(const SweepSummary& sweep, double gamma, double rounding);

}  // namespace shortfall
