#pragma once

#include <cstddef>
#include <span>

#include "dp/iteration.hpp"
#include "shortfall/dp/bellman.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/outcomes.hpp"

namespace shortfall::detail {

/// A chain as a selection of rows: state x has row rows[x] of `outcomes`, no_row if terminal.
struct ChosenRows {
  const Outcomes& outcomes;
  std::span<const std::size_t> rows;
};

/// Semismooth Newton for V = TV on the chosen rows of the operator's model, starting from the run's
/// values, until the run is finished.
void newton(Iteration& run, const BellmanOperator& bellman, const ChosenRows& chosen,
            const AnyLoss& loss);

}  // namespace shortfall::detail
