#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "inventory/demand_counts.hpp"
#include "inventory/empirical_law.hpp"
#include "inventory/goodness_of_fit.hpp"
#include "shortfall/inventory/fit.hpp"

namespace shortfall::inventory::detail {

/// Days that share a mean: all of them, or those of a weekday.
struct DemandGroups {
  static constexpr std::size_t none = 7;

  bool by_weekday;
  std::vector<DemandCounts> counts;
  std::array<std::size_t, 7> of_weekday;  ///< the group of a weekday; `none` if it has no days
};
DemandGroups all_days(const Records& records);
DemandGroups weekdays(const Records& records);

/// A candidate with its parameters by group.
struct FittedLaw {
  DemandCandidate summary;
  GroupedLaw law;                       ///< not of the empirical law
  std::vector<EmpiricalLaw> empirical;  ///< of the empirical law only
};

/// All laws, or the one that is asked for, fitted to groups. There is a negative binomial law with
/// an n per weekday only if each of these is finite, and an empirical law that was not asked for
/// only if there are five days per value.
std::vector<FittedLaw> fit_laws(const DemandGroups& groups, std::optional<DemandLaw> wanted);

/// The laws of the groups, with intervals.
std::vector<DemandOfDay> describe_groups(const DemandGroups& groups, const FittedLaw& fitted);

}  // namespace shortfall::inventory::detail
