#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/learn/any_learner.hpp"

/// The options of each command, as arguments.cpp reads them from the command line.
namespace shortfall::app {

/// Options of every command.
struct CommonOptions {
  bool json = false;
  std::uint64_t seed = 1;
  int threads = 0;
};

struct RiskOptions : CommonOptions {
  std::string loss;
  std::string file = "-";
};

/// A policy file, and how a randomised policy's choice of action enters the cost.
struct PolicyOptions {
  std::string file;
  std::string induced_cost = "averaged";
};

/// Options of both `solve` and `evaluate`.
struct SolverCommandOptions : CommonOptions {
  std::string model;
  std::string loss;
  double gamma = 0.0;
  double tolerance = 1e-6;
  int max_iterations = 1000000;
  int horizon = 0;  ///< 0: infinite
  bool trace = false;

  Criterion criterion() const { return {AnyLoss::parse(loss), gamma}; }
};

struct SolveOptions : SolverCommandOptions {
  std::string method = "policy-iteration";
  std::string policy_out;
};

struct EvaluateOptions : SolverCommandOptions {
  std::string method = "newton";
  PolicyOptions policy;
};

struct CheckOptions : CommonOptions {
  std::string file;
  std::optional<std::string> loss;
  std::optional<double> gamma;
  PolicyOptions policy;

  bool is_configuration() const { return file.ends_with(".toml"); }
};

struct LearnOptions : CommonOptions {
  std::string file = "-";
  std::string loss;
  double gamma = 0.0;
  std::string algorithm;
  double lambda = 0.5;
  std::string step = "2,100,0.6666666666666666";
  std::optional<std::uint64_t> average_from;
  std::uint64_t warmup = 0;  ///< 0: the learner's default
  std::string checkpoint;
  double checkpoint_every = 5.0;  ///< seconds
  bool skip_bad_rows = false;

  learn::LearnerOptions learner() const;
  std::chrono::nanoseconds checkpoint_period() const {
    return std::chrono::round<std::chrono::nanoseconds>(
        std::chrono::duration<double>(checkpoint_every));
  }
};

/// Options of all inventory commands.
struct InventoryOptions : CommonOptions {
  std::string config;
  std::vector<std::string> set;    ///< KEY=VALUE
  std::vector<std::string> sweep;  ///< KEY=VALUES, at most two
  double tolerance = 1e-6;
  int max_iterations = 1000000;
  std::string stopping = "certified";
};

struct InventorySolveOptions : InventoryOptions {
  std::string policy_out;
};

struct InventoryEvaluateOptions : InventoryOptions {
  std::vector<std::string> policies;
};

struct InventoryTrainOptions : InventoryOptions {
  std::string algorithm = "newton";
  std::uint64_t iterations = 20;
  std::uint64_t samples = 60'000;
  std::uint64_t trajectories = 20;
  std::uint64_t warmup = 1'000;
  std::string improvement = "exact";
  std::string policy_out;
  std::string checkpoint;

  /// S of sampled:S, 0 for exact. Throws InvalidInput for any other text.
  std::size_t scenarios() const;
};

struct SimulationSize {
  std::uint64_t periods = 365;
  std::uint64_t replications = 10000;
};

struct InventorySimulateOptions : InventoryOptions, SimulationSize {
  std::vector<std::string> policies = {"optimal"};
  std::vector<double> quantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
};

struct InventoryReportOptions : InventoryOptions, SimulationSize {
  std::string out;
  std::string csv;             ///< empty: none
  std::vector<double> levels;  ///< empty: defaults for the loss
};

struct ReproduceOptions : CommonOptions {
  std::vector<std::string> names;
  std::string out = "reproduction";
  bool quick = false;
  bool fresh = false;
};

}  // namespace shortfall::app
