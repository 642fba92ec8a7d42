#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "shortfall/inventory/rules.hpp"

namespace CLI {
class Option;
}

namespace shortfall::app {

/// An option that names ordering rules: --policy or --compare, and the beginning of its help.
struct OrdersOption {
  std::string name;
  std::string names;
};

/// The option, which is returned and may be repeated. Needs the inventory options.
CLI::Option* add_orders(const Grammar& grammar, const InventoryOptions& options,
                        const OrdersOption& option, std::vector<std::string>& policies);

/// A policy named on the command line, for one instance.
struct ChosenOrders {
  std::string name;  ///< as given
  Policy orders;
  Outcome outcome = {};  ///< of the solver that computed it, if any
  std::optional<inventory::NonPerishable> non_perishable = {};  ///< of the static policy
};

/// The orders of a rule, or of a CSV file. Throws InvalidInput for levels above the capacity, and
/// for a file that does not fit the model, and Stopped if a signal came while it was computed.
ChosenOrders chosen_orders(const std::string& name, const InventoryPoint& point,
                           InventorySolver& solver, int threads);

/// Throws InvalidInput for malformed levels, and for a name that is neither a rule nor a file, with
/// the likely one. Called before any work is done.
void check_rule_name(const std::string& name, const std::string& option);

/// The rule of a name that was checked, or one of orders from a CSV file. Throws InvalidInput if it
/// does not fit the model.
inventory::Rule rule_named(const std::string& name, const inventory::Model& model,
                           const std::string& option);

}  // namespace shortfall::app
