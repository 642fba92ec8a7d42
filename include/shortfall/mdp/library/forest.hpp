#pragma once

#include <cstddef>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::library {

/// Forest management, the example of the MDP toolboxes (Chadès, Chapron, Cros, Garcia, Sabbadin,
/// "MDPtoolbox: a multi-platform toolbox to solve stochastic dynamic programming problems",
/// Ecography 37, 2014). A forest has one of S ages 0..S-1. Each year one waits (action 0) or cuts
/// (action 1). When waiting, it burns down to age 0 with probability p and otherwise grows, up to
/// age S - 1; cutting brings it to age 0. Rewards, here negative costs:
///
///   wait   0, and r1 at age S - 1
///   cut    0 at age 0, 1 at ages 1..S-2, r2 at age S - 1
///
/// Check: S = 3 and γ = 0.9 have the risk-neutral values -(26.244, 29.484, 33.484); always wait.
struct ForestParameters {
  std::size_t states = 3;         ///< S ≥ 2
  double wait_reward = 4.0;       ///< r1
  double cut_reward = 2.0;        ///< r2
  double fire_probability = 0.1;  ///< p, in [0, 1]
};

Mdp forest(const ForestParameters& parameters = {});

}  // namespace shortfall::library
