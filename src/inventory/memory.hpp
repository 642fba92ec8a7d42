#pragma once

#include "shortfall/inventory/model.hpp"

namespace shortfall::inventory {

/// Throws InvalidInput where solving needs more memory than this machine has, with both figures.
void check_memory(const Model& model);

}  // namespace shortfall::inventory
