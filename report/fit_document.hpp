#pragma once

#include <nlohmann/json_fwd.hpp>

#include "shortfall/formats/fitted_plan.hpp"
#include "shortfall/inventory/fit.hpp"

namespace shortfall::report {

/// What was fitted to records, and the size of the plan, with the keys that `inventory fit --json`
/// prints.
nlohmann::json fit_document(const inventory::Fit& fit, const io::FittedPlan& plan);

}  // namespace shortfall::report
