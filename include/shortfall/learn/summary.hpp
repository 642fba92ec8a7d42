#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shortfall::learn {

/// Mean, standard error and median of a sample. Check: {1, 2, 6} has mean 3, standard error
/// √(7/3), median 2.
struct Summary {
  double mean;            ///< +∞ if a value is
  double standard_error;  ///< √(Σ (v - mean)² / (n (n - 1))), +∞ if a value is, NaN for n < 2
  double median;          ///< for even n the mean of the middle two; +∞ if half of the values are
};

/// Summary of values that are finite or +∞, summed in the given order. NaN if there are none.
Summary summarise(std::span<const double> values);

/// The integers nearest to first · 10^(k / per_decade), k = 0, 1, ..., below `last`, then `last`,
/// without duplicates: iterations to record for a logarithmic axis. Check: (1, 20, 3) gives 1, 2,
/// 5, 10, 20. Throws InvalidInput unless 1 ≤ first ≤ last and per_decade ≥ 1.
std::vector<std::uint64_t> log_spaced(std::uint64_t first, std::uint64_t last,
                                      std::size_t per_decade);

}  // namespace shortfall::learn
