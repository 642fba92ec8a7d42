#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace shortfall::testing {

/// Pearson's statistic of counts against a law; cells of probability 0 must be empty and
/// do not count.
struct ChiSquare {
  double statistic = 0.0;
  double threshold = 0.0;  ///< exceeded with probability below 1e-9 if the counts follow the law
};

inline ChiSquare chi_square(const std::vector<std::size_t>& counts,
                            const std::vector<double>& law) {
  double total = 0.0;
  for (const std::size_t count : counts) total += static_cast<double>(count);
  ChiSquare result;
  double freedom = -1.0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    if (law[i] == 0.0) continue;
    const double expected = total * law[i];
    const double excess = static_cast<double>(counts[i]) - expected;
    result.statistic += excess * excess / expected;
    freedom += 1.0;
  }
  // P(χ²_k ≥ k + 2√(kt) + 2t) ≤ e^{-t} (Laurent, Massart, Annals of Statistics 28, 2000), t = 20.8.
  const double t = -std::log(1e-9);
  result.threshold = freedom + 2.0 * std::sqrt(freedom * t) + 2.0 * t;
  return result;
}

}  // namespace shortfall::testing
