#pragma once

#include <cstddef>
#include <vector>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::detail {

/// Puts the rows of a table in order of (from, action), rows of one pair in the given order.
/// Returns where each of them was, nothing if they were in order. `from` is below `states`.
std::vector<std::size_t> group(TransitionTable& table, std::size_t states);

/// Whether row i is the first one of its pair of state and action, in a table in that order.
bool starts_pair(const TransitionTable& table, std::size_t i);

/// The pairs of such a table with their outcomes. The columns `from` and `action` are left.
GroupedTable take_grouped(TransitionTable& table, std::size_t states);

}  // namespace shortfall::detail
