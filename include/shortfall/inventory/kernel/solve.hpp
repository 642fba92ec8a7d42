#pragma once

#include <span>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/model/model.hpp"

/// Exact values of perishable-stock policies and the optimal one: V(x) = ρ(c + γ V(X')). Values and
/// orders are numbered as the states of Model.
namespace shortfall::inventory {

/// The optimal orders, with max |V - V*| ≤ error_bound certified over all states. `start` in
/// the options gives initial values, for instance those of a similar model; the default is the
/// non-perishable optimum. Ties go to the smaller order. Throws InvalidInput if memory_needed
/// exceeds the memory of this machine, for γ outside (0, 1) and for a tolerance that is
/// not positive.
Solution solve(const Model& model, const Criterion& criterion, const SolverOptions& options = {},
               const Execution& execution = {});

/// The same where the non-perishable optimum is known already: solve() starts from its orders, and
/// from its values unless `start` gives others.
Solution solve_from(const NonPerishable& non_perishable, const Model& model,
                    const Criterion& criterion, const SolverOptions& options = {},
                    const Execution& execution = {});

/// The value of the given orders, by the same method.
Solution evaluate(const Model& model, const Criterion& criterion, const Policy& orders,
                  const SolverOptions& options = {}, const Execution& execution = {});

/// The orders that are best for one period if `values` are V from then on, by state: the argmin
/// over z of ρ(c + γ V(X')), ties to the smaller order; empty if stopped. Those of V* are optimal.
/// Throws InvalidInput unless there is one finite value per state, and if memory_needed exceeds the
/// memory of this machine. The monitor is called with the fraction that is done.
Policy greedy_policy(const Model& model, const Criterion& criterion, std::span<const double> values,
                     const Execution& execution = {});

/// Sweeps V_{k+1} = T V_k from V_0 = 0 until max |V_{k+1} - V_k| < options.tolerance, as in the
/// published tables: an optimum is reported as V_k, a policy's value as V_{k+1}. The status is then
/// small_change; the error bound is certified as always, and may exceed that tolerance.
Solution solve_as_published(const Model& model, const Criterion& criterion,
                            const SolverOptions& options = {}, const Execution& execution = {});
Solution evaluate_as_published(const Model& model, const Criterion& criterion, const Policy& orders,
                               const SolverOptions& options = {}, const Execution& execution = {});

/// Which of these rules ends a computation.
enum class Stopping { certified, paper };
inline constexpr Names<Stopping, 2> stopping_names{
    {{"certified", Stopping::certified}, {"paper", Stopping::paper}}};

/// The peak memory of solve() in bytes, computed without allocating it.
double memory_needed(const Model& model);

}  // namespace shortfall::inventory
