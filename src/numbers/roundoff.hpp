#pragma once

#include <limits>

namespace shortfall::detail {

/// 2⁻⁵³: what rounding an operation may change, relative to its result.
inline constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

/// An upper bound on the exact value of x ≥ 0, which was computed with a relative error of fewer
/// than `units` units; the difference pays for the roundings here.
constexpr double rounded_up(double x, double units) {
  return (1.0 + units * unit_roundoff) * x;
}

}  // namespace shortfall::detail
