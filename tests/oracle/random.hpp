#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace oracle {

/// SplitMix64: the same numbers from the same seed with every compiler, and a separate generator
/// for each case, so that a case can be reproduced alone.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed * 0x9E3779B97F4A7C15U) {
    state_ ^= next() + stream * 0xD1B54A32D192ED03U;
  }

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }  ///< in [0, 1)
  double uniform(double from, double to) { return from + (to - from) * uniform(); }
  bool chance(double probability) { return uniform() < probability; }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }

  /// 10 to a power that is uniform between the given bounds.
  double decades(double from, double to) { return std::pow(10.0, uniform(from, to)); }

  /// An integer from `from` to `to`, both included.
  int between(int from, int to) {
    return from + static_cast<int>(next() % static_cast<std::uint64_t>(to - from + 1));
  }

  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *std::next(choices.begin(), between(0, static_cast<int>(choices.size()) - 1));
  }

 private:
  std::uint64_t state_;
};

}  // namespace oracle
