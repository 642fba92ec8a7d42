#pragma once

#include <string>

#include "apps/shortfall/general_arguments.hpp"
#include "shortfall/dp/solution.hpp"

namespace shortfall::app {

/// Options of both `solve` and `evaluate`.
struct SolverArguments : GeneralOptions {
  std::string model;
  AnyLoss loss = Mean();
  double gamma = 0.0;
  double tolerance = SolverOptions{}.tolerance;
  int max_iterations = SolverOptions{}.max_iterations;
  int horizon = 0;  ///< 0: infinite
  bool trace = false;

  Criterion criterion() const { return {loss, gamma}; }
};

void add_solver_arguments(const Grammar& grammar, SolverArguments& options);

}  // namespace shortfall::app
