#pragma once

#include <concepts>
#include <cstddef>
#include <span>

/// Features φ(x) in ℝᵈ of a state x, in which learners hold a value as V(x) ≈ φ(x)ᵀθ.
namespace shortfall::features {

/// What every feature map offers. A learner calls it for every sample, so it allocates nothing.
///
///   dimension()     d
///   write(x, out)   φ(x) into the d numbers of `out`, all finite
template <class M, class State>
concept FeatureMap = requires(const M& map, const State& x, std::span<double> out) {
  { map.dimension() } -> std::same_as<std::size_t>;
  { map.write(x, out) } -> std::same_as<void>;
};

namespace detail {
[[noreturn]] void throw_not_finite(std::span<const double> phi);
}

/// Throws InvalidInput that names the first of the features that is infinite or not a number,
/// counted from 1.
inline void check_finite(std::span<const double> phi) {
  double zero = 0.0;
  for (const double value : phi) zero += 0.0 * value;  // anything but a finite number gives NaN
  if (!(zero == 0.0)) detail::throw_not_finite(phi);
}

}  // namespace shortfall::features
