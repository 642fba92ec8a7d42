#pragma once

#include "shortfall/dp/solve.hpp"

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

}  // namespace shortfall::benchmarks
