#pragma once

#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/options.hpp"
#include "report/rows.hpp"

namespace shortfall::app {

/// The data of the HTML report of an inventory; web/README.md describes the keys.
struct Plan {
  report::Json data;
  Policy orders;
  std::vector<Outcome> outcomes;  ///< of each solve and evaluation
};

Plan make_plan(const InventoryReportOptions& options, const InventoryPoint& point,
               Progress& progress);

}  // namespace shortfall::app
