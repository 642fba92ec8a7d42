#pragma once

#include "shortfall/inventory/model.hpp"

namespace shortfall::inventory {

/// Throws InvalidInput where solving needs more memory than there is, with both figures.
void check_memory(const Model& model);

}  // namespace shortfall::inventory
