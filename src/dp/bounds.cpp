#include "shortfall/dp/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numbers/roundoff.hpp"

namespace shortfall {

TwoSidedBound two_sided_bound(const SweepSummary& sweep, double gamma, double rounding) {
  using detail::rounded_up;
  constexpr double unit = detail::unit_roundoff;
  const double reach = gamma / (1.0 - gamma);  // exact up to the division if γ ≥ 1/2
  const double shift = reach * 0.5 * (sweep.lowest_change + sweep.highest_change);
  const double half_width = reach * 0.5 * (sweep.highest_change - sweep.lowest_change);
  const double value =
      std::max(std::abs(sweep.lowest_value), std::abs(sweep.highest_value)) + std::abs(shift);
  const double lasting = rounded_up(rounding / (1.0 - gamma) + 2.0 * unit * value, 8.0) +
                         4.0 * std::numeric_limits<double>::denorm_min();
  const double of_changes = 8.0 * unit * reach * sweep.residual();
  return {shift, rounded_up(half_width + of_changes + lasting, 8.0), lasting};
}

}  // namespace shortfall
