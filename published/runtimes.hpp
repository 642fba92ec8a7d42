#pragma once

#include <array>
#include <cstddef>

namespace shortfall::studies {

/// Published time of one evaluation of the static policy at costs (10, 1, 20, 5): Wang and Delage,
/// appendix. Exactly to a tolerance of 0.1; or from 60 000 samples, as the mean of 20 runs, with
/// the gap between the mean estimate and the exact value at the empty stock.
struct PublishedRuntime {
  std::size_t shelf_life;
  double tau;
  double exact_seconds;
  bool is_lower_bound;  ///< exact_seconds is where they stopped
  double td_seconds;
  double td_gap_percent;
  double newton_seconds;
  double newton_gap_percent;
};

inline constexpr std::array<PublishedRuntime, 9> published_runtimes{{
    {3, 0.4, 5.74, false, 171.1, 7.99, 198.12, 2.07},
    {3, 0.5, 5.4, false, 160.71, 6.7, 183.31, 0.45},
    {3, 0.6, 7.48, false, 171.76, 8.0, 198.98, 2.74},
    {5, 0.4, 376.25, false, 171.32, 0.87, 201.36, 2.48},
    {5, 0.5, 396.71, false, 161.45, 0.7, 186.43, 0.62},
    {5, 0.6, 673.51, false, 173.18, 0.37, 202.82, 7.7},
    {8, 0.4, 14 * 3600.0, true, 178.25, 0.76, 216.02, 3.12},
    {8, 0.5, 17 * 3600.0, true, 165.91, 1.2, 197.3, 0.4},
    {8, 0.6, 35 * 3600.0, true, 175.66, 1.27, 212.77, 7.44},
}};

}  // namespace shortfall::studies
