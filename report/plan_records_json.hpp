#pragma once

#include "report/rows.hpp"
#include "shortfall/inventory/plan_records.hpp"

namespace shortfall::report {

/// Fit, rule in use and back-test, for the page of a plan; web/README.md describes the keys.
Json json_of(const inventory::PlanRecords& records, const inventory::Model& model);

}  // namespace shortfall::report
