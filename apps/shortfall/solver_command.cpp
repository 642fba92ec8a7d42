#include "apps/shortfall/solver_command.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shortfall::app {
namespace {

constexpr std::size_t states_shown = 20;

nlohmann::json as_json(const Report& report) {
  const io::Sense sense = report.loaded.sense;
  std::vector<double> values = report.values;
  for (double& v : values) v = in_sense(v, sense);
  nlohmann::json document = {{"status", to_string(report.status)},
                             {"values", std::move(values)},
                             {"policy", report.policy},
                             {"error_bound", report.error_bound},
                             {"iterations", report.iterations},
                             {"seconds", report.seconds},
                             {"sense", sense == io::Sense::reward ? "reward" : "cost"},
                             {"loss", report.options.loss.to_string()},
                             {"gamma", report.options.gamma},
                             {"method", report.method}};
  if (report.options.horizon > 0) document["horizon"] = report.options.horizon;
  if (report.options.trace && report.trace) {
    for (const auto& [iteration, residual, error_bound] : *report.trace) {
      document["trace"].push_back(
          {{"iteration", iteration}, {"residual", residual}, {"error_bound", error_bound}});
    }
  }
  return document;
}

std::string source_name(const Report& report) {
  return report.options.model == "-" ? "standard input" : report.options.model;
}

std::string as_text(const Report& report) {
  const Mdp& model = report.loaded.model;
  const bool reward = report.loaded.sense == io::Sense::reward;
  std::string text = fmt::format(
      "{}: {} states, {} state-action pairs, {} outcomes\n"
      "{} with gamma {}, {}; values are {}\n\n{:>8}  {:>8}  {:>16}\n",
      source_name(report), model.states(), model.outcomes().rows(), model.outcomes().size(),
      report.options.loss.to_string(), report.options.gamma, report.method,
      reward ? "rewards: larger is better" : "costs: smaller is better", "state", "action",
      "value");
  for (std::size_t x = 0; x < std::min(states_shown, model.states()); ++x) {
    const nlohmann::json& action = report.policy[x];
    text += fmt::format("{:>8}  {:>8}  {:>16.9g}\n", x + model.state_base(),
                        model.is_terminal(x) ? "end"
                        : action.is_object() ? "mixed"
                                             : action.dump(),
                        in_sense(report.values[x], report.loaded.sense));
  }
  if (model.states() > states_shown) {
    text +=
        fmt::format("     ... and {} more; use --json for all\n", model.states() - states_shown);
  }
  text += fmt::format("\n{}: every value within {:.2g} of exact, {} iteration{}, {:.3g} s\n",
                      to_string(report.status), report.error_bound, report.iterations,
                      report.iterations == 1 ? "" : "s", report.seconds);
  return text;
}

}  // namespace

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

Status status_for(const FiniteHorizonSolution& solution, const SolverArguments& options) {
  const bool too_rough =
      solution.status == Status::converged && solution.error_bound > options.tolerance;
  return too_rough ? Status::precision_limit : solution.status;
}

ExitCode print_report(const Report& report) {
  if (report.options.json) {
    print_json(as_json(report));
  } else {
    print(report.status == Status::overflow ? std::string() : as_text(report));
  }
  if (is_success(report.status)) return success;
  fmt::print(stderr, "shortfall: {}: {}\n", source_name(report),
             failure_reason(report.status, report.error_bound, report.options.tolerance));
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
