#pragma once

#include <filesystem>
#include <string>

#include "exact_inventory.hpp"

namespace oracle {

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

}  // namespace oracle
