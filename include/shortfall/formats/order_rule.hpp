#pragma once

#include <string>

#include "shortfall/inventory/plan/rules.hpp"

/// Ordering rules as users give them: a name of inventory/plan/rules.hpp, or a CSV file of orders.
namespace shortfall::io {

/// Throws InvalidInput for malformed levels, and for a name that is neither a rule nor an existing
/// file (`-` is standard input), with the likely one. Does not read the file.
void check_rule_name(const std::string& name);

/// Throws InvalidInput also for levels above the capacity, and for a file that does not fit the
/// model (formats/order_policy_csv.hpp).
inventory::Rule read_rule(const std::string& name, const inventory::Model& model);

}  // namespace shortfall::io
