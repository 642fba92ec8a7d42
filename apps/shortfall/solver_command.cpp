#include "apps/shortfall/solver_command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"

namespace shortfall::app {
namespace {

constexpr std::size_t states_shown = 20;

void check_criterion(const SolverArguments& options) {
  const bool finite = options.horizon > 0;
  require_gamma(options.gamma > 0.0 && (options.gamma < 1.0 || (finite && options.gamma == 1.0)),
                options.gamma,
                finite ? "a number above 0, at most 1"
                       : "a number strictly between 0 and 1 (1 with --horizon)");
  check_stopping(options.tolerance, options.max_iterations);
}

std::string method_name(const SolverResult& result) {
  const int stages = result.options.horizon;
  return stages > 0 ? fmt::format("{} stages", stages) : std::string(result.method);
}

nlohmann::json as_json(const SolverResult& result) {
  const io::Sense sense = result.loaded.sense;
  std::vector<double> values = result.solution.values;
  for (double& v : values) v = in_sense(v, sense);
  nlohmann::json document = {{"status", to_string(result.solution.status)},
                             {"values", std::move(values)},
                             {"policy", result.policy},
                             {"error_bound", result.solution.error_bound},
                             {"iterations", result.solution.iterations},
                             {"seconds", result.seconds},
                             {"sense", sense == io::Sense::reward ? "reward" : "cost"},
                             {"loss", result.options.loss.to_string()},
                             {"gamma", result.options.gamma},
                             {"method", method_name(result)}};
  if (result.options.horizon > 0) document["horizon"] = result.options.horizon;
  if (result.options.trace) {
    for (const auto& [iteration, residual, error_bound] : result.solution.trace) {
      document["trace"].push_back(
          {{"iteration", iteration}, {"residual", residual}, {"error_bound", error_bound}});
    }
  }
  return document;
}

std::string source_name(const SolverResult& result) {
  return result.options.model == "-" ? "standard input" : result.options.model;
}

std::string as_text(const SolverResult& result) {
  const Mdp& model = result.loaded.model;
  const bool reward = result.loaded.sense == io::Sense::reward;
  std::string text = fmt::format(
      "{}: {} states, {} state-action pairs, {} outcomes\n"
      "{} with gamma {}, {}; values are {}\n\n{:>8}  {:>8}  {:>16}\n",
      source_name(result), model.states(), model.outcomes().rows(), model.outcomes().size(),
      result.options.loss.to_string(), result.options.gamma, method_name(result),
      reward ? "rewards: larger is better" : "costs: smaller is better", "state", "action",
      "value");
  for (std::size_t x = 0; x < std::min(states_shown, model.states()); ++x) {
    const nlohmann::json& action = result.policy[x];
    text += fmt::format("{:>8}  {:>8}  {:>16.9g}\n", x + model.state_base(),
                        model.is_terminal(x) ? "end"
                        : action.is_object() ? "mixed"
                                             : action.dump(),
                        in_sense(result.solution.values[x], result.loaded.sense));
  }
  if (model.states() > states_shown) {
    text +=
        fmt::format("     ... and {} more; use --json for all\n", model.states() - states_shown);
  }
  text += fmt::format("\n{}: every value within {:.2g} of exact, {} iteration{}, {:.3g} s\n",
                      to_string(result.solution.status), result.solution.error_bound,
                      result.solution.iterations, result.solution.iterations == 1 ? "" : "s",
                      result.seconds);
  return text;
}

}  // namespace

void add_solver_arguments(const Grammar& grammar, SolverArguments& options) {
  grammar
      ->add_option("model", options.model,
                   "CSV with columns idstatefrom,idaction,idstateto,probability and cost or "
                   "reward; ids start at 0 or 1; -: standard input")
      ->required();
  add_loss(grammar, options.loss);
  grammar->add_option("--gamma", options.gamma, "Discount factor in (0, 1); 1 needs --horizon")
      ->required()
      ->check(not_empty());
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
  grammar.add_check([&options] { check_criterion(options); });
}

SolverOptions solver_options(const SolverArguments& command, CommandMonitor& watch) {
  return {.tolerance = command.tolerance,
          .max_iterations = command.max_iterations,
          .threads = command.threads,
          .monitor = watch.monitor()};
}

FiniteHorizonOptions finite_horizon_options(const SolverArguments& command, KeepStages keep,
                                            CommandMonitor& watch) {
  return {.stages = command.horizon,
          .keep = keep,
          .threads = command.threads,
          .monitor = watch.monitor()};
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

ExitCode print_solver_result(const SolverResult& result) {
  if (result.options.json) {
    print_json(as_json(result));
  } else {
    print(result.solution.status == Status::overflow ? std::string() : as_text(result));
  }
  if (is_success(result.solution.status)) return success;
  fmt::print(stderr, "shortfall: {}: {}\n", source_name(result),
             failure_reason(result.solution.status, result.solution.error_bound,
                            result.options.tolerance));
  return no_answer;
}

nlohmann::json policy_ids(const Mdp& model, const Policy& policy) {
  nlohmann::json ids = nlohmann::json::array();
  for (const ActionIndex action : policy) {
    ids.push_back(action == no_action ? no_action : action + model.action_base());
  }
  return ids;
}

}  // namespace shortfall::app
