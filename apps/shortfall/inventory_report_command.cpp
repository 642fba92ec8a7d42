#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/options.hpp"
#include "errors/require.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "report/plan_page.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/plan/plan.hpp"
#include "shortfall/inventory/plan/plan_records.hpp"

namespace shortfall::app {
namespace {

struct InventoryReportOptions : InventoryOptions, SimulationSize {
  std::vector<double> levels;         ///< of risk, to compare; empty: defaults for the loss
  std::vector<std::string> policies;  ///< the planner's own rules
  std::string records;                ///< empty: none
  io::DateOrder dates = io::DateOrder::automatic;
  std::vector<io::ColumnHeading> columns;
  std::string title;
  std::string currency;
  std::string date;
  std::string out;
  std::string csv;  ///< empty: none
};

void check_report(const InventoryReportOptions& options) {
  const bool is_read_twice =
      options.records == "-" &&
      (options.config == "-" || std::ranges::find(options.policies, "-") != options.policies.end());
  require(!is_read_twice, "standard input would be read more than once; accepted: - for one file");
  require(options.sweep.empty(),
          "--sweep with report; accepted: one instance; use --levels to compare attitudes to risk");
  require(options.stopping == Stopping::certified,
          "--stopping paper with report; accepted: certified: people rely on the report");
}

/// What the report is made of, apart from the options.
struct ReportInput {
  InventoryPoint point;
  std::vector<inventory::Rule> rules;  ///< the planner's own, and the one in use by the records
  std::optional<inventory::Records> records;
};

ReportInput read_input(const InventoryReportOptions& options) {
  const std::vector<inventory::Rule> rules = parse_rules(options.policies, "--policy");
  ReportInput input{.point = inventory_points(options).front(), .rules = {}, .records = {}};
  const inventory::Model& model = input.point.configuration.model;
  for (const inventory::Rule& rule : rules) {
    require(std::ranges::find(input.rules, rule.name, &inventory::Rule::name) == input.rules.end(),
            "--policy {} is given twice; accepted: each rule once", rule.name);
    input.rules.push_back(fitting_rule(rule, model, "--policy"));
  }
  if (options.records.empty()) return input;
  input.records = io::read_records_csv(options.records, {.dates = options.dates,
                                                         .columns = options.columns,
                                                         .shelf_life = model.shelf_life(),
                                                         .style = io::OptionStyle::command_line});
  input.rules = inventory::with_rule_in_use(input.rules, model, *input.records);
  return input;
}

inventory::Plan make_plan(const InventoryReportOptions& options, const ReportInput& input,
                          CommandMonitor& watch) {
  const inventory::PlanOptions plan_options{.levels = options.levels,
                                            .rules = input.rules,
                                            .periods = options.periods,
                                            .replications = options.replications,
                                            .tolerance = options.tolerance,
                                            .max_iterations = options.max_iterations,
                                            .seed = options.seed};
  const auto& [model, criterion] = input.point.configuration;
  try {
    inventory::Plan plan = inventory::make_plan(
        model, criterion, plan_options, {.threads = options.threads, .monitor = watch.monitor()});
    if (!plan.is_complete) throw Stopped();
    return plan;
  } catch (const InvalidField& error) {
    throw InvalidInput(fmt::format("--{}: {}", error.field(), error.what()));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", io::input_name(options.config), error.what()));
  }
}

/// What is on the page.
struct ReportContent {
  inventory::Plan plan;
  std::optional<inventory::PlanRecords> records;  ///< none also if the plan did not converge
};

ReportContent compute_content(const InventoryReportOptions& options, const ReportInput& input) {
  CommandMonitor watch;
  ReportContent content{.plan = make_plan(options, input, watch), .records = {}};
  if (!input.records || !is_success(content.plan.outcome().status)) return content;
  content.records = inventory::plan_records(
      content.plan, *input.records, input.rules,
      {.seed = options.seed,
       .rules = {.tolerance = options.tolerance, .max_iterations = options.max_iterations}},
      {.threads = options.threads, .monitor = watch.monitor()});
  watch.check();
  return content;
}

std::string text_of(const InventoryReportOptions& options, const inventory::Plan& plan,
                    const std::vector<std::string>& placeholder_costs) {
  const inventory::SimulationResult& expected = plan.policies.front().forecast.simulated;
  std::string text = fmt::format(
      "With nothing in stock{}: order {}.\n"
      "{:.1f} % of demand is met, and {:.1f} % of the units received expire.\n",
      plan.model.days() == 1 ? "" : " on a Monday", plan.recommended().policy.front(),
      100.0 * expected.service_level, 100.0 * expected.wasted_fraction);
  if (!placeholder_costs.empty()) text += placeholder_text(placeholder_costs) + "\n";
  for (const inventory::PlanPolicy& policy : plan.policies) {
    if (policy.own.empty() || !placeholder_costs.empty()) continue;
    text += fmt::format("{} costs {:.2f} more per week (standard error {:.2g}).\n", policy.name,
                        7.0 * policy.forecast.extra_per_period,
                        7.0 * policy.forecast.extra_standard_error);
  }
  return text + fmt::format("HTML report: {}\n", options.out);
}

ExitCode run_inventory_report(const InventoryReportOptions& options) {
  const ReportInput input = read_input(options);
  if (!options.csv.empty()) io::make_directory(options.csv);
  const Stopwatch stopwatch;
  const auto [plan, records] = compute_content(options, input);
  const auto [status, error_bound] = plan.outcome();
  const ExitCode code = exit_code_of(options, {{status, error_bound}});
  if (code != success) return code;
  const report::PlanDocument document{
      .plan = plan,
      .header = {.source = std::filesystem::path(io::input_name(options.config)).filename(),
                 .product = options.title,
                 .currency = options.currency,
                 .date = options.date,
                 .placeholder_costs = input.point.placeholder_costs},
      .records = records ? &*records : nullptr,
      .style = io::OptionStyle::command_line};
  if (!options.csv.empty()) report::write_csv(options.csv, document);
  io::write_file(options.out, report::html_of(document));
  if (options.json) {
    report::Json data = report::document_of(report::plan_report(document));
    data["file"] = options.out;
    data["seconds"] = stopwatch.seconds();
    print(report::text_of(data));
  } else {
    print(text_of(options, document.plan, document.header.placeholder_costs));
  }
  return success;
}

}  // namespace

void add_inventory_report(const CommandGroup& group) {
  const auto options = std::make_shared<InventoryReportOptions>();
  const Grammar grammar =
      group.add("report", "Write an HTML report: what to order, and what to expect",
                [options] { return run_inventory_report(*options); });
  add_inventory_options(grammar, *options, Randomness::seeded);
  add_output(grammar, "--out", options->out, "HTML file to write; it is self-contained")
      ->required();
  grammar->add_option("--csv", options->csv, "Also write the data of the charts to this directory")
      ->check(not_empty());
  grammar.writes_into("--csv", {report::plan_tables.begin(), report::plan_tables.end()});
  add_numbers(grammar, "--levels", options->levels,
              "Attitudes to risk to compare: values of the loss parameter, separated by commas; "
              "default: typical values");
  add_orders(grammar, *options,
             {"--policy", "Your own rule, beside the plan: static, myopic, risk-neutral"},
             options->policies);
  add_input(grammar, "--records", options->records,
            "CSV with one row per day: date, demand, and optionally stockout, ordered, "
            "received_1,.., wasted; adds the recorded demand, the rule that was in use, and "
            "a back-test");
  add_columns(grammar, options->columns);
  add_choice(grammar, "--dates", options->dates, io::date_order_names,
             "How dates of the records are written");
  grammar->add_option("--title", options->title, "Name of the product, for the heading")
      ->check(not_empty());
  grammar
      ->add_option("--currency", options->currency,
                   "Currency shown with amounts of money, such as EUR")
      ->check(not_empty());
  grammar->add_option("--date", options->date, "Date to show on the report")->check(not_empty());
  for (const char* name : {"--title", "--currency", "--date"}) grammar.offer(name, {});
  add_simulation_size(grammar, *options);
  grammar.add_check([options] { check_report(*options); });
  grammar->footer(
      "The report opens from disk in any browser, without a network.\n\n"
      "JSON: the data of the report (web/README.md), file and seconds\n\n"
      "Example: shortfall inventory report examples/platelets.toml --policy base-stock:15\n"
      "         --title Platelets --currency EUR --out platelets.html");
}

}  // namespace shortfall::app
