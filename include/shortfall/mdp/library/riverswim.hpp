#pragma once

#include <cstddef>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::library {

/// RiverSwim (Strehl and Littman, "An analysis of model-based interval estimation for Markov
/// decision processes", J. Comput. System Sci. 74, 2008). A swimmer in states 0..n-1 goes left
/// (action 0), with the current and with certainty, or right (action 1), against it:
///
///   from          left   stay   right
///   0                     0.7     0.3
///   1..n-2         0.1    0.6     0.3
///   n-1            0.7    0.3
///
/// Rewards, here negative costs: `small_reward` for going left in state 0, `large_reward` for going
/// right in state n - 1 and staying there; the latter is a cost that varies with the outcome.
struct RiverSwimParameters {
  std::size_t states = 6;  ///< ≥ 2
  double small_reward = 5.0;
  double large_reward = 10000.0;
};

Mdp river_swim(const RiverSwimParameters& parameters = {});

}  // namespace shortfall::library
