#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/general_arguments.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/model_csv.hpp"

/// Shared by `solve` and `evaluate`: solver options and how the result is printed.
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

SolverOptions solver_options(const SolverArguments& options, CommandMonitor& watch);
FiniteHorizonOptions finite_horizon_options(const SolverArguments& options, KeepStages keep,
                                            CommandMonitor& watch);

/// The solution with all stages to go. Converged only if the error bound, which is all rounding
/// here, is within the tolerance. Throws Stopped.
Solution first_stage(const FiniteHorizonSolution& stages, const SolverArguments& options);

/// A solver's result, printed in the terms of the model file: costs or rewards, and its ids.
struct SolverResult {
  const io::LoadedModel& loaded;
  const SolverArguments& options;
  std::string_view method;  ///< without a horizon
  const Solution& solution;
  nlohmann::json policy;  ///< by state: an action id, -1 where terminal, or weights by action id
  double seconds;
};

/// Not converged is exit code 1.
ExitCode print_solver_result(const SolverResult& result);

/// A policy's action ids as in the model file, -1 for terminal states.
nlohmann::json policy_ids(const Mdp& model, const Policy& policy);

}  // namespace shortfall::app
