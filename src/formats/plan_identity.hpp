#pragma once

#include <string>
#include <vector>

#include "shortfall/formats/inventory_toml.hpp"

namespace shortfall::io {

/// One part of what determines the solution of a plan, by the key of the configuration.
struct PlanPart {
  std::string name;       ///< "cost.order", or "demand.mean on Monday"
  std::string text = {};  ///< of a part that is a word
  std::vector<double> numbers = {};
  double tolerance = 0.0;  ///< relative: numbers within it count as equal
  bool is_detail = false;  ///< of the part before: not named if that one has changed
};

/// All parts of a plan. Those of demand and arrivals are the probabilities, not the parameters that
/// they were computed from.
std::vector<PlanPart> plan_parts(const InventoryConfiguration& plan);

/// What changed, part by part, such as "cost.order: 10 when solved, 12 now".
std::vector<std::string> changes(const std::vector<PlanPart>& solved,
                                 const std::vector<PlanPart>& now);

}  // namespace shortfall::io
