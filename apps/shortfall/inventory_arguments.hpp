#pragma once

#include <string>
#include <vector>

#include "apps/shortfall/general_arguments.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/solve.hpp"

namespace shortfall::app {

using inventory::Stopping;

/// Options of all inventory commands.
struct InventoryOptions : GeneralOptions {
  std::string config;
  std::vector<std::string> set;    ///< KEY=VALUE
  std::vector<std::string> sweep;  ///< KEY=VALUES, at most two
  double tolerance = SolverOptions{}.tolerance;
  /// Nobody asked for this tolerance, and the command has an answer without it, with its bound.
  bool tolerance_is_a_wish = false;
  int max_iterations = SolverOptions{}.max_iterations;
  Stopping stopping = Stopping::certified;
};

void add_inventory_options(const Grammar& grammar, InventoryOptions& options,
                           Randomness randomness);

/// --policy-out, a file for the orders. Needs the inventory options.
void add_policy_out(const Grammar& grammar, const InventoryOptions& options,
                    std::string& policy_out);

}  // namespace shortfall::app
