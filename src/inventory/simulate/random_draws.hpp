#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"

/// The random draws of simulate(): two per period, regardless of the order.
namespace shortfall::inventory::detail {

/// Demand by inversion: the smallest d with u < P(D ≤ d). A guide table (Chen, Asau, AIIE Trans. 6,
/// 1974) gives the start of the search, which mostly ends at once.
class DemandSampler {
 public:
  explicit DemandSampler(std::span<const double> law);

  std::int32_t at(std::uint64_t bits) const {
    const double u = unit_interval(bits);
    std::size_t d = guide_[bits >> (64 - guide_bits)];
    while (u >= cumulative_[d]) ++d;
    return static_cast<std::int32_t>(d);
  }

 private:
  static constexpr unsigned guide_bits = 9;

  std::vector<double> cumulative_;  // ends with 1
  std::vector<std::uint16_t> guide_;
};

/// The 31-bit numbers of a period's units, two from each number of SplitMix64; the u-th does not
/// depend on how many are used. A unit of an order of z has more than i periods left if its number
/// is above threshold(P(shelf life ≤ i | z)).
struct UnitDraws {
  std::int32_t first;
  std::int32_t second;
};
constexpr UnitDraws unit_draws(std::uint64_t key, std::uint64_t pair) {
  const std::uint64_t bits = splitmix64_mix(key + (pair + 1) * golden_ratio);
  return {static_cast<std::int32_t>(bits >> 33), static_cast<std::int32_t>(bits & 0x7fffffff)};
}

/// A number in 0..2³¹-1 is above it with probability 1 - p, within 2⁻³²; exactly for p = 0 and 1.
std::int32_t threshold(double p);

}  // namespace shortfall::inventory::detail
