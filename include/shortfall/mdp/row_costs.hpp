#pragma once

#include <cstdint>
#include <vector>

#include "shortfall/mdp/outcomes.hpp"

namespace shortfall {

/// What sweeps and bounds need to know about the costs of a model, found once: a sweep need not
/// read one cost per outcome for the mean, nor where they do not vary within a row.
struct RowCosts {
  std::vector<double> expected;    ///< E c of each row; NaN if it has no outcomes
  std::vector<std::uint8_t> vary;  ///< 0 where all costs of a row are equal, and equal to E c
  double lowest = 0.0;             ///< min c, at most 0
  double highest = 0.0;            ///< max c, at least 0
  double least_probability = 1.0;

  static RowCosts of(const Outcomes& outcomes);
};

}  // namespace shortfall
