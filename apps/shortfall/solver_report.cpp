// How the results of `solve` and `evaluate` are printed.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/shortfall/output.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "numbers/certain_digits.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

constexpr std::size_t states_shown = 20;
constexpr std::size_t sweep_states_shown = 4;

std::string method_name(const SolverRun& run) {
  const int stages = run.options.horizon;
  return stages > 0 ? fmt::format("{} stages", stages) : std::string(run.method);
}

std::string method_text(const SolverRun& run) {
  const bool is_outside = run.options.discount == Discount::outside;
  return method_name(run) + (is_outside ? ", discount outside the risk" : "");
}

std::string source_name(const SolverRun& run) {
  return run.options.model == "-" ? "standard input" : run.options.model;
}

nlohmann::json set_json(const SweepPoint& set) {
  nlohmann::json result = nlohmann::json::object();
  for (const auto& [key, value] : set) {
    const auto number = io::parse_finite_number(value);
    result[key] = number ? nlohmann::json(*number) : nlohmann::json(value);
  }
  return result;
}

nlohmann::json policy_of(const SolverRun& run, const Solution& solution) {
  if (run.policy) return run.policy->ids;
  if (solution.policy.empty()) return nullptr;
  return policy_ids(run.model.ids().action_base, solution.policy);
}

nlohmann::json as_json(const SolverRun& run, const CriterionPoint& point,
                       const SolvedPoint& solved) {
  const io::Sense sense = run.model.sense();
  const Solution& solution = solved.solution;
  std::vector<double> values = solution.values;
  for (double& v : values) v = in_sense(v, sense);
  nlohmann::json document = {{"status", to_string(solution.status)},
                             {"values", std::move(values)},
                             {"policy", policy_of(run, solution)},
                             {"error_bound", solution.error_bound},
                             {"iterations", solution.iterations},
                             {"seconds", solved.seconds},
                             {"sense", sense == io::Sense::reward ? "reward" : "cost"},
                             {"loss", point.criterion.loss.to_string()},
                             {"method", method_name(run)}};
  if (run.options.average) {
    document["criterion"] = "average";
    document["average_cost"] = in_sense(solution.average_cost, sense);
  } else {
    document["gamma"] = point.criterion.gamma;
  }
  if (!point.set.empty()) document["set"] = set_json(point.set);
  if (run.options.horizon > 0) {
    document["horizon"] = run.options.horizon;
    document["discount"] = to_string(run.options.discount);
  }
  if (run.options.trace) {
    for (const auto& [iteration, residual, error_bound] : solution.trace) {
      document["trace"].push_back(
          {{"iteration", iteration}, {"residual", residual}, {"error_bound", error_bound}});
    }
  }
  return document;
}

nlohmann::json document_of(const SolverRun& run, const std::vector<SolvedPoint>& solved) {
  if (!run.options.is_sweep()) {
    nlohmann::json document = as_json(run, run.options.points.front(), solved.front());
    run.names.add_to(document);
    run.processes.add_to(document);
    return document;
  }
  nlohmann::json points = nlohmann::json::array();
  double seconds = 0.0;
  for (std::size_t i = 0; i < solved.size(); ++i) {
    points.push_back(as_json(run, run.options.points[i], solved[i]));
    seconds += solved[i].seconds;
  }
  nlohmann::json document = {{"sweep", std::move(points)}, {"seconds", seconds}};
  run.names.add_to(document);
  run.processes.add_to(document);
  return document;
}

std::string size_text(const SolverRun& run) {
  return fmt::format("{}: {}, {}, {}\n", source_name(run), io::counted(run.model.states(), "state"),
                     io::counted(run.model.pairs(), "state-action pair"),
                     io::counted(run.model.outcomes(), "outcome"));
}

std::string_view sense_text(const SolverRun& run) {
  return run.model.sense() == io::Sense::reward ? "rewards: larger is better"
                                                : "costs: smaller is better";
}

std::string action_text(const SolverRun& run, ActionIndex action) {
  if (action == no_action) return "end";
  return action == mixed_action ? "mixed" : run.names.action(action);
}

std::string as_text(const SolverRun& run, const SolvedPoint& solved) {
  const CommandModel& model = run.model;
  const Criterion& criterion = run.options.points.front().criterion;
  const std::size_t shown = std::min(states_shown, model.states());
  const Policy& policy = run.policy ? run.policy->actions : solved.solution.policy;
  std::vector<std::string> states{"state"};
  std::vector<std::string> actions{"action"};
  std::size_t state_width = 8;
  std::size_t action_width = 8;
  for (std::size_t x = 0; x < shown; ++x) {
    states.push_back(run.names.state(x));
    actions.push_back(action_text(run, policy[x]));
    state_width = std::max(state_width, states.back().size());
    action_width = std::max(action_width, actions.back().size());
  }
  const bool is_average = run.options.average;
  std::string text =
      size_text(run) + fmt::format("{} {}, {}; values are {}\n\n", criterion.loss.to_string(),
                                   is_average ? "as a long-run average"
                                              : fmt::format("with gamma {}", criterion.gamma),
                                   method_text(run), sense_text(run));
  const Tolerance& tolerance = run.options.tolerance;
  CertainDigits digits(solved.solution.error_bound, {.finest = tolerance.goal()});
  const auto printed = [&](double value) { return in_sense(value, run.model.sense()); };
  if (is_average) {
    text += fmt::format("Risk-adjusted average per period: {}\n\n",
                        digits.value(printed(solved.solution.average_cost)));
  }
  for (std::size_t i = 0; i <= shown; ++i) {
    const double value = i == 0 ? 0.0 : printed(solved.solution.values[i - 1]);
    const std::string number = i == 0       ? is_average ? "relative value" : "value"
                               : is_average ? fmt::format("{:.4g}", value)
                                            : digits.value(value);
    text += fmt::format("{:>{}}  {:>{}}  {:>16}\n", states[i], state_width, actions[i],
                        action_width, number);
  }
  if (model.states() > states_shown) {
    text +=
        fmt::format("     ... and {} more; use --json for all\n", model.states() - states_shown);
  }
  if (is_average) {
    text +=
        "\nA relative value is what a start adds to the costs, once, compared with the first "
        "state; "
        "it has\nno bound.\n";
  }
  return text + "\n" + end_text(solved.solution, digits.bound(), solved.seconds, tolerance);
}

/// States whose action differs.
std::size_t changes(const Policy& policy, const Policy& before) {
  std::size_t count = 0;
  for (std::size_t x = 0; x < policy.size(); ++x) count += policy[x] != before[x] ? 1u : 0u;
  return count;
}

std::string sweep_text(const SolverRun& run, const std::vector<SolvedPoint>& solved) {
  const std::vector<CriterionPoint>& points = run.options.points;
  const std::size_t shown =
      run.options.average ? 0 : std::min(sweep_states_shown, run.model.states());
  TextTable table;
  std::vector<std::string> header;
  for (const auto& [key, value] : points.front().set) header.push_back(key);
  for (std::size_t x = 0; x < shown; ++x) header.push_back("value of " + run.names.state(x));
  if (run.options.average) header.emplace_back("average");
  const bool has_policies = !solved.front().solution.policy.empty();
  if (has_policies) header.emplace_back("actions changed");
  for (const char* name : {"within", "iterations", "s"}) header.emplace_back(name);
  table.add(header);
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const Solution& solution = solved[i].solution;
    std::vector<std::string> row;
    for (const auto& [key, value] : points[i].set) row.push_back(value);
    CertainDigits digits(solution.error_bound, {.finest = run.options.tolerance.goal()});
    const auto add = [&](double value) {
      row.push_back(solution.status == Status::overflow
                        ? "overflow"
                        : digits.value(in_sense(value, run.model.sense())));
    };
    for (std::size_t x = 0; x < shown; ++x) add(solution.values[x]);
    if (run.options.average) add(solution.average_cost);
    if (has_policies) {
      row.push_back(
          i == 0 ? "" : fmt::format("{}", changes(solution.policy, solved[i - 1].solution.policy)));
    }
    row.push_back(digits.bound());
    row.push_back(fmt::format("{}", solution.iterations));
    row.push_back(fmt::format("{:.3f}", solved[i].seconds));
    table.add(row);
  }
  return size_text(run) +
         fmt::format(
             "{}; values are {}{}\n\n", method_text(run), sense_text(run),
             has_policies
                 ? "; actions changed: in how many states the action differs from the row above"
                 : "") +
         table.text();
}

}  // namespace

ExitCode print_solved(const SolverRun& run, const std::vector<SolvedPoint>& solved) {
  if (run.options.json) {
    print_json(document_of(run, solved));
  } else if (run.options.is_sweep()) {
    print(sweep_text(run, solved));
  } else {
    const Solution& solution = solved.front().solution;
    print(is_usable(solution.status, solution.error_bound) ? as_text(run, solved.front()) : "");
  }
  ExitCode code = success;
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const Solution& solution = solved[i].solution;
    if (is_success(solution.status)) continue;
    std::string point;
    for (const auto& [key, value] : run.options.points[i].set) {
      point += fmt::format(" {}={}", key, value);
    }
    say(fmt::format("shortfall: {}{}{}: {}\n", source_name(run), point.empty() ? "" : ",", point,
                    failure_reason(solution.status, solution.error_bound, run.options.tolerance)));
    code = no_answer;
  }
  return code;
}

}  // namespace shortfall::app
