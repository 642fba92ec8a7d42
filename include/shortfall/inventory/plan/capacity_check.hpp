#pragma once

#include <optional>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/fit/warning.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

/// Whether the capacity limits the best orders, which are those of solve(): a warning if stock and
/// order fill it on one day in a hundred, or more often, of twenty simulated years from the empty
/// stock, and a larger one may be of use. It names a capacity that should not limit them: the
/// suggested one (inventory/kernel/suggested_capacity.hpp), and at least a quarter more than this.
/// None for the orders of another model.
std::optional<Warning> capacity_warning(const Model& model, const Criterion& criterion,
                                        const Policy& orders);

}  // namespace shortfall::inventory
