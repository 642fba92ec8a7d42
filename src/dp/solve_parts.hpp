#pragma once

#include "dp/parts.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/dp/solve.hpp"

/// The solvers as they are written: for the states of one process among several. All ranks call
/// them with the same arguments, starting values excepted, and get the values and the policy of
/// their own states, and otherwise the same result, whatever their number.
namespace shortfall::detail {

Solution solve(const ModelPart& part, const Criterion& criterion, Method method,
               const SolverOptions& options);
Solution evaluate(const ChainPart& part, const Criterion& criterion, Evaluator evaluator,
                  const SolverOptions& options);
FiniteHorizonSolution solve_finite_horizon(const ModelPart& part, const Criterion& criterion,
                                           const FiniteHorizonOptions& options);
FiniteHorizonSolution evaluate_finite_horizon(const ChainPart& part, const Criterion& criterion,
                                              const FiniteHorizonOptions& options);

}  // namespace shortfall::detail
