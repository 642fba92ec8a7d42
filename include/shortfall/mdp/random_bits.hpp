#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>

#include "shortfall/numbers/portable_math.hpp"

/// Random variates from 64 random bits at a time. Unlike those of <random>, whose algorithms are
/// implementation-defined, they are the same on every platform.
namespace shortfall {

/// A generator of 64 uniform bits, such as pcg64 or std::mt19937_64.
template <class G>
concept RandomBits = std::uniform_random_bit_generator<G> &&(G::min() == 0) &&
                     (G::max() == std::numeric_limits<std::uint64_t>::max());

/// The 53 high bits as a number in [0, 1): k / 2⁵³, each k equally likely.
constexpr double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

/// One draw split in two: `index` uniform on 0..count-1 and, given the index, `fraction` uniform on
/// [0, 1). They are the integer and the fractional part of count · bits / 2⁶⁴. The probability of
/// an index is off by less than 2⁻⁶⁴, and the fraction is one of about 2⁶⁴ / count.
struct IndexAndFraction {
  std::uint32_t index;
  double fraction;
};
constexpr IndexAndFraction split_draw(std::uint64_t bits, std::uint32_t count) {
  const std::uint64_t low = (bits & 0xffffffffU) * count;
  const std::uint64_t high = (bits >> 32) * count + (low >> 32);
  return {static_cast<std::uint32_t>(high >> 32), unit_interval(high << 32 | (low & 0xffffffffU))};
}

/// Uniform on [0, 1).
template <RandomBits G>
double draw_uniform(G& bits) {
  return unit_interval(bits());
}

/// Uniform on 0..count-1.
template <RandomBits G>
std::uint32_t draw_index(G& bits, std::uint32_t count) {
  return split_draw(bits(), count).index;
}

/// Standard normal, by the cosine branch of Box and Muller (Ann. Math. Statist. 29, 1958); two
/// draws. The same on every platform.
template <RandomBits G>
double draw_normal(G& bits) {
  const double radius = std::sqrt(-2.0 * portable::log1p(-draw_uniform(bits)));
  return radius * portable::cos(2.0 * std::numbers::pi * draw_uniform(bits));
}

}  // namespace shortfall
