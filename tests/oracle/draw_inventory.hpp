#pragma once

#include <functional>

#include "case.hpp"
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

/// `inventory solve`, `evaluate` or `train` on a small stock made to hurt.
Case draw_inventory_case(Random& random, const KnownKeys& known);

}  // namespace oracle
