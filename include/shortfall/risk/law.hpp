#pragma once

#include <span>

namespace shortfall {

/// A discrete law: X takes the value atoms[i] with probability probabilities[i].
/// The two have equal length of at least one; probabilities are ≥ 0 and sum to one.
struct Law {
  std::span<const double> atoms;
  std::span<const double> probabilities;
};

/// How far a sum of probabilities may be from one before it is an error; within it, probabilities
/// are rescaled to sum to one.
inline constexpr double probability_tolerance = 1e-6;

/// Throws InvalidInput unless `law` is one, naming the first bad entry or the sum found.
void validate(const Law& law);

}  // namespace shortfall
