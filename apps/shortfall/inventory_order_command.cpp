#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/output.hpp"
#include "errors/require.hpp"
#include "files/input_file.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/formats/saved_solution.hpp"
#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/weekday.hpp"
#include "shortfall/inventory/plan/order.hpp"

namespace shortfall::app {
namespace {

using inventory::OrderAnswer;
using inventory::OrderChoice;
using report::RuleToday;

/// The orders to show: all, or those around the best, the next best, nothing, and those of the
/// rules.
std::vector<std::size_t> shown_orders(const OrderAnswer& answer,
                                      const std::vector<RuleToday>& rules) {
  constexpr std::size_t most = 9;
  constexpr std::size_t around = 3;
  std::vector<std::size_t> orders(answer.choices.size());
  std::iota(orders.begin(), orders.end(), std::size_t{0});
  if (orders.size() <= most) return orders;
  std::erase_if(orders, [&](std::size_t z) {
    const bool is_near = z + around >= answer.order && z <= answer.order + around;
    return !is_near && z != 0 && z != answer.next_best() &&
           std::ranges::find(rules, z, &RuleToday::order) == rules.end();
  });
  return orders;
}

/// The costs, and by how much they differ, which may be off by twice as much.
struct Costs {
  explicit Costs(double error_bound)
      : value(error_bound, {.decimals = 5}), extra(2.0 * error_bound, {.decimals = 5}) {}

  CertainDigits value;
  CertainDigits extra;
};

std::string table_of(const OrderAnswer& answer, const std::vector<RuleToday>& rules, Costs& costs) {
  TextTable table;
  table.add({"", "order", "risk-adjusted cost", "more", "runs short", "units short", "expire today",
             "in total"});
  for (const std::size_t z : shown_orders(answer, rules)) {
    const OrderChoice& choice = answer.choices[z];
    table.add({z == answer.order ? ">" : "", fmt::format("{}", z), costs.value.value(choice.value),
               costs.extra.value(choice.extra),
               fmt::format("{:.2f} %", 100.0 * choice.chance_of_shortage),
               fmt::format("{:.3f}", choice.expected_short),
               fmt::format("{:.3f}", choice.expected_expired),
               fmt::format("{:.3f}", choice.expected_expired_in_all)});
  }
  return table.text();
}

std::string answer_text(const OrderAnswer& answer, const std::vector<RuleToday>& rules,
                        const std::vector<std::string>& warnings, std::size_t days) {
  const auto& stock = answer.today.stock;
  std::string text = days == 1
                         ? std::string()
                         : fmt::format("Day: {}\n", inventory::weekday_name(answer.today.day));
  if (!stock.empty()) {
    text += fmt::format(
        "In stock: {} ({} with 1{} left)\n", answer.today.total(), fmt::join(stock, ", "),
        stock.size() == 1 ? " period" : fmt::format(" to {} periods", stock.size()));
  }
  Costs costs(answer.error_bound);
  text += fmt::format("\n{}\n\n{}\n", answer.reason, table_of(answer, rules, costs));
  for (const auto& [name, order] : rules) {
    text += fmt::format("{} orders {}, {}\n", name, order,
                        order == answer.order
                            ? std::string("too")
                            : fmt::format("which costs {} more if optimal orders follow",
                                          costs.extra.value(answer.choices[order].extra)));
  }
  text += rules.empty() ? "" : "\n";
  for (const std::string& warning : warnings) text += fmt::format("Warning: {}.\n\n", warning);
  text += fmt::format(
      "Risk-adjusted costs cover this period and all later ones, discounted; each is within "
      "{} of exact,\nand each difference within {}.\n"
      "Total units that expire: those in stock and in the order, if nothing more is ordered.\n",
      costs.value.bound(), costs.extra.bound());
  return text;
}

struct InventoryOrderOptions : InventoryOptions {
  std::optional<std::string> stock;
  std::optional<std::size_t> day;
  std::vector<std::string> compare;
  std::string solution;  ///< file; empty: solve now
};

void check_order(const InventoryOrderOptions& options) {
  require(options.sweep.empty(), "--sweep with order; accepted: one plan");
  require(options.solution.empty() || !options.tolerance.is_given(),
          "--tolerance with --solution; accepted: one of them: a saved solution has its own error "
          "bound");
  require(options.solution.empty() || options.stopping == Stopping::certified,
          "--stopping paper with --solution; accepted: one of them");
}

/// "--stock: .." or "--day: ..", whichever is invalid.
inventory::StockToday stock_of(const InventoryOrderOptions& options,
                               const inventory::Model& model) {
  const std::size_t ages = model.stocks().length();
  require(options.stock.has_value() || ages == 0,
          "--stock is required; accepted: {} numbers separated by commas, the units with 1, 2, .. "
          "periods left",
          ages);
  const std::vector<std::int64_t> stock = parse_stock(options.stock.value_or(""));
  require(options.day.has_value() || model.days() == 1,
          "--day is required, because the plan differs by weekday; accepted: {} or today",
          inventory::accepted_weekdays);
  // A script that names the day works for a plan whose days are alike, too.
  const auto day = model.days() == 7 ? options.day : std::nullopt;
  try {
    return inventory::stock_today(model, stock, day);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--stock {}: {}", options.stock.value_or(""), error.what()));
  }
}

std::vector<RuleToday> rules_today(const std::vector<inventory::Rule>& rules,
                                   const InventoryPoint& point,
                                   const inventory::OrderAnswer& answer, InventorySolver& solver,
                                   int threads) {
  const auto& [model, criterion] = point.configuration;
  std::vector<RuleToday> result;
  for (const inventory::Rule& rule : rules) {
    if (rule.kind == inventory::Rule::Kind::optimal) {
      result.push_back({rule.name, answer.order});
      continue;
    }
    const std::optional<std::size_t> order =
        inventory::order_of(rule, model, criterion, answer.today,
                            {.solve =
                                 [&, &model = model](const Criterion& other) {
                                   return solver.solve({model, other}, rule.name);
                                 }},
                            {.threads = threads, .monitor = solver.watch().monitor(rule.name)});
    solver.watch().check();
    require(order.has_value(), "--compare {}: it did not converge; accepted: more --max-iterations",
            rule.name);
    result.push_back({rule.name, *order});
  }
  return result;
}

ExitCode run_inventory_order(const InventoryOrderOptions& options) {
  std::vector<inventory::Rule> compared = parse_rules(options.compare, "--compare");
  const InventoryPoint point = inventory_points(options).front();
  const inventory::Model& model = point.configuration.model;
  const inventory::StockToday today = stock_of(options, model);
  for (inventory::Rule& rule : compared) rule = fitting_rule(rule, model, "--compare");
  const Stopwatch stopwatch;
  Solution solution;
  std::vector<std::string> warnings;
  inventory::OrderAnswer answer;
  std::vector<RuleToday> rules;
  {
    CommandMonitor watch;
    InventorySolver solver(options, watch);
    solution = options.solution.empty() ? solver.solve(point.configuration, "optimal")
                                        : io::read_solution(options.solution, point.configuration,
                                                            io::OptionStyle::command_line);
    watch.check();
    const ExitCode code = exit_code_of(options, {{solution.status, solution.error_bound}});
    if (code != success) return code;
    answer = inventory::best_order(model, point.configuration.criterion, solution, today,
                                   watch.monitor());
    watch.check();
    warnings = capacity_warnings(point, solution);
    rules = rules_today(compared, point, answer, solver, options.threads);
  }
  if (options.json) {
    nlohmann::json document = as_json(point);
    add_result(document, report::OrderReport{answer, rules});
    if (model.days() > 1) document["day"] = weekday_word(today.day);
    document["status"] = to_string(solution.status);
    document["warnings"] = warnings;
    document["seconds"] = stopwatch.seconds();
    print_json(document);
  } else {
    print(heading(options, point) + "\n" + answer_text(answer, rules, warnings, model.days()));
  }
  return success;
}

}  // namespace

void add_inventory_order(const CommandGroup& group) {
  const auto options = std::make_shared<InventoryOrderOptions>();
  const Grammar grammar = group.add("order", "Today's order for today's stock, and why",
                                    [options] { return run_inventory_order(*options); });
  add_inventory_options(grammar, *options, Randomness::none);
  grammar->add_option("--stock", options->stock,
                      "Units in stock with 1, 2, .., shelf_life - 1 periods left, separated by "
                      "commas");
  grammar.offer("--stock", {});
  add_parsed(
      grammar, "--day",
      [options](const std::string& name) {
        options->day = inventory::parse_weekday(name, local_weekday(std::time(nullptr)));
      },
      fmt::format("Weekday: {} or today; needed where the plan differs by weekday",
                  inventory::accepted_weekdays));
  grammar.offer("--day", words_in(fmt::format("{}, today", inventory::accepted_weekdays)));
  add_orders(grammar, *options,
             {"--compare", "What another rule would order: static, myopic, risk-neutral"},
             options->compare);
  add_input(grammar, "--solution", options->solution,
            "File of inventory solve --save: no need to solve again; refused if the plan has "
            "changed");
  grammar.add_check([options] { check_order(*options); });
  grammar->footer(
      "JSON: order, value, error_bound, reason; for this period chance_of_shortage,\n"
      "      expected_short, expected_expired, expected_left, expected_cost;\n"
      "      expected_expired_in_all (of the stock and this order, if nothing more is ordered);\n"
      "      choices (the same for every order, and extra: its additional cost); compare (by "
      "rule:\n"
      "      order, value, extra); warnings (if the capacity limits the orders). A value is the\n"
      "      risk-adjusted cost of that order followed by optimal ones\n\n"
      "Example: shortfall inventory order examples/platelets.toml --stock 1,2,0,1\n"
      "         --compare base-stock:15");
}

}  // namespace shortfall::app
