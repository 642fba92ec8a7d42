#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::testing {

/// The row that is at fault in a table that is not a model.
inline std::size_t row_blamed(const TransitionTable& table) {
  try {
    Mdp::build(table);
  } catch (const InvalidModel& error) {
    return error.row();
  }
  ADD_FAILURE() << "the table was accepted";
  return 0;
}

}  // namespace shortfall::testing
