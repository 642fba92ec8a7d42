#pragma once

#include <vector>

#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::benchmarks {

/// What a user gets who names no method.
inline constexpr Method default_method = Method::adaptive;

struct TimedSolution {
  double seconds;     ///< infinite if the method was stopped at the limit
  Solution solution;  ///< of the last run
};

struct TimedSolveOptions {
  double tolerance = 1e-6;
  double limit = 60.0;  ///< seconds
  int rounds = 3;       ///< the fastest counts; one run is enough if it takes half a second
};

/// Where to stop a method that is compared with one that took `seconds`.
constexpr double clearly_slower(double seconds) {
  return 1.5 * seconds + 1e-3;
}

/// A method that is stopped in a later run keeps the time of the earlier ones.
TimedSolution timed_solve(const Mdp& model, const Criterion& criterion, Method method,
                          const TimedSolveOptions& options = {});

/// How far values can be from the optimal expected cost, by plain loops in extended precision that
/// share no code with any solver: |V - V*| ≤ |V - W| + max |TW - W| / (1 - γ) for every W, here the
/// best of V, TV, T²V, ... The first is enough unless a solver has moved all values by a constant
/// although states are terminal. Stops early once the bound is below `enough`. Infinite for values
/// that are not finite or not one per state.
double error_by_plain_loops(const Mdp& model, double gamma, const std::vector<double>& values,
                            double enough);

/// The largest |V(x) - W(x)|; infinite if the sizes differ.
double largest_distance(const std::vector<double>& v, const std::vector<double>& w);

}  // namespace shortfall::benchmarks
