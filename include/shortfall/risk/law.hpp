#pragma once

#include <span>

namespace shortfall {

/// A discrete law: X takes the value atoms[i] with probability probabilities[i]. Both spans have
/// the same length of at least one; probabilities are ≥ 0 and sum to one.
struct Law {
  std::span<const double> atoms;
  std::span<const double> probabilities;
};

/// The largest accepted deviation of a sum of probabilities from one; within it, probabilities are
/// rescaled to sum to one.
inline constexpr double probability_tolerance = 1e-6;

/// Throws InvalidInput unless `law` is valid, naming the first bad entry or the sum found.
void validate(const Law& law);

}  // namespace shortfall
