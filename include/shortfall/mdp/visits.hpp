#pragma once

#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/ergodicity.hpp"

namespace shortfall {

/// Where a path starts, and starts again after its end and, with a given probability, after any
/// other step.
struct Restarts {
  std::vector<double> start;  ///< law ν on the states; 0 where a state is terminal
  double probability = 0.0;   ///< p in [0, 1) of a restart after a step that does not end
};

/// A path begins in this state.
Restarts restarts_at(const Chain& chain, StateIndex start);
/// A path begins anywhere but in terminal states, with equal probabilities.
Restarts uniform_restarts(const Chain& chain);

/// How often a path with restarts is in each state in the long run, that is, where a learner makes
/// its updates. It follows the chain on the non-terminal states with kernel
///
///   P'(y|x) = (1 - p) P(y|x) + ν(y) (P(T|x) + p (1 - P(T|x))),   T the terminal states.
///
/// Check: 0 → 1 → 2, where 2 is terminal and 0 the start, has q = (1/2, 1/2, 0).
struct Visits {
  std::vector<double> q;  ///< by state; 0 if terminal, or not visited any more after a while
  std::vector<StateIndex> not_visited;  ///< non-terminal states with q = 0
  Ergodicity ergodicity;                ///< that of P', with the states numbered as in the chain
};

/// Throws InvalidInput for a law ν that does not fit, and if the path can end up in different sets
/// of states that it never leaves: then the shares depend on chance. `state_base` is added to
/// states in the message. Memory is linear in the number of outcomes for any ν;
/// the time is that of stationary_law with one more state.
Visits long_run_visits(const Chain& chain, const Restarts& restarts, StateIndex state_base = 0);

}  // namespace shortfall
