#include "apps/shortfall/solver_command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "require.hpp"

namespace shortfall::app {
namespace {

void check_gamma(const CriterionPoint& point, bool is_finite) {
  const double gamma = point.criterion.gamma;
  const bool is_swept = std::ranges::count(point.set, "gamma", &SweepPoint::value_type::first) > 0;
  require_gamma(gamma > 0.0 && (gamma < 1.0 || (is_finite && gamma == 1.0)), gamma,
                is_finite ? "a number above 0, at most 1"
                          : "a number strictly between 0 and 1 (1 with --horizon)",
                is_swept ? "--sweep gamma" : "--gamma");
}

/// Each of loss and γ is given once: by its option, or by the sweep of a key.
void check_given(bool is_given, const std::optional<std::string>& key, const char* option) {
  require(!is_given || !key, "--{} and --sweep {}; accepted: one of them", option,
          key.value_or(""));
  require(is_given || key, "--{0} is required; accepted: --{0} or --sweep {0}=VALUE,..", option);
}

}  // namespace

void add_solver_arguments(const Grammar& grammar, SolverArguments& options) {
  grammar
      ->add_option("model", options.model,
                   "CSV with columns idstatefrom,idaction,idstateto,probability and cost or "
                   "reward; ids start at 0 or 1; or binary, as convert writes it; -: CSV on "
                   "standard input")
      ->required();
  CLI::Option* loss = add_parsed(
      grammar, "--loss",
      [&options](const std::string& text) { options.loss = AnyLoss::parse(text); },
      "Loss function, such as expectile:0.9");
  CLI::Option* gamma =
      grammar->add_option("--gamma", options.gamma, "Discount factor in (0, 1); 1 needs --horizon")
          ->check(not_empty());
  add_repeated(grammar, "--sweep", options.sweep,
               "Solve for several criteria: loss=L1,L2,.. or tau=0.1:0.9:0.1 (expectiles), "
               "gamma=G1,G2,..; twice for all combinations");
  grammar
      ->add_option("--tolerance", options.tolerance, "Largest certified error allowed in any state")
      ->capture_default_str();
  CLI::Option* horizon =
      grammar->add_option("--horizon", options.horizon, "Number of stages; default: infinite")
          ->check(CLI::Range(1, 100000000).description(""));
  grammar->add_option("--max-iterations", options.max_iterations, "Stop after this many iterations")
      ->capture_default_str()
      ->excludes(horizon);
  grammar->add_flag("--trace", options.trace, "Add the error bound of every iteration to the JSON")
      ->excludes(horizon);
  add_general_options(grammar, options, Randomness::none);
  add_name_files(grammar, options.names);
  grammar.add_check([&options, loss, gamma] {
    check_given(loss->count() > 0, swept_key(options.sweep, {"loss", "tau"}), "loss");
    check_given(gamma->count() > 0, swept_key(options.sweep, {"gamma"}), "gamma");
    options.points = criterion_points({options.loss, options.gamma}, options.sweep);
    for (const CriterionPoint& point : options.points) {
      check_gamma(point, options.horizon > 0);
    }
    check_stopping(options.tolerance, options.max_iterations);
  });
}

std::vector<SolvedPoint> solve_points(const SolverArguments& options, const DividedModel& model,
                                      const Processes& processes, const SolveOne& solve) {
  CommandMonitor watch(processes);
  std::vector<SolvedPoint> solved;
  Solution own;
  for (const CriterionPoint& point : options.points) {
    std::string name;
    for (const auto& [key, value] : point.set) {
      name += fmt::format("{}{}={}", name.empty() ? "" : " ", key, value);
    }
    SolverOptions solver{.tolerance = options.tolerance,
                         .max_iterations = options.max_iterations,
                         .threads = options.threads,
                         .monitor = watch.monitor(name)};
    // Any start leads to the same certified bound; the neighbour's values are near.
    if (!solved.empty() && own.status != Status::overflow) solver.start = std::move(own.values);
    const Stopwatch stopwatch;
    own = solve(point.criterion, solver);
    solved.push_back({model.whole(own), stopwatch.seconds()});
    if (options.is_sweep()) watch.check();
  }
  return solved;
}

FiniteHorizonOptions finite_horizon_options(const SolverArguments& command, KeepStages keep,
                                            const SolverOptions& solver) {
  return {.stages = command.horizon,
          .keep = keep,
          .threads = solver.threads,
          .monitor = solver.monitor};
}

Solution first_stage(const FiniteHorizonSolution& stages, const SolverArguments& options) {
  if (stages.status == Status::stopped) throw Stopped();  // values of fewer stages are no answer
  const bool too_rough =
      stages.status == Status::converged && stages.error_bound > options.tolerance;
  return {.status = too_rough ? Status::precision_limit : stages.status,
          .values = stages.values.back(),
          .policy = stages.policies.empty() ? Policy() : stages.policies.back(),
          .error_bound = stages.error_bound,
          .iterations = options.horizon,
          .trace = {}};
}

nlohmann::json policy_ids(ActionIndex action_base, const Policy& policy) {
  nlohmann::json ids = nlohmann::json::array();
  for (const ActionIndex action : policy) {
    ids.push_back(action == no_action ? no_action : action + action_base);
  }
  return ids;
}

}  // namespace shortfall::app
