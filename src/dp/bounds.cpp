#include "shortfall/dp/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shortfall {

TwoSidedBound two_sided_bound(const SweepSummary& sweep, double gamma, double rounding) {
  constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
  const double reach = gamma / (1.0 - gamma);  // exact up to the division if γ ≥ 1/2
  const double shift = reach * 0.5 * (sweep.lowest_change + sweep.highest_change);
  const double half_width = reach * 0.5 * (sweep.highest_change - sweep.lowest_change);
  const double value =
      std::max(std::abs(sweep.lowest_value), std::abs(sweep.highest_value)) + std::abs(shift);
  const double lasting = (1.0 + 8.0 * unit) * (rounding / (1.0 - gamma) + 2.0 * unit * value) +
                         4.0 * std::numeric_limits<double>::denorm_min();
  const double of_changes = 8.0 * unit * reach * sweep.residual();
  return {shift, (1.0 + 8.0 * unit) * (half_width + of_changes + lasting), lasting};
}

}  // namespace shortfall
