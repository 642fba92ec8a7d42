#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/output.hpp"
#include "apps/shortfall/spread_points.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/inventory/plan/rules.hpp"

namespace shortfall::app {
namespace {

struct InventoryEvaluateOptions : InventoryOptions {
  std::vector<std::string> policies;
};

/// The value of a policy at a point.
struct Evaluated {
  std::string policy;
  double value;
  ActionIndex order;
  double error_bound;
  Outcome outcome;
  int iterations;
  double seconds;
  std::string levels;  ///< of the static policy
  nlohmann::json document;
};

Evaluated evaluate_policy(const InventoryEvaluateOptions& options, const inventory::Rule& rule,
                          const InventoryPoint& point, InventorySolver& solver) {
  const Stopwatch stopwatch;
  ChosenOrders chosen = chosen_orders(rule, point, solver, options.threads);
  Solution solution = solver.evaluate(point.configuration, chosen.orders, rule.name);
  const bool is_solved = is_success(chosen.outcome.status);
  if (!is_solved) solution.status = chosen.outcome.status;
  const ActionIndex order = chosen.orders.front();
  if (is_usable(solution.status, solution.error_bound)) solution.policy = std::move(chosen.orders);
  nlohmann::json document = {{"policy", rule.name}, {"seconds", stopwatch.seconds()}};
  add_result(document, solution);
  if (chosen.non_perishable) document["levels"] = levels_as_json(*chosen.non_perishable);
  return {.policy = rule.name,
          .value = solution.values.front(),
          .order = order,
          .error_bound = solution.error_bound,
          .outcome = is_solved ? Outcome{solution.status, solution.error_bound} : chosen.outcome,
          .iterations = solution.iterations,
          .seconds = stopwatch.seconds(),
          .levels = chosen.non_perishable ? levels_as_text(*chosen.non_perishable) : "",
          .document = std::move(document)};
}

/// One policy is part of the document of its point; several are a list in it.
nlohmann::json evaluation_json(const InventoryPoint& point,
                               const std::vector<Evaluated>& policies) {
  nlohmann::json document = as_json(point);
  if (policies.size() == 1) document.update(policies.front().document);
  if (policies.size() == 1) return document;
  for (const Evaluated& evaluated : policies) document["policies"].push_back(evaluated.document);
  return document;
}

/// How much more a policy costs than the first one, to no more digits than are certain.
std::string versus(const Evaluated& evaluated, const Evaluated& first) {
  const double above = evaluated.value - first.value;
  const auto with_sign = [](const std::string& text) {
    return text.starts_with('-') ? text : "+" + text;
  };
  if (first.value <= 0.0) {
    CertainDigits digits(evaluated.error_bound + first.error_bound, {.decimals = 5});
    return with_sign(digits.value(above));
  }
  const Gap gap =
      gap_of({evaluated.value, evaluated.error_bound}, {first.value, first.error_bound});
  CertainDigits digits(&evaluated == &first ? 0.0 : gap.error_percent, {.decimals = 2});
  return with_sign(digits.value(100.0 * above / first.value)) + " %";
}

std::vector<std::vector<std::string>> rows_of(const InventoryPoint& point,
                                              const std::vector<Evaluated>& policies) {
  std::vector<std::vector<std::string>> rows;
  for (const Evaluated& evaluated : policies) {
    std::vector<std::string> row = {evaluated.policy};
    for (const auto& [key, value] : point.set) row.push_back(value);
    CertainDigits digits(evaluated.error_bound, {.decimals = 7});  // the tolerance has six
    const bool is_known = is_usable(evaluated.outcome.status, evaluated.error_bound);
    row.push_back(is_known ? digits.value(evaluated.value) : "unknown");
    if (policies.size() > 1) row.push_back(versus(evaluated, policies.front()));
    row.push_back(is_known ? fmt::format("{}", evaluated.order) : "unknown");
    row.push_back(digits.bound());
    row.push_back(fmt::format("{}", evaluated.iterations));
    row.push_back(fmt::format("{:.3f}", evaluated.seconds));
    rows.push_back(std::move(row));
  }
  return rows;
}

TextTable table_for(const InventoryPoint& point, std::size_t policies) {
  TextTable table(TextTable::Align::first_left);
  std::vector<std::string> header = {"policy"};
  for (const auto& [key, value] : point.set) header.push_back(key);
  header.emplace_back("cost from empty");
  if (policies > 1) header.emplace_back("vs. first");
  for (const char* name : {"order at empty", "within", "iterations", "s"}) {
    header.emplace_back(name);
  }
  table.add(header);
  return table;
}

PointResult evaluate_point(const InventoryEvaluateOptions& options,
                           const std::vector<inventory::Rule>& rules, const InventoryPoint& point,
                           InventorySolver& solver, bool is_only_point) {
  PointResult result;
  std::vector<Evaluated> policies;
  for (const inventory::Rule& rule : rules) {
    policies.push_back(evaluate_policy(options, rule, point, solver));
    if (!is_only_point || rules.size() > 1) solver.watch().check();
    result.outcomes.push_back(policies.back().outcome);
    if (policies.back().levels.empty()) continue;
    result.note +=
        fmt::format("static{}: {}\n", point.set.empty() ? "" : fmt::format(" at {}", point.name()),
                    policies.back().levels);
  }
  result.document = evaluation_json(point, policies);
  result.rows = rows_of(point, policies);
  return result;
}

/// On the first rank. A signal leaves one evaluation with what it has found, and several with none.
std::vector<PointResult> evaluate_points(const InventoryEvaluateOptions& options,
                                         const std::vector<inventory::Rule>& rules,
                                         const std::vector<InventoryPoint>& points,
                                         const Processes& processes) {
  SpreadPoints spread(points, processes);
  const auto is_file = [](const inventory::Rule& rule) {
    return rule.kind == inventory::Rule::Kind::given;
  };
  if (std::ranges::any_of(rules, is_file)) spread.keep_together();
  CommandMonitor watch(spread.for_a_point());
  InventorySolver solver(options, watch, spread.for_a_point());
  std::vector<PointResult> results = spread.on_first(points.size(), [&](std::size_t k) {
    return evaluate_point(options, rules, points[k], solver, points.size() == 1);
  });
  // Ranks that had evaluated at their points waited for the others.
  if (points.size() > 1 && processes.any(watch.is_stopped())) throw Stopped();
  return results;
}

ExitCode run_inventory_evaluate(const InventoryEvaluateOptions& options,
                                const Processes& processes) {
  const std::vector<inventory::Rule> rules =
      processes.together([&] { return parse_rules(options.policies, "--policy"); });
  const std::vector<InventoryPoint> points = inventory_points(options, processes);
  const Stopwatch stopwatch;
  const std::vector<PointResult> results = evaluate_points(options, rules, points, processes);
  if (!processes.is_to_report()) return success;
  std::vector<Outcome> outcomes;
  std::vector<nlohmann::json> documents;
  TextTable table = table_for(points.front(), options.policies.size());
  std::string levels;
  for (const PointResult& result : results) {
    outcomes.insert(outcomes.end(), result.outcomes.begin(), result.outcomes.end());
    documents.push_back(result.document);
    for (const std::vector<std::string>& row : result.rows) table.add(row);
    levels += result.note;
  }
  if (options.json) {
    print_json(document_of(options, std::move(documents), stopwatch.seconds(), processes));
  } else {
    print(heading(options, points.front()) + "\n" + table.text() +
          (levels.empty() ? "" : "\n" + levels));
  }
  return exit_code_of(options, outcomes);
}

}  // namespace

void add_inventory_evaluate(const CommandGroup& group) {
  const auto options = std::make_shared<InventoryEvaluateOptions>();
  const Grammar grammar = group.add("evaluate", "Compute the exact cost of given ordering policies",
                                    [options, &processes = group.processes()] {
                                      return run_inventory_evaluate(*options, processes);
                                    });
  add_inventory_options(grammar, *options, Randomness::none);
  add_orders(
      grammar, *options,
      {"--policy",
       "static (optimal if nothing perished), myopic (least risk in one period), risk-neutral, "
       "optimal"},
      options->policies)
      ->required();
  grammar->footer(
      "JSON: policy, value_at_empty, order_at_empty, error_bound, status, iterations, seconds,\n"
      "      and the instance as in solve; with several policies, a list policies\n\n"
      "Example: shortfall inventory evaluate examples/platelets.toml --policy static\n"
      "         --policy reorder:6,14");
}

}  // namespace shortfall::app
