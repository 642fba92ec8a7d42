#pragma once

#include <cstddef>
#include <span>

#include "shortfall/dp/bellman.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/outcomes.hpp"

namespace shortfall::detail {

/// A chain as a choice of rows: state x has row rows[x] of `outcomes`, no_row where terminal.
struct ChosenRows {
  const Outcomes& outcomes;
  std::span<const std::size_t> rows;
};

/// Semismooth Newton for V = TV on the chosen rows of the operator's model.
Solution evaluate_rows_by_newton(const BellmanOperator& bellman, const ChosenRows& chosen,
                                 const AnyLoss& loss, const SolverOptions& options);

}  // namespace shortfall::detail
