#pragma once

#include <cstddef>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::io {

/// Reserves room for `rows` in every column, on huge pages if that is much, so that columns are not
/// moved as they grow.
void reserve(TransitionTable& table, std::size_t rows);

/// Adds rows of zeros up to `rows`, in parallel if they are many: using new memory takes time.
void resize(TransitionTable& table, std::size_t rows);

}  // namespace shortfall::io
