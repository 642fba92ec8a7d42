#pragma once

#include <cstdint>
#include <string>

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::benchmarks {

/// A problem of random size, structure, discount and loss.
struct RandomProblem {
  std::string structure;
  Mdp model;
  Criterion criterion;
};

/// Problem number `index`; the structures alternate. A solver's speed depends mostly on which
/// states lead to which, so the structures differ in that: random graphs, walks on a line, a ring
/// and a grid, frequently visited hubs, trees, layers that end, clusters that are rarely left, and
/// rows of very different lengths.
RandomProblem random_problem(std::uint64_t index);

}  // namespace shortfall::benchmarks
