#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exact_inventory.hpp"
#include "random.hpp"

namespace oracle {

/// What not every version of the command knows: keys of a configuration, and more.
struct KnownKeys {
  bool unit_cost = false;
  bool weekly_max_order = false;
  bool weekly_costs = false;
  bool shares = false;
  bool weekly_shares = false;
  bool order_command = false;  ///< `inventory order`
  bool risk_bound = false;     ///< error_bound of `risk`
};

/// Asks the command. `accepts` runs it on a configuration, with these words after `inventory`, and
/// says whether it was content.
using Accepts =
    std::function<bool(const std::string& configuration, const std::vector<std::string>& words)>;
KnownKeys known_keys(const Accepts& accepts);

/// A small stock; what makes it hard is added to `ingredients`.
Inventory draw_stock(Random& random, const KnownKeys& known, std::vector<std::string>& ingredients);

/// A cost of a unit or of an order, perhaps 0; over sixteen decades where `wide`.
double draw_unit_cost(Random& random, bool wide);

/// What a period may cost at most, about.
double spread_of(const Inventory& inventory);

}  // namespace oracle
