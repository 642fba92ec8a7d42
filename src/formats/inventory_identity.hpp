#pragma once

#include <string>

#include "shortfall/formats/inventory_toml.hpp"

namespace shortfall::io {

/// All numbers of an inventory and its risk in one line. Configurations with the same line are the
/// same, so training of one can be resumed with the other.
std::string identity(const InventoryConfiguration& configuration);

}  // namespace shortfall::io
