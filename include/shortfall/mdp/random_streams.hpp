#pragma once

#include <cstdint>
#include <pcg_random.hpp>

namespace shortfall {

/// The generator of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the n-th number of a seed is
/// scrambled(seed + n golden_ratio), for any n at once.
inline constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;
constexpr std::uint64_t scrambled(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// A seed for each of several uses of one seed.
constexpr std::uint64_t seed_of(std::uint64_t seed, std::uint64_t use) {
  return scrambled(scrambled(seed) + (use + 1) * golden_ratio);
}

/// The generator of one of many streams. Streams of PCG that begin at one seed differ by multiples
/// of one constant; scrambled beginnings do not.
inline pcg64 stream_bits(std::uint64_t seed, std::uint64_t stream) {
  return pcg64(seed_of(seed, stream), stream);
}

}  // namespace shortfall
