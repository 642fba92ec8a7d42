#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_model.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/processes.hpp"
#include "apps/shortfall/sweep.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solution.hpp"

/// `solve` and `evaluate`: the criteria that they are asked for, and how results are printed.
namespace shortfall::app {

/// The keys of `solve --sweep` and `evaluate --sweep`: loss, tau (the level of an expectile),
/// gamma.
inline constexpr SweepRule solver_sweeps{
    "loss=mean,expectile:0.9 or tau=0.1:0.9:0.1 or gamma=0.9,0.99", "tau", "loss"};

/// A criterion, and what the sweep sets in it.
struct CriterionPoint {
  SweepPoint set;
  Criterion criterion;
};

/// All combinations, the last sweep varying fastest; the given criterion without sweeps. Throws
/// InvalidInput for another key, for a value that is no loss, level or number, and if two points
/// have the same criterion.
std::vector<CriterionPoint> criterion_points(const Criterion& given,
                                             const std::vector<std::string>& sweeps);

/// The first key of a sweep that is one of these.
std::optional<std::string> swept_key(const std::vector<std::string>& sweeps,
                                     std::initializer_list<std::string_view> keys);

/// Options of both `solve` and `evaluate`.
struct SolverArguments : GeneralOptions {
  std::string model;
  AnyLoss loss = Mean();
  double gamma = 0.0;
  bool average = false;  ///< instead of gamma
  Tolerance tolerance;
  int max_iterations = SolverOptions{}.max_iterations;
  int horizon = 0;  ///< 0: infinite
  Discount discount = Discount::inside;
  bool trace = false;
  NameFiles names;
  std::vector<std::string> sweep;
  std::vector<CriterionPoint> points;  ///< all that is asked for: one, or those of the sweep

  bool is_sweep() const { return !sweep.empty(); }
};

/// A solver's result for one criterion.
struct SolvedPoint {
  Solution solution;  ///< as CommandModel::whole() has it
  double seconds;
};

/// The policy that was evaluated.
struct EvaluatedPolicy {
  Policy actions;      ///< as actions_on_first() has it
  nlohmann::json ids;  ///< as ids_on_first() has it, if the output is JSON
};

/// What all points of a run have in common.
struct SolverRun {
  const CommandModel& model;
  const SolverArguments& options;
  const ModelNames& names;
  std::string_view method;  ///< without a horizon
  const Processes& processes;
  const EvaluatedPolicy* policy = nullptr;  ///< null: that of each solution
};

/// In the terms of the model file: costs or rewards, and its ids or names. Not converged is exit
/// code 1. For the first of the processes only.
ExitCode print_solved(const SolverRun& run, const std::vector<SolvedPoint>& solved);

}  // namespace shortfall::app
