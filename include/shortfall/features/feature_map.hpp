#pragma once

#include <concepts>
#include <cstddef>
#include <span>

/// Features φ(x) in ℝᵈ of a state x, in which learners represent a value as V(x) ≈ φ(x)ᵀθ.
namespace shortfall::features {

/// The interface of every feature map. A learner calls it for every sample, so it must
/// not allocate.
///
///   dimension()     d
///   write(x, out)   writes φ(x), all finite, to the d numbers of `out`
template <class M, class State>
concept FeatureMap = requires(const M& map, const State& x, std::span<double> out) {
  { map.dimension() } -> std::same_as<std::size_t>;
  { map.write(x, out) } -> std::same_as<void>;
};

/// Whether the constant 1 is among the features.
enum class Intercept { with, without };

/// A state that is a list of coordinates: a vector, an array, a span, of any kind of number.
template <class P>
concept Point = requires(const P& x, std::size_t i) {
  { x.size() } -> std::convertible_to<std::size_t>;
  static_cast<double>(x[i]);
};

namespace detail {
[[noreturn]] void throw_not_finite(std::span<const double> phi);
}

/// Throws InvalidInput if a feature is infinite or NaN; the message names the first one,
/// counted from 1.
inline void check_finite(std::span<const double> phi) {
  double zero = 0.0;
  for (const double value : phi) zero += 0.0 * value;  // NaN unless all are finite
  if (!(zero == 0.0)) detail::throw_not_finite(phi);
}

}  // namespace shortfall::features
