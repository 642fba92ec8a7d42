#pragma once

#include "shortfall/inventory/model.hpp"

namespace shortfall::inventory {

/// Throws InvalidInput if solving needs more memory than is available, with both figures.
void check_memory(const Model& model);

}  // namespace shortfall::inventory
