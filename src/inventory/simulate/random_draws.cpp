#include "inventory/simulate/random_draws.hpp"

#include <algorithm>
#include <cmath>

namespace shortfall::inventory::detail {

DemandSampler::DemandSampler(std::span<const double> law) {
  // Up to the last possible demand, which takes the mass left by rounding.
  std::size_t last = law.size() - 1;
  while (last > 0 && law[last] == 0.0) --last;
  double sum = 0.0;
  for (std::size_t d = 0; d < last; ++d) cumulative_.push_back(std::min(sum += law[d], 1.0));
  cumulative_.push_back(1.0);

  constexpr std::size_t size = std::size_t{1} << guide_bits;
  std::size_t d = 0;
  for (std::size_t g = 0; g < size; ++g) {
    while (static_cast<double>(g) / static_cast<double>(size) >= cumulative_[d]) ++d;
    guide_.push_back(static_cast<std::uint16_t>(d));
  }
}

std::int32_t threshold(double p) {
  const double numbers_below = std::nearbyint(std::clamp(p, 0.0, 1.0) * 0x1.0p31);
  return static_cast<std::int32_t>(numbers_below - 1.0);
}

}  // namespace shortfall::inventory::detail
