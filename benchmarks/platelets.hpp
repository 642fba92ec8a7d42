#pragma once

#include <cstddef>

#include "shortfall/inventory/model.hpp"

namespace shortfall::benchmarks {

/// The published platelets of shelf life 3, 5 and 8 (Wang and Delage, section 6.2), or with a week
/// of demands around the same mean.
inventory::Model platelets(std::size_t shelf_life, std::size_t capacity = 20, std::size_t days = 1,
                           const inventory::Costs& cost = {10, 1, 20, 5});

}  // namespace shortfall::benchmarks
