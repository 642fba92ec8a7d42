#pragma once

#include "inventory_command.hpp"
#include "options.hpp"
#include "rows.hpp"

namespace shortfall::app {

/// What the planner's page shows of an inventory; web/README.md has its keys.
struct Plan {
  report::Json data;
  Policy orders;
  std::vector<Status> outcomes;  ///< of each solve and evaluation that it took
};

Plan make_plan(const InventoryReportOptions& options, const InventoryPoint& point,
               Progress& progress);

}  // namespace shortfall::app
