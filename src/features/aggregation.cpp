#include "shortfall/features/aggregation.hpp"

#include <fmt/format.h>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::features {

Aggregation::Aggregation(std::vector<std::uint32_t> cells)
    : cells_(std::move(cells)), dimension_(0) {
  require(!cells_.empty(), "an aggregation of 0 states; accepted: at least one");
  const std::size_t largest = *std::ranges::max_element(cells_);
  // Before memory is allocated for them: with a state in each there are no more cells than states.
  std::vector<bool> has_state(std::min(largest + 1, cells_.size() + 1));
  for (const std::size_t i : cells_) {
    if (i < has_state.size()) has_state[i] = true;
  }
  const auto missing = std::ranges::find(has_state, false);
  require(
      missing == has_state.end(),
      "no state in cell {} of {}; accepted: cells numbered from 0, each with at least one state",
      missing - has_state.begin(), largest + 1);
  dimension_ = largest + 1;
}

void Aggregation::throw_no_state(StateIndex x) const {
  throw InvalidInput(
      fmt::format("there is no state {}; accepted: a number below {}", x, cells_.size()));
}

}  // namespace shortfall::features
