#include "shortfall/dp/bounds.hpp"

#include <cmath>
#include <limits>

namespace shortfall {

TwoSidedBound two_sided_bound(const SweepSummary& sweep, double gamma, double rounding) {
  const double reach = gamma / (1.0 - gamma);
  const double shift = reach * 0.5 * (sweep.lowest_change + sweep.highest_change);
  const double half_width = reach * 0.5 * (sweep.highest_change - sweep.lowest_change);
  const double lasting =
      rounding / (1.0 - gamma) + std::numeric_limits<double>::epsilon() * std::abs(shift);
  return {shift, half_width + lasting, lasting};
}

}  // namespace shortfall
