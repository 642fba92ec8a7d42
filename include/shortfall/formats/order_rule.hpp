#pragma once

#include <string>

#include "shortfall/inventory/plan/rules.hpp"

/// Ordering rules as users give them: a name of inventory/plan/rules.hpp, or a CSV file of orders.
namespace shortfall::io {

/// The rule of this name. That of a file (`-` is standard input) is of kind `given` and has no
/// orders yet: the file is not read. Throws InvalidInput for malformed levels, and for a name that
/// is neither a rule nor an existing file, with the likely one.
inventory::Rule parse_order_rule(const std::string& name);

/// The same rule, with the orders of its file. Throws InvalidInput for levels above the capacity,
/// and for a file that does not fit the model (formats/order_policy_csv.hpp).
inventory::Rule fitting_rule(inventory::Rule rule, const inventory::Model& model);

/// Both at once.
inventory::Rule read_rule(const std::string& name, const inventory::Model& model);

}  // namespace shortfall::io
