#include "shortfall/formats/fitted_plan.hpp"

#include <fmt/format.h>

#include "formats/fitted_plan_text.hpp"
#include "require.hpp"
#include "shortfall/error.hpp"
#include "shortfall/inventory/fitted_model.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

const std::string plan_name = "the fitted plan";

void check_assignments(const FittedPlanOptions& options) {
  for (const std::string& assignment : options.set) {
    const std::string_view key =
        trimmed(std::string_view(assignment).substr(0, assignment.find('=')));
    require(assignment.find('=') == std::string::npos || key.starts_with("cost.") ||
                key.starts_with("risk."),
            "{} {}: this key is fitted; accepted: keys of [cost] and [risk], such as "
            "cost.order=225; the others can be changed in the plan",
            options.option, assignment);
  }
}

/// Costs and risk with the overrides, read from a plan that is small in all other respects.
InventoryConfiguration costs_and_risk(const FittedPlanOptions& options) {
  InventoryToml small(
      "[inventory]\nshelf_life = 1\ncapacity = 1\n"
      "[demand]\ndistribution = \"poisson\"\nmean = 1\nmax = 1\n"
      "[arrival]\nfresh = true\n"
      "[cost]\norder = 10\nholding = 1\nshortage = 20\nwastage = 5\n"
      "[risk]\nloss = \"expectile:0.9\"\ngamma = 0.6\n",
      plan_name);
  for (const std::string& assignment : options.set) small.set(assignment, options.option);
  return small.configuration();
}

}  // namespace

FittedPlan fitted_plan(const inventory::Fit& fit, const FittedPlanOptions& options) {
  check_assignments(options);
  const InventoryConfiguration given = costs_and_risk(options);
  const std::vector<inventory::Costs>& cost = given.model.parts().cost;
  const std::size_t suggested = inventory::suggested_capacity(fit, cost, given.criterion);
  const std::size_t capacity = options.capacity.value_or(suggested);
  if (capacity < 1 || capacity > inventory::largest_capacity) {
    throw InvalidField("capacity", fmt::format("capacity = {}; accepted: 1 to {}", capacity,
                                               inventory::largest_capacity));
  }
  const std::size_t max_order = options.max_order.value_or(capacity);
  if (max_order > capacity) {
    throw InvalidField("max_order", fmt::format("max_order = {}; accepted: 0 to the capacity, {}",
                                                max_order, capacity));
  }
  std::vector<std::string> warnings = fit.warnings;
  if (!options.capacity && suggested == inventory::largest_capacity) {
    warnings.push_back(fmt::format(
        "the best stock may be above {}, the largest capacity; count in packs of several units",
        inventory::largest_capacity));
  } else if (options.capacity && capacity < suggested) {
    warnings.push_back(fmt::format("the capacity {} may limit the best orders; {} would not",
                                   capacity, suggested));
  }
  const std::optional<std::size_t> useful =
      max_order < capacity ? inventory::largest_useful_order(fit, cost, capacity, given.criterion)
                           : std::nullopt;
  if (useful && max_order < *useful) {
    warnings.push_back(fmt::format("the largest order {} may limit the best orders; {} would not",
                                   max_order, *useful));
  }
  const PlanValues values{.records = options.records,
                          .capacity = capacity,
                          .max_order = max_order,
                          .capacity_given = options.capacity.has_value(),
                          .cost = cost,
                          .loss = given.criterion.loss.to_string(),
                          .gamma = given.criterion.gamma};
  std::string toml = fitted_plan_text(fit, values, warnings);
  InventoryConfiguration configuration = InventoryToml(toml, plan_name).configuration();
  return {std::move(toml), std::move(configuration), std::move(warnings)};
}

}  // namespace shortfall::io
