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

/// Problem number `index`: structures come in turns. Who goes where is what makes a solver slow, so
/// they are drawn to differ in that: random graphs, walks on a line, a ring and a grid, hubs that
/// everyone visits, trees, layers that end, clusters that are hardly ever left, rows of very
/// different lengths.
RandomProblem random_problem(std::uint64_t index);

}  // namespace shortfall::benchmarks
