#pragma once

#include "dp/iteration.hpp"
#include "dp/tangent.hpp"
#include "dp/tangent_solver.hpp"
#include "shortfall/dp/bellman.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::detail {

/// Semismooth Newton for V = TV on the chosen rows of the operator's model, starting from the run's
/// values, until the run is finished.
void newton(Iteration& run, const BellmanOperator& bellman, const ChosenRows& chosen,
            const AnyLoss& loss, TangentSolver& solver, End end);

}  // namespace shortfall::detail
