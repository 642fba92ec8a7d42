#pragma once

#include "shortfall/risk/any_loss.hpp"

namespace shortfall::detail {

/// κ of BellmanOperator::rounding: how much a root can move where E ℓ(X - m) is off by a small part
/// of E |ℓ(X - m)|, relative to the spread of X.
inline double condition_number(const AnyLoss& loss) {
  if (is_convex(loss) || is_concave(loss)) return 2.0;
  const auto [lower, upper] = loss.slope_bounds();
  return upper / lower;
}

}  // namespace shortfall::detail
