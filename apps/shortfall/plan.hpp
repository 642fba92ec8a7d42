#pragma once

#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/policy_simulation.hpp"
#include "report/rows.hpp"

namespace shortfall::app {

struct PlanOptions : InventoryOptions, SimulationSize {
  std::vector<double> levels;  ///< of risk, to compare; empty: defaults for the loss
};

/// The data of the HTML report of an inventory; web/README.md describes the keys.
struct Plan {
  report::Json data;
  report::Json conclusions;  ///< from the data, for the sentences of the page
  Policy orders;
  std::vector<Outcome> outcomes;  ///< of each solve and evaluation
};

Plan make_plan(const PlanOptions& options, const InventoryPoint& point, CommandMonitor& watch);

}  // namespace shortfall::app
