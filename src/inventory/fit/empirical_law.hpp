#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "inventory/fit/demand_counts.hpp"
#include "shortfall/inventory/fit/fit.hpp"

namespace shortfall::inventory::detail {

/// The distribution of recorded demand. With h_k = (days with demand k) / (days at risk at k),
///
///   P(D ≥ k) = Π_{j<k} (1 - h_j),
///
/// the product-limit estimate (Kaplan, Meier, J. Amer. Statist. Assoc. 53, 1958): the maximum of
/// the likelihood over all laws. A day is at risk at k if its demand is known and at least k, or
/// known to be above k. Without stock-outs these are plain frequencies. If the largest values are
/// those of stock-outs, the mass beyond the largest known demand is placed at the largest value.
struct EmpiricalLaw {
  std::vector<double> probabilities;
  double mean;
  /// At 95 %. Where all known days have the same demand k, there is no variance to go by: a share p
  /// of days may differ with (1 - p)^days = 0.05, here by at most k, or 1 for k = 0.
  Interval mean_interval;
  double log_likelihood;
  std::size_t parameters;  ///< values with positive probability, less one
  double unknown_mass;     ///< beyond the largest known demand
};
EmpiricalLaw empirical_law(const DemandCounts& counts);

/// Days at risk by k.
std::vector<std::size_t> days_at_risk(const DemandCounts& counts);

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
