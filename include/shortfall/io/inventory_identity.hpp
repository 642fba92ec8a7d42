#pragma once

#include <string>

#include "shortfall/io/inventory_toml.hpp"

namespace shortfall::io {

/// All numbers of an inventory and its risk in one line: two that agree here are the same, and what
/// was learned of one may go on with the other.
std::string identity(const InventoryConfiguration& configuration);

}  // namespace shortfall::io
