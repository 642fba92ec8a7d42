#pragma once

#include <string>
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
/// InvalidInput for another key, and for a value that is no loss, level or number.
std::vector<CriterionPoint> criterion_points(const Criterion& given,
                                             const std::vector<std::string>& sweeps);

/// Whether a sweep sets the loss, by `loss` or `tau`; or the discount factor.
bool sweeps_loss(const std::vector<std::string>& sweeps);
bool sweeps_gamma(const std::vector<std::string>& sweeps);

}  // namespace shortfall::app
