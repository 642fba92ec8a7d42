#pragma once

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model.hpp"

/// What a policy of perishable stock is worth, and the best one, exactly: V(x) = ρ(c + γ V(X')).
/// Values and orders are numbered as the states of Model.
namespace shortfall::inventory {

/// The optimal orders, with max |V - V*| ≤ error_bound certified over all states. `start` in the
/// options are values to begin from, say of a similar model; without them it begins from the
/// non-perishable optimum. Ties go to the smaller order. Throws InvalidInput where memory_needed
/// exceeds what this machine has, for γ outside (0, 1) and a tolerance that is not positive.
Solution solve(const Model& model, const Criterion& criterion, const SolverOptions& options = {});

/// What the given orders are worth, by the same means.
Solution evaluate(const Model& model, const Criterion& criterion, const Policy& orders,
                  const SolverOptions& options = {});

/// Sweeps V_{k+1} = T V_k from V_0 = 0 until max |V_{k+1} - V_k| < options.tolerance, as the
/// published tables were made: an optimum is reported as V_k, a policy's value as V_{k+1}. The
/// error bound is certified as always, and may well be above that tolerance.
Solution solve_as_published(const Model& model, const Criterion& criterion,
                            const SolverOptions& options = {});
Solution evaluate_as_published(const Model& model, const Criterion& criterion, const Policy& orders,
                               const SolverOptions& options = {});

/// Bytes that solve() takes at its peak, before it takes any.
double memory_needed(const Model& model);

}  // namespace shortfall::inventory
