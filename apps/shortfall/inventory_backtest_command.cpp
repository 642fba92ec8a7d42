#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/output.hpp"
#include "errors/require.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/formats/saved_solution.hpp"
#include "shortfall/inventory/plan/backtest.hpp"
#include "shortfall/inventory/plan/order.hpp"
#include "text/csv.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

using inventory::Backtest;
using inventory::BacktestDay;
using inventory::BacktestPolicy;
using inventory::iso_date;

/// "stock_1,stock_2": columns by periods left.
std::string columns(const char* name, std::size_t count) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i) text += fmt::format("{}_{},", name, i);
  return text;
}

std::string backtest_text(const report::BacktestReport& report) {
  const Backtest& result = report.backtest;
  const std::vector<BacktestDay>& days = result.policies.front().days;
  std::string text = fmt::format("{} to {}: {}, and {} without a row; {} in stock at the start\n",
                                 iso_date(days.front().date), iso_date(days.back().date),
                                 io::counted(result.days, "day"), result.closed_days,
                                 fmt::join(result.start, ", "));
  if (!result.refits.empty()) {
    text += fmt::format("fitted {}, each time to the rows before; {} not compared\n",
                        io::counted(result.refits.size(), "time"),
                        io::counted(result.warmup_days, "earlier day"));
  }
  TextTable table(TextTable::Align::first_left);
  table.add({"policy", "cost", "per day", "orders", "units ordered", "units short", "days short",
             "expired", "supplied"});
  for (const BacktestPolicy& policy : result.policies) {
    const bool is_bound = policy.shortages == inventory::Shortages::at_least;
    const char* const at_least = is_bound ? "at least " : "";
    const char* const at_most = is_bound ? "at most " : "";
    table.add(
        {policy.name, fmt::format("{:.2f}", policy.cost),
         fmt::format("{:.3f}", policy.cost_per_day), fmt::format("{}", policy.orders),
         fmt::format("{}", policy.units_ordered), fmt::format("{}{}", at_least, policy.units_short),
         fmt::format("{}{}", at_least, policy.days_short), fmt::format("{}", policy.units_expired),
         fmt::format("{}{:.2f} %", at_most, 100.0 * policy.service_level)});
  }
  text += "\n" + table.text();
  for (const std::string& warning : report.warnings) text += fmt::format("\nNote: {}.", warning);
  return text + (report.warnings.empty() ? "" : "\n");
}

std::string backtest_csv(const Backtest& result) {
  const BacktestDay& first = result.policies.front().days.front();
  std::string text =
      fmt::format("policy,date,closed,{}ordered,{}demand,short,left,expired,cost\n",
                  columns("stock", first.stock.size()), columns("received", first.received.size()));
  for (const BacktestPolicy& policy : result.policies) {
    for (const BacktestDay& day : policy.days) {
      text +=
          fmt::format("{},{},{:d},", io::csv_field(policy.name), iso_date(day.date), day.is_closed);
      for (const std::uint32_t units : day.stock) text += fmt::format("{},", units);
      text += fmt::format("{},{},{},{},{},{},{}\n", day.ordered, fmt::join(day.received, ","),
                          day.demand, day.missing, day.left, day.expired, day.cost);
    }
  }
  return text;
}

struct InventoryBacktestOptions : InventoryOptions {
  std::string records;
  io::DateOrder dates = io::DateOrder::automatic;
  std::vector<io::ColumnHeading> columns;
  std::vector<std::string> compare;
  std::optional<std::string> stock;
  std::uint64_t refit_days = 0;  ///< 0: never
  std::string solution;          ///< file; empty: solve
  std::string out;
};

void check_backtest(const InventoryBacktestOptions& options) {
  require(options.sweep.empty(), "--sweep with backtest; accepted: one plan");
  require(options.stopping == Stopping::certified,
          "--stopping paper with backtest; accepted: certified");
  require(options.config != "-" || options.records != "-",
          "standard input would be read more than once; accepted: - for one file");
  require(
      std::ranges::find(options.compare, "-") == options.compare.end() || options.records != "-",
      "standard input would be read more than once; accepted: - for one file");
  require(options.solution.empty() || options.refit_days == 0,
          "--solution with --refit; accepted: one of them: each plan that is fitted is solved");
}

/// Checked as any stock of the plan is.
std::optional<std::vector<std::uint32_t>> start_of(const InventoryBacktestOptions& options,
                                                   const inventory::Model& model) {
  if (!options.stock) return std::nullopt;
  const std::vector<std::int64_t> stock = parse_stock(*options.stock);
  try {
    (void)inventory::stock_today(model, stock,
                                 model.days() == 1 ? std::nullopt : std::optional<std::size_t>(0));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--stock {}: {}", *options.stock, error.what()));
  }
  return std::vector<std::uint32_t>(stock.begin(), stock.end());
}

inventory::Backtest run_backtest(const InventoryBacktestOptions& options,
                                 const InventoryPoint& point, const inventory::Records& records,
                                 const std::vector<inventory::Rule>& rules) {
  const auto& [model, criterion] = point.configuration;
  CommandMonitor watch;
  const inventory::BacktestOptions backtest_options{
      .start = start_of(options, model),
      .seed = options.seed,
      .refit_days = options.refit_days,
      .refit = [&model = model](
                   const inventory::Records& known) { return inventory::refitted(model, known); },
      .plan_orders = options.solution.empty()
                         ? Policy()
                         : io::read_solution(options.solution, point.configuration,
                                             io::OptionStyle::command_line)
                               .policy,
      .rules = {.tolerance = options.tolerance, .max_iterations = options.max_iterations}};
  inventory::Backtest result =
      inventory::backtest(model, criterion, records, rules, backtest_options,
                          {.threads = options.threads, .monitor = watch.monitor()});
  watch.check();
  return result;
}

ExitCode run_inventory_backtest(const InventoryBacktestOptions& options) {
  const std::vector<inventory::Rule> compared = parse_rules(options.compare, "--compare");
  const InventoryPoint point = inventory_points(options).front();
  const inventory::Model& model = point.configuration.model;
  std::vector<inventory::Rule> rules;
  for (const inventory::Rule& rule : compared) {
    require(std::ranges::find(rules, rule.name, &inventory::Rule::name) == rules.end(),
            "--compare {} is given twice; accepted: each rule once", rule.name);
    rules.push_back(fitting_rule(rule, model, "--compare"));
  }
  const inventory::Records records =
      io::read_records_csv(options.records, {.dates = options.dates,
                                             .columns = options.columns,
                                             .shelf_life = model.shelf_life(),
                                             .style = io::OptionStyle::command_line});
  const Stopwatch stopwatch;
  const report::BacktestReport report = report::backtest_report(
      run_backtest(options, point, records, rules), io::OptionStyle::command_line);
  std::vector<Outcome> outcomes;
  for (const inventory::BacktestPolicy& policy : report.backtest.policies) {
    outcomes.push_back({policy.status, policy.error_bound});
  }
  const auto write_rows = [&] {
    if (!options.out.empty()) io::write_file(options.out, backtest_csv(report.backtest));
  };
  write_then_print(write_rows, [&] {
    if (options.json) {
      nlohmann::json document = as_json(point);
      add_result(document, report);
      document["seconds"] = stopwatch.seconds();
      print_json(document);
    } else {
      const std::vector<std::string>& placeholders = point.placeholder_costs;
      print(heading(options, point) + "\n" + backtest_text(report) +
            (placeholders.empty() ? "" : "\n" + placeholder_text(placeholders) + "\n"));
    }
  });
  return exit_code_of(options, outcomes);
}

}  // namespace

void add_inventory_backtest(const CommandGroup& group) {
  const auto options = std::make_shared<InventoryBacktestOptions>();
  const Grammar grammar = group.add("backtest", "What a plan would have cost on recorded days",
                                    [options] { return run_inventory_backtest(*options); });
  add_inventory_options(grammar, *options, Randomness::seeded);
  add_input(grammar, "records", options->records,
            "CSV with one row per day: date, demand, and optionally stockout, ordered, "
            "received_1,.., wasted; -: standard input")
      ->required();
  add_orders(grammar, *options,
             {"--compare", "Another rule to test on the same days: static, myopic, risk-neutral"},
             options->compare);
  add_count(
      grammar, "--refit", options->refit_days, 100000,
      "Refit the plan every N days to the rows before that day; without this option, a plan that "
      "was fitted to these days has seen the demand that it meets");
  grammar->get_option("--refit")->default_str("");
  grammar->add_option("--stock", options->stock,
                      "Units on the first morning with 1, 2, .. periods left; default: the least "
                      "that explains the first days, or none");
  grammar.offer("--stock", {});
  add_columns(grammar, options->columns);
  add_choice(grammar, "--dates", options->dates, io::date_order_names, "How dates are written");
  add_input(grammar, "--solution", options->solution,
            "File of inventory solve --save: no need to solve the plan again");
  add_output(grammar, "--out", options->out, "Write one row per policy and day to this CSV file");
  grammar.add_check([options] { check_backtest(*options); });
  grammar->footer(
      "All policies see the same demand and start with the same stock. Units of an order have the\n"
      "ages of that day's delivery where the records have it, otherwise those of the plan. A day\n"
      "without a row is closed: no demand, no order, but units age. A day is short if some of its\n"
      "recorded demand is not met. Where the stock ran out, the recorded demand is a lower bound:\n"
      "what was missing beyond it costs nothing, and the shortages of actual are at least what is\n"
      "shown. Costs are those of the plan, not discounted; actual is what the records say, at the\n"
      "same costs.\n\n"
      "A plan that was fitted to the same days does better on them than on new ones. --refit N\n"
      "measures its quality: from the first fit on, after N days, every plan knows only earlier\n"
      "days. The days before that are used for fitting only.\n\n"
      "JSON: days (with a row), warmup_days, closed_days, censored_days, first, last, start,\n"
      "      refits, warnings; policies (plan, each rule, actual): cost and its five parts,\n"
      "      cost_per_day (cost / days), orders, units_ordered, units_short, days_short, "
      "shortages\n"
      "      (exact; where the stock ran out at least for actual, otherwise of recorded demand),\n"
      "      units_expired, service_level\n\n"
      "Example: shortfall inventory backtest plan.toml records.csv --compare base-stock:15");
}

}  // namespace shortfall::app
