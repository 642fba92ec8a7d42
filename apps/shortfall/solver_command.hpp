#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "progress.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/io/model_csv.hpp"

/// What `solve` and `evaluate` share: the options of the solver, the report of what came out.
namespace shortfall::app {

SolverOptions solver_options(const SolverCommandOptions& options, Progress& progress);
FiniteHorizonOptions finite_horizon_options(const SolverCommandOptions& options, KeepStages keep,
                                            Progress& progress);

/// Converged only if rounding leaves the tolerance asked for.
Status status_for(const FiniteHorizonSolution& solution, const SolverCommandOptions& options);

/// A solver's outcome in the terms of the file: its sense, its ids.
struct Report {
  const io::LoadedModel& loaded;
  const SolverCommandOptions& options;
  std::string method;
  Status status;
  const std::vector<double>& values;
  nlohmann::json policy;  ///< by state: an action id, -1 where terminal, or weights by action id
  double error_bound;
  int iterations;
  const std::vector<IterationRecord>* trace;  ///< null: none to show
  double seconds;
};

/// Prints the report; not converged is exit code 1.
ExitCode print_report(const Report& report);

/// A policy's action ids as the file has them, -1 where terminal.
nlohmann::json policy_ids(const Mdp& model, const Policy& policy);

}  // namespace shortfall::app
