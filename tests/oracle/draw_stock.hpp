#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "case.hpp"
#include "exact_inventory.hpp"

namespace oracle {

/// Features that not every version of the command has: keys of a configuration, and more.
struct KnownKeys {
  bool unit_cost = false;
  bool weekly_max_order = false;
  bool weekly_costs = false;
  bool shares = false;
  bool weekly_shares = false;
  bool order_command = false;  ///< `inventory order`
  bool risk_bound = false;     ///< error_bound of `risk`
};

/// Detects them. `accepts` runs the command on a configuration, with these arguments after
/// `inventory`, and returns whether it succeeded.
using Accepts =
    std::function<bool(const std::string& configuration, const std::vector<std::string>& words)>;
KnownKeys known_keys(const Accepts& accepts);

/// A small stock. Its difficulties are added to `ingredients`.
Inventory draw_stock(Random& random, const KnownKeys& known, std::vector<std::string>& ingredients);

/// A cost per unit or per order, possibly 0; over sixteen decades if `wide`.
double draw_unit_cost(Random& random, bool wide);

/// The largest cost of a period, approximately.
double spread_of(const Inventory& inventory);

/// How a configuration is written to a file.
struct FileOptions {
  std::string loss;  ///< as on the command line
  std::string tau;   ///< used instead if it is not empty
  double gamma = 0.0;
  bool writes_max_order = true;
};

std::string configuration_toml(const Inventory& inventory, const FileOptions& options);

/// Orders as CSV: [day,]x1,..,order.
std::string orders_csv(const Inventory& inventory, const Orders& orders);
Orders read_orders(const Inventory& inventory, const std::filesystem::path& path);

/// `inventory solve`, `evaluate` or `train` on a small, numerically difficult stock.
Case draw_inventory_case(Random& random, const KnownKeys& known);

/// `solve`, `evaluate` or, with a given probability, `risk` on a small, numerically
/// difficult model.
Case draw_model_case(Random& random, double share_of_risk);

}  // namespace oracle
