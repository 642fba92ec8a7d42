#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "shortfall/inventory/baselines.hpp"

namespace CLI {
class Option;
}

namespace shortfall::app {

/// --policy, which is returned and may be repeated. `names` is the beginning of its help. Needs the
/// inventory options.
CLI::Option* add_orders(const Grammar& grammar, const InventoryOptions& options,
                        std::vector<std::string>& policies, const std::string& names);

/// A policy named on the command line, for one instance.
struct ChosenOrders {
  std::string name;  ///< as given
  Policy orders;
  Outcome outcome = {};  ///< of the solver that computed it, if any
  std::optional<inventory::NonPerishable> non_perishable = {};  ///< of the static policy
};

/// `name` is optimal, static, myopic, risk-neutral, base-stock:S, reorder:s,S or a CSV file. Throws
/// InvalidInput for anything else, for levels above the capacity, and for a file that does not fit
/// the model, and Stopped if a signal came while it was computed.
ChosenOrders chosen_orders(const std::string& name, const InventoryPoint& point,
                           InventorySolver& solver, int threads);

/// Throws InvalidInput for malformed levels, and for a name that is neither a policy nor a file.
/// Called before any work is done.
void check_policy_name(const std::string& name);

}  // namespace shortfall::app
