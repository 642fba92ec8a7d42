#pragma once

#include <cstddef>

#include "parallel/communicator.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

/// The peak memory of a rank in bytes, if `ranks` of them solve a model together. All have the
/// values of all states and the table of targets. What is known about orders, most of the rest, is
/// divided.
double memory_per_rank(const Model& model, std::size_t ranks);

/// Throws InvalidInput on all ranks if solving needs more memory than is available to one of them,
/// with both figures. Ranks on the same machine share what it has.
void check_memory(const Model& model, shortfall::detail::Communicator& communicator);

}  // namespace shortfall::inventory
