#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shortfall/inventory/fit.hpp"
#include "shortfall/inventory/model.hpp"

namespace shortfall::io {

/// The parts of a plan that are not fitted.
struct PlanValues {
  std::string records;
  std::size_t capacity;
  std::size_t max_order;
  bool capacity_given;
  std::vector<inventory::Costs> cost;
  std::string loss;
  double gamma;
};

/// The plan as TOML with comments.
std::string fitted_plan_text(const inventory::Fit& fit, const PlanValues& values,
                             const std::vector<std::string>& warnings);

}  // namespace shortfall::io
