#pragma once

#include <functional>
#include <string>
#include <vector>

#include "exact_inventory.hpp"
#include "random.hpp"

namespace oracle {

/// Keys that not every version of the command knows.
struct KnownKeys {
  bool unit_cost = false;
  bool weekly_max_order = false;
  bool weekly_costs = false;
  bool shares = false;
  bool weekly_shares = false;
};

/// Asks the command, by a run on a configuration that has the key; `accepts` says what came of it.
KnownKeys known_keys(const std::function<bool(const std::string& configuration)>& accepts);

/// A small stock; what makes it hard is added to `ingredients`.
Inventory draw_stock(Random& random, const KnownKeys& known, std::vector<std::string>& ingredients);

/// A cost of a unit or of an order, perhaps 0; over sixteen decades where `wide`.
double draw_unit_cost(Random& random, bool wide);

/// What a period may cost at most, about.
double spread_of(const Inventory& inventory);

}  // namespace oracle
