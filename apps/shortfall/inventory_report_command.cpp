#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/policy_simulation.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "files/atomic_file.hpp"
#include "files/input_file.hpp"
#include "report/plan_page.hpp"
#include "require.hpp"
#include "shortfall/error.hpp"
#include "shortfall/inventory/plan.hpp"

namespace shortfall::app {
namespace {

struct InventoryReportOptions : InventoryOptions, SimulationSize {
  std::vector<double> levels;  ///< of risk, to compare; empty: defaults for the loss
  std::string out;
  std::string csv;  ///< empty: none
};

void check_report(const InventoryReportOptions& options) {
  check_is_file("--out", options.out);
  check_different("--out", options.out, "the configuration", options.config);
  require(options.sweep.empty(),
          "--sweep with report; accepted: one instance; use --levels to compare attitudes to risk");
  require(options.stopping == Stopping::certified,
          "--stopping paper with report; accepted: certified: people rely on the report");
}

inventory::Plan make_plan(const InventoryReportOptions& options, const InventoryPoint& point) {
  CommandMonitor watch;
  const inventory::PlanOptions plan_options{.levels = options.levels,
                                            .periods = options.periods,
                                            .replications = options.replications,
                                            .tolerance = options.tolerance,
                                            .max_iterations = options.max_iterations,
                                            .seed = options.seed,
                                            .threads = options.threads,
                                            .monitor = watch.monitor()};
  const auto& [model, criterion] = point.configuration;
  try {
    inventory::Plan plan = inventory::make_plan(model, criterion, plan_options);
    if (!plan.is_complete) throw Stopped();
    return plan;
  } catch (const InvalidField& error) {
    throw InvalidInput(fmt::format("--{}: {}", error.field(), error.what()));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", io::input_name(options.config), error.what()));
  }
}

std::string text_of(const InventoryReportOptions& options, const inventory::Plan& plan) {
  const inventory::SimulationResult& expected = plan.policies.front().forecast.simulated;
  return fmt::format(
      "With nothing in stock{}: order {}.\n"
      "{:.1f} % of demand is met, and {:.1f} % of the units received expire.\n"
      "HTML report: {}\n",
      plan.model.days() == 1 ? "" : " on a Monday", plan.recommended().policy.front(),
      100.0 * expected.service_level, 100.0 * expected.wasted_fraction, options.out);
}

ExitCode run_inventory_report(const InventoryReportOptions& options) {
  // Fail before the work, not after it, if the file cannot be written.
  { const io::AtomicFile probe(options.out); }
  if (!options.csv.empty()) io::make_directory(options.csv);
  const InventoryPoint point = inventory_points(options).front();
  const Stopwatch stopwatch;
  const inventory::Plan plan = make_plan(options, point);
  const auto [status, error_bound] = plan.outcome();
  const ExitCode code = exit_code_of(options, {{status, error_bound}});
  if (code != success) return code;
  const std::string source = std::filesystem::path(io::input_name(options.config)).filename();
  if (!options.csv.empty()) report::write_csv(options.csv, plan);
  io::write_file(options.out, report::html_of(plan, source));
  if (options.json) {
    report::Json data = report::json_of(plan, source);
    data["file"] = options.out;
    data["seconds"] = stopwatch.seconds();
    print(report::text_of(data));
  } else {
    print(text_of(options, plan));
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
  grammar->add_option("--out", options->out, "HTML file to write; it is self-contained")
      ->required()
      ->check(not_empty());
  grammar->add_option("--csv", options->csv, "Also write the data of the charts to this directory")
      ->check(not_empty());
  add_numbers(grammar, "--levels", options->levels,
              "Attitudes to risk to compare: values of the loss parameter, separated by commas; "
              "default: typical values");
  add_simulation_size(grammar, *options);
  grammar.add_check([options] { check_report(*options); });
  grammar->footer(
      "The report opens from disk in any browser, without a network.\n\n"
      "JSON: the data of the report (web/README.md), and file, seconds\n\n"
      "Example: shortfall inventory report examples/platelets.toml --out platelets.html");
}

}  // namespace shortfall::app
