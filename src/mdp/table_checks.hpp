#pragma once

#include <cstddef>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::detail {

/// What the checks of a table find out besides.
struct TableSummary {
  std::size_t states = 0;
  bool grouped = true;  ///< the rows are in order of state and action
};

/// Everything Mdp::build(TransitionTable) promises to check except the sums of probabilities, in
/// parallel. Throws InvalidModel for the first row that is not sound; then for missing states, and
/// then for missing actions.
TableSummary check_table(const TransitionTable& table);

}  // namespace shortfall::detail
