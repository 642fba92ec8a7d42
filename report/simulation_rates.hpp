#pragma once

#include "report/rows.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::report {

/// Costs, service and waste of a simulation, per period and overall; keys in alphabetical order.
Json rates_of(const inventory::SimulationResult& result);

}  // namespace shortfall::report
