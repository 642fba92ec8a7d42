#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/divided_model.hpp"
#include "apps/shortfall/general_arguments.hpp"
#include "apps/shortfall/model_names.hpp"
#include "apps/shortfall/processes.hpp"
#include "apps/shortfall/solver_sweep.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solution.hpp"

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
  NameFiles names;
  std::vector<std::string> sweep;
  std::vector<CriterionPoint> points;  ///< all that is asked for: one, or those of the sweep

  bool is_sweep() const { return !sweep.empty(); }
};

void add_solver_arguments(const Grammar& grammar, SolverArguments& options);

FiniteHorizonOptions finite_horizon_options(const SolverArguments& options, KeepStages keep,
                                            const SolverOptions& solver);

/// The solution with all stages to go. Converged only if the error bound, which is all rounding
/// here, is within the tolerance. Throws Stopped.
Solution first_stage(const FiniteHorizonSolution& stages, const SolverArguments& options);

/// A solver's result for one criterion.
struct SolvedPoint {
  Solution solution;  ///< as DividedModel::whole() has it
  double seconds;
};

/// What all points of a run have in common.
struct SolverRun {
  const DividedModel& model;
  const SolverArguments& options;
  const ModelNames& names;
  std::string_view method;  ///< without a horizon
  const Processes& processes;
  /// The policy that was evaluated, by state: an action id, -1 where terminal, or weights by action
  /// id. Null: that of each solution.
  const nlohmann::json* policy = nullptr;
};

/// Solves point after point, each from the values of the one before. `solve` gets the criterion and
/// the options, and returns the solution of own states.
using SolveOne = std::function<Solution(const Criterion&, const SolverOptions&)>;
std::vector<SolvedPoint> solve_points(const SolverArguments& options, const DividedModel& model,
                                      const Processes& processes, const SolveOne& solve);

/// In the terms of the model file: costs or rewards, and its ids or names. Not converged is exit
/// code 1. For the first of the processes only.
ExitCode print_solved(const SolverRun& run, const std::vector<SolvedPoint>& solved);

/// A policy's action ids as in the model file, -1 for terminal states.
nlohmann::json policy_ids(ActionIndex action_base, const Policy& policy);

}  // namespace shortfall::app
