#pragma once

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::benchmarks {

/// A random model: 10 000 states, 6 actions, 100 successors each drawn with replacement,
/// probabilities uniform and normalised, costs uniform on [0, 10) for each outcome.
Mdp sparse_model();

}  // namespace shortfall::benchmarks
