#pragma once

#include <optional>
#include <span>
#include <vector>

#include "inventory/demand_counts.hpp"
#include "shortfall/inventory/fit.hpp"

namespace shortfall::inventory::detail {

/// Fitted laws of groups of days: means, and dispersions, one of all groups or one of each.
struct GroupedLaw {
  std::vector<double> mean;
  std::vector<double> dispersion;

  double dispersion_of(std::size_t group) const {
    return dispersion.size() == 1 ? dispersion.front() : dispersion[group];
  }
};

/// The test of GoodnessOfFit, on bins in which five or more days are expected; none if these are
/// fewer than three.
std::optional<GoodnessOfFit> goodness_of_fit(std::span<const DemandCounts> groups,
                                             const GroupedLaw& law);

}  // namespace shortfall::inventory::detail
