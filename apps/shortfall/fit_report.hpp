#pragma once

#include <string>

#include "shortfall/formats/fitted_plan.hpp"
#include "shortfall/inventory/fit.hpp"

namespace shortfall::app {

/// A summary for people; `out` is where the plan was written, or empty.
std::string fit_text(const inventory::Fit& fit, const io::FittedPlan& plan, const std::string& out);

}  // namespace shortfall::app
