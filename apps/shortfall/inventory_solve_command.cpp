#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/output.hpp"
#include "apps/shortfall/spread_points.hpp"
#include "errors/require.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "shortfall/formats/saved_solution.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/plan/plan.hpp"

namespace shortfall::app {
namespace {

struct InventorySolveOptions : InventoryOptions {
  std::string policy_out;
  std::string save;
};

void check_save(const InventorySolveOptions& options) {
  require(options.save.empty() || options.sweep.empty(),
          "--save with --sweep; accepted: one of them: a file holds one solution");
}

/// The solution of a point, and the optimum if nothing perished.
struct Solved {
  Solution solution;
  inventory::NonPerishable non_perishable;
  double seconds = 0.0;
  std::vector<std::string> warnings = {};
};

Solved solve_point(const InventoryPoint& point, InventorySolver& solver) {
  const Stopwatch stopwatch;
  auto [solution, non_perishable] =
      solver.solve_with_non_perishable(point.configuration, "optimal");
  const double seconds = stopwatch.seconds();
  std::vector<std::string> warnings = capacity_warnings(point, solution);
  return {std::move(solution), std::move(non_perishable), seconds, std::move(warnings)};
}

nlohmann::json solution_json(const InventoryPoint& point, const Solved& solved) {
  nlohmann::json document = as_json(point);
  add_result(document, solved.solution);
  document["seconds"] = solved.seconds;
  document["warnings"] = solved.warnings;
  document["non_perishable"] = levels_as_json(solved.non_perishable);
  document["memory_bytes"] =
      static_cast<std::uint64_t>(inventory::memory_needed(point.configuration.model));
  return document;
}

/// "9 to 11".
std::string order_text(const inventory::Model& model, const Policy& orders, std::size_t day,
                       std::size_t total) {
  const auto [least, most] = inventory::order_range(model, orders, day, total);
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

/// Orders by total stock; equal consecutive rows are merged.
std::string order_table(const inventory::Model& model, const Policy& orders) {
  TextTable table;
  std::vector<std::string> header = {"in stock"};
  for (std::size_t day = 0; day < model.days(); ++day) {
    header.push_back(model.days() > 1 ? day_name(day) : "order");
  }
  table.add(header);
  const std::size_t most = model.shelf_life() == 1 ? 0 : model.capacity();
  for (std::size_t first = 0, total = 0; total <= most; ++total) {
    std::vector<std::string> row(1);
    bool last = total == most;
    for (std::size_t day = 0; day < model.days(); ++day) {
      row.push_back(order_text(model, orders, day, total));
      last = last || row.back() != order_text(model, orders, day, total + 1);
    }
    if (!last) continue;
    row[0] = first == total ? fmt::format("{}", total) : fmt::format("{} to {}", first, total);
    table.add(row);
    first = total + 1;
  }
  return table.text();
}

std::string solution_text(const InventoryOptions& options, const InventoryPoint& point,
                          const Solved& solved) {
  const inventory::Model& model = point.configuration.model;
  const Solution& solution = solved.solution;
  CertainDigits digits(solution.error_bound, {.finest = options.tolerance.goal()});
  std::string text = heading(options, point);
  text += fmt::format(
      "\nWith nothing in stock{}: order {}.\n"
      "Risk-adjusted cost from there on: {} (all future periods, discount factor {}).\n\n"
      "What to order, with a range where it depends on the age of the stock:\n\n{}\n",
      model.days() > 1 ? " on a Monday" : "", solution.policy.front(),
      digits.value(solution.values.front()), point.configuration.criterion.gamma,
      order_table(model, solution.policy));
  text += fmt::format("If nothing perished: {}.\n\n", levels_as_text(solved.non_perishable));
  for (const std::string& warning : solved.warnings) {
    text += fmt::format("Warning: {}.\n\n", warning);
  }
  return text + end_text(solution, digits.bound(), solved.seconds, options.tolerance);
}

std::vector<std::string> sweep_row(const InventoryPoint& point, const Solved& solved) {
  const Solution& solution = solved.solution;
  std::vector<std::string> row;
  for (const auto& [key, value] : point.set) row.push_back(value);
  CertainDigits digits(solution.error_bound, {.decimals = 7});  // the tolerance has six
  const bool is_known = is_usable(solution.status, solution.error_bound);
  row.push_back(is_known ? digits.value(solution.values.front()) : "unknown");
  row.push_back(is_known ? fmt::format("{}", solution.policy.front()) : "unknown");
  row.push_back(digits.bound());
  row.push_back(fmt::format("{}", solution.iterations));
  row.push_back(fmt::format("{:.3f}", solved.seconds));
  row.push_back(short_levels_as_text(solved.non_perishable));
  return row;
}

std::string sweep_text(const InventoryOptions& options, const InventoryPoint& first,
                       const std::vector<PointResult>& results) {
  TextTable table;
  std::vector<std::string> header;
  for (const auto& [key, value] : first.set) header.push_back(key);
  for (const char* name : {"cost from empty", "order at empty", "within", "iterations", "s"}) {
    header.emplace_back(name);
  }
  header.emplace_back("(s,S) if nothing perished");
  table.add(header);
  for (const PointResult& result : results) table.add(result.rows.front());
  return heading(options, first) + "\n" + table.text();
}

/// What is printed of all points, on the first rank; `last` is the solution of the last point that
/// this rank solved.
std::vector<PointResult> solve_points(const InventorySolveOptions& options,
                                      const std::vector<InventoryPoint>& points, Solved& last,
                                      const Processes& processes) {
  const SpreadPoints spread(points, processes);
  CommandMonitor watch(spread.for_a_point());
  InventorySolver solver(options, watch, spread.for_a_point());
  std::vector<PointResult> results = spread.on_first(points.size(), [&](std::size_t k) {
    last = {};  // its memory is needed
    last = solve_point(points[k], solver);
    if (points.size() > 1) watch.check();
    return PointResult{.outcomes = {{last.solution.status, last.solution.error_bound}},
                       .document = options.json ? solution_json(points[k], last) : nlohmann::json(),
                       .rows = {sweep_row(points[k], last)},
                       .note = {},
                       .refused = {}};
  });
  // Ranks that had solved their points waited for the others.
  if (points.size() > 1 && processes.any(watch.is_stopped())) throw Stopped();
  return results;
}

ExitCode run_inventory_solve(const InventorySolveOptions& options, const Processes& processes) {
  const std::vector<InventoryPoint> points = inventory_points(options, processes);
  const Stopwatch stopwatch;
  Solved solved;
  const std::vector<PointResult> results = solve_points(options, points, solved, processes);
  if (!processes.is_to_report()) return success;
  std::vector<Outcome> outcomes;
  std::vector<nlohmann::json> documents;
  for (const PointResult& result : results) {
    outcomes.push_back(result.outcomes.front());
    documents.push_back(result.document);
  }
  const auto write_files = [&] {  // not with a sweep
    const io::InventoryConfiguration& plan = points.front().configuration;
    const auto [status, error_bound] = outcomes.front();
    if (!options.policy_out.empty() && is_usable(status, error_bound)) {
      io::write_order_policy_csv(options.policy_out, plan.model, solved.solution.policy);
    }
    if (!options.save.empty() && is_success(status)) {
      io::write_solution(options.save, plan, solved.solution);
    }
  };
  write_then_print(write_files, [&] {
    if (options.json) {
      print_json(document_of(options, std::move(documents), stopwatch.seconds(), processes));
    } else if (options.sweep.empty()) {
      const auto [status, error_bound] = outcomes.front();
      print(is_usable(status, error_bound) ? solution_text(options, points.front(), solved) : "");
    } else {
      print(sweep_text(options, points.front(), results));
    }
  });
  return exit_code_of(options, outcomes);
}

}  // namespace

void add_inventory_solve(const CommandGroup& group) {
  const auto options = std::make_shared<InventorySolveOptions>();
  const Grammar grammar = group.add("solve", "Compute the optimal orders exactly",
                                    [options, &processes = group.processes()] {
                                      return run_inventory_solve(*options, processes);
                                    });
  add_inventory_options(grammar, *options, Randomness::none);
  add_policy_out(grammar, *options, options->policy_out);
  add_output(grammar, "--save", options->save,
             "Save the solution to this file, for inventory order --solution; not with "
             "--sweep, and only if the solver converged");
  grammar.add_check([options] { check_save(*options); });
  grammar->footer(
      "JSON: states, value_at_empty, order_at_empty, error_bound, status, iterations, seconds,\n"
      "      loss, gamma, shelf_life, capacity, days, memory_bytes, non_perishable (by day:\n"
      "      reorder_at, order_up_to, or null), warnings (if the capacity limits the orders); "
      "with\n"
      "      --sweep a list of these, each with set\n\n"
      "Example: shortfall inventory solve examples/platelets.toml --sweep risk.tau=0.1:0.9:0.2");
}

}  // namespace shortfall::app
