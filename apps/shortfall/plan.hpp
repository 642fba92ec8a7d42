#pragma once

#include "inventory_command.hpp"
#include "inventory_report.hpp"
#include "options.hpp"
#include "rows.hpp"

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
