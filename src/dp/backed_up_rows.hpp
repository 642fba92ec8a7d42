#pragma once

#include <cstddef>

#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/mdp/row_costs.hpp"

namespace shortfall::detail {

/// The rows that an operator backs up.
struct BackedUpRows {
  std::size_t states;
  const std::size_t* state_begin;  // null on a chain
  const Outcomes& outcomes;
  const RowCosts& costs;

  bool is_terminal(std::size_t x) const {
    const std::size_t* const begin = state_begin ? state_begin : outcomes.row_begin.data();
    return begin[x] == begin[x + 1];
  }
  std::size_t first_row(std::size_t x) const { return state_begin ? state_begin[x] : x; }
};

}  // namespace shortfall::detail
