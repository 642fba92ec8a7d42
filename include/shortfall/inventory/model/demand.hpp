#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

/// Laws of a period's demand D on 0..max, as P(D = 0), .., P(D = max). Mass above `max` is added to
/// D = max, so that a truncated law still sums to one.
namespace shortfall::inventory {

/// The largest accepted demand.
inline constexpr std::size_t largest_demand = 1000;

/// Bound on the relative error of each probability below, if it is in the range of normal doubles:
/// sixteen units in the last place. Certified bounds include it.
inline constexpr double demand_error = 8.0 * std::numeric_limits<double>::epsilon();

/// P(D = k) = Γ(n+k) / (Γ(n) k!) pⁿ (1-p)ᵏ with p = n / (n + mean): variance mean + mean²/n.
/// Check: n = 1 is geometric, P(D = k) = p (1-p)ᵏ. Throws InvalidInput unless n > 0 and mean ≥ 0
/// are finite and max ≤ largest_demand.
std::vector<double> negative_binomial_demand(double n, double mean, std::size_t max);

/// P(D = k) = e^-mean meanᵏ / k!. Throws InvalidInput unless mean ≥ 0 is finite.
std::vector<double> poisson_demand(double mean, std::size_t max);

/// The given law on 0, 1, .., rescaled to sum to one if its sum is within `probability_tolerance`
/// of one. Throws InvalidInput otherwise, and for a negative probability or no probabilities.
std::vector<double> empirical_demand(std::span<const double> probabilities);

}  // namespace shortfall::inventory
