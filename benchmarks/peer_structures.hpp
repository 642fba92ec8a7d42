#pragma once

#include <array>
#include <cstddef>

#include "benchmarks/peer_models.hpp"

/// The builders behind peer_models().
namespace shortfall::benchmarks::structures {

/// Successors among all states: six actions with 100, or four with 8.
Mdp wide_random(ModelSize size);
Mdp narrow_random(ModelSize size);

/// The same, with successors within 100 and within 10 of the state, on a circle.
Mdp wide_nearby(ModelSize size);
Mdp narrow_nearby(ModelSize size);

/// Every row leads to every state.
Mdp dense(ModelSize size);

/// A step in one of four directions, to a side with probability 0.2; walls hold it back. The cost
/// is that of the cell that is entered, so the best cell of a wide neighbourhood attracts.
Mdp grid(ModelSize size);

/// Arrivals with probability 0.4, services with 0.1 to 0.5. Waiting costs up to 1, a faster service
/// more than a slower one.
Mdp queue(ModelSize size);

/// Steps of 1, 2 or 3 around a ring. The longer the step, the more likely it ends in the last
/// state, which is never left and costs 1 per stage.
Mdp ring_with_a_trap(ModelSize size);

/// Steps to nearby states, of which every hundredth is terminal.
Mdp episodes(ModelSize size);

/// A row has at least m outcomes with probability 1/m, up to 5000.
Mdp uneven_rows(ModelSize size);

/// Nothing to decide; successors within 10.
Mdp one_action(ModelSize size);

/// Ten classes of states, visited in turn. A class has costs of its own, so the change of a sweep
/// goes around with the classes and never becomes the same in all states.
Mdp periodic(ModelSize size);

/// One number for each size.
inline std::size_t of_size(const std::array<std::size_t, 3>& numbers, ModelSize size) {
  return numbers[static_cast<std::size_t>(size)];
}

}  // namespace shortfall::benchmarks::structures
