#pragma once

#include <string>
#include <vector>

#include "shortfall/inventory/fit/fit.hpp"

namespace shortfall::inventory::detail {

/// The demand part of fit_records(), whose records have been checked. Adds its warnings.
DemandFit fit_demand(const Records& records, const FitOptions& options,
                     std::vector<Warning>& warnings);

}  // namespace shortfall::inventory::detail
