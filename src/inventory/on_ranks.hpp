#pragma once

#include <span>

#include "parallel/communicator.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/solve.hpp"

/// The exact computations on several ranks, all of which call the same function with the same
/// arguments and get the same result: that of shortfall/inventory/solve.hpp, bit for bit. Only
/// threads and monitors may differ: a request to stop on one rank stops all. Every rank has all
/// values and the table of targets, and backs up its part of the states.
namespace shortfall::inventory::detail {

using shortfall::detail::Communicator;

Solution solve(const Model& model, const Criterion& criterion, const SolverOptions& options,
               Communicator& communicator);
Solution solve_from(const NonPerishable& non_perishable, const Model& model,
                    const Criterion& criterion, const SolverOptions& options,
                    Communicator& communicator);
Solution evaluate(const Model& model, const Criterion& criterion, const Policy& orders,
                  const SolverOptions& options, Communicator& communicator);

Solution solve_as_published(const Model& model, const Criterion& criterion,
                            const SolverOptions& options, Communicator& communicator);
Solution evaluate_as_published(const Model& model, const Criterion& criterion, const Policy& orders,
                               const SolverOptions& options, Communicator& communicator);

Policy greedy_policy(const Model& model, const Criterion& criterion, std::span<const double> values,
                     const GreedyOptions& options, Communicator& communicator);
Policy myopic_policy(const Model& model, const Criterion& criterion, const MyopicOptions& options,
                     Communicator& communicator);

}  // namespace shortfall::inventory::detail
