#pragma once

#include <cstddef>
#include <string>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::detail {

/// A grouped table that is a whole model, or the part of one from `first_state` on. In a part,
/// `next` counts all states of the model.
struct TablePart {
  const GroupedTable& table;
  std::size_t first_state = 0;
};

/// Throws InvalidModel: "state X, action A: PROBLEM".
[[noreturn]] void reject_row(const TablePart& part, std::size_t row, const std::string& problem);

/// Throws InvalidModel unless lengths and beginnings fit together, and the actions of each state
/// are in increasing order.
void check_shape(const TablePart& part);

}  // namespace shortfall::detail
