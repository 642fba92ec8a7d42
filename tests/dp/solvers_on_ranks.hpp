#pragma once

#include <cstddef>
#include <vector>

#include "mdp/distributed_model.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/chain.hpp"
#include "tests/parallel/thread_communicator.hpp"

/// The solvers on several ranks, each with its part of the model, as one solution of the whole: for
/// tests that hold on any number of ranks.
namespace shortfall::testing {

/// The part of the starting values that a rank has.
inline SolverOptions own_options(SolverOptions options, const detail::Partition& states) {
  if (options.start.empty()) return options;
  const auto first = options.start.begin() + static_cast<std::ptrdiff_t>(states.first());
  options.start = {first, first + static_cast<std::ptrdiff_t>(states.states())};
  return options;
}

/// On all ranks, which have the values and the policy of their own states.
inline Solution gathered(Solution own, const detail::Partition& states, bool has_policy) {
  own.values = states.gather<double>(own.values);
  if (has_policy) own.policy = states.gather<ActionIndex>(own.policy);
  return own;
}

inline Solution solve_on(std::size_t ranks, const Mdp& model, const Criterion& criterion,
                         Method method, const SolverOptions& options = {}) {
  std::vector<Solution> found(ranks);
  run_ranks(ranks, [&](detail::Communicator& communicator) {
    const auto part = detail::DistributedModel::cut(communicator, model);
    Solution own = solve(part.rows(), criterion, method, own_options(options, part.partition()),
                         {.division = &part.partition()});
    found[communicator.rank()] = gathered(std::move(own), part.partition(), true);
  });
  return found.back();
}

/// For a deterministic policy.
inline Solution evaluate_on(std::size_t ranks, const Mdp& model, const Policy& policy,
                            const Criterion& criterion, Evaluator evaluator,
                            const SolverOptions& options = {}) {
  std::vector<Solution> found(ranks);
  run_ranks(ranks, [&](detail::Communicator& communicator) {
    const auto part = detail::DistributedModel::cut(communicator, model);
    const detail::Partition& states = part.partition();
    const auto first = policy.begin() + static_cast<std::ptrdiff_t>(states.first());
    const Policy own_policy(first, first + static_cast<std::ptrdiff_t>(states.states()));
    const Chain chain = under_policy(part.rows(), own_policy);
    Solution own =
        evaluate(chain, criterion, evaluator, own_options(options, states), {.division = &states});
    found[communicator.rank()] = gathered(std::move(own), states, false);
  });
  return found.back();
}

}  // namespace shortfall::testing
