#pragma once

#include <cstdint>
#include <pcg_random.hpp>

namespace shortfall {

/// The SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014): the n-th number of a seed is
/// splitmix64_mix(seed + n golden_ratio), with random access in n.
inline constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;
constexpr std::uint64_t splitmix64_mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// Derives a separate seed for each use of one seed.
constexpr std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t use) {
  return splitmix64_mix(splitmix64_mix(seed) + (use + 1) * golden_ratio);
}

/// The generator of one of many streams. PCG streams that start from the same seed differ by
/// multiples of one constant; with mixed seeds they do not.
inline pcg64 stream_generator(std::uint64_t seed, std::uint64_t stream) {
  return pcg64(derive_seed(seed, stream), stream);
}

}  // namespace shortfall
