#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "shortfall/mdp/row_costs.hpp"

namespace shortfall::detail {

/// A summary of the outcomes of some rows; see RowCosts.
struct CostLimits {
  double lowest = 0.0;
  double highest = 0.0;
  double least_probability = 1.0;

  void merge(const CostLimits& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
    least_probability = std::min(least_probability, other.least_probability);
  }
};

/// The summary of rows that are not summarised yet, or have no outcomes.
RowCosts empty_row_costs(std::size_t rows);

/// The entries of a row in RowCosts, unless it has no outcomes; returns its limits.
CostLimits summarise_row(const Outcomes::Row& law, double& expected, std::uint8_t& varies);

void set_limits(const CostLimits& limits, RowCosts& costs);

/// Rows for one task: about as many outcomes for each, whatever the length of rows.
std::size_t rows_per_task(const Outcomes& outcomes);

}  // namespace shortfall::detail
