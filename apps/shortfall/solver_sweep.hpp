#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/shortfall/sweep.hpp"
#include "shortfall/dp/solution.hpp"

namespace shortfall::app {

/// The keys of `solve --sweep` and `evaluate --sweep`: loss, tau (the level of an expectile),
/// gamma.
inline constexpr SweepRule solver_sweeps{
    "loss=mean,expectile:0.9 or tau=0.1:0.9:0.1 or gamma=0.9,0.99", "tau", "loss"};

/// A criterion, and what the sweep sets in it.
struct CriterionPoint {
  SweepPoint set;
  Criterion criterion;
};

/// All combinations, the last sweep varying fastest; the given criterion without sweeps. Throws
/// InvalidInput for another key, for a value that is no loss, level or number, and if two points
/// have the same criterion.
std::vector<CriterionPoint> criterion_points(const Criterion& given,
                                             const std::vector<std::string>& sweeps);

/// The first key of a sweep that is one of these.
std::optional<std::string> swept_key(const std::vector<std::string>& sweeps,
                                     std::initializer_list<std::string_view> keys);

}  // namespace shortfall::app
