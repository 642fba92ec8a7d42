#pragma once

#include <optional>
#include <string>

#include "inventory_command.hpp"
#include "shortfall/inventory/baselines.hpp"

namespace shortfall::app {

/// A policy that the command line names, for one instance.
struct ChosenOrders {
  std::string word;  ///< as it was given
  Policy orders;
  Status status = Status::converged;  ///< of the solve that it took, if any
  std::optional<inventory::NonPerishable> non_perishable = {};  ///< of static
};

/// `word` is optimal, static, myopic, risk-neutral, base-stock:S, reorder:s,S or a CSV file. Throws
/// InvalidInput for what is none of them, levels beyond the capacity, and a file that does not fit.
ChosenOrders chosen_orders(const std::string& word, const InventoryPoint& point,
                           InventorySolver& solver, int threads);

/// Throws InvalidInput for a word of the right beginning that cannot be meant, and for one that is
/// neither a word nor a file: before any work.
void check_policy_word(const std::string& word);

}  // namespace shortfall::app
