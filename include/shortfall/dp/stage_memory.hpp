#pragma once

#include <cstddef>

#include "shortfall/dp/finite_horizon.hpp"

namespace shortfall {

/// Throws InvalidInput where the stages that `options` keep do not fit in memory, with both
/// figures.
void check_stage_memory(std::size_t states, const FiniteHorizonOptions& options);

}  // namespace shortfall
