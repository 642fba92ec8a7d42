#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/solver_arguments.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/model_csv.hpp"

/// Shared by `solve` and `evaluate`: solver options and the report of the result.
namespace shortfall::app {

SolverOptions solver_options(const SolverArguments& options, CommandMonitor& watch);
FiniteHorizonOptions finite_horizon_options(const SolverArguments& options, KeepStages keep,
                                            CommandMonitor& watch);

/// Converged only if the error bound, which is all rounding here, is within the tolerance.
Status status_for(const FiniteHorizonSolution& solution, const SolverArguments& options);

/// A solver's result, printed in the terms of the model file: costs or rewards, and its ids.
struct Report {
  const io::LoadedModel& loaded;
  const SolverArguments& options;
  std::string method;
  Status status;
  const std::vector<double>& values;
  nlohmann::json policy;  ///< by state: an action id, -1 where terminal, or weights by action id
  double error_bound;
  int iterations;
  const std::vector<IterationRecord>* trace;  ///< null: none
  double seconds;
};

/// Prints the report; not converged is exit code 1.
ExitCode print_report(const Report& report);

/// A policy's action ids as in the model file, -1 for terminal states.
nlohmann::json policy_ids(const Mdp& model, const Policy& policy);

}  // namespace shortfall::app
