#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/plan.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "files/atomic_file.hpp"
#include "report/page.hpp"
#include "shortfall/formats/order_policy_csv.hpp"

namespace shortfall::app {
namespace {

struct InventoryReportOptions : PlanOptions {
  std::string out;
  std::string csv;  ///< empty: none
};

void check_report(const InventoryReportOptions& options) {
  check_is_file("--out", options.out);
  check_different("--out", options.out, "the configuration", options.config);
  if (!options.sweep.empty()) {
    refuse("--sweep with report", "one instance; use --levels to compare attitudes to risk");
  }
  if (options.stopping != Stopping::certified) {
    refuse("--stopping paper with report", "certified: people rely on the report");
  }
}

/// Writes the tables of the plan, and the orders as `solve --policy-out` does.
void write_csv(const std::filesystem::path& directory, const inventory::Model& model,
               const Plan& plan) {
  const report::Json& data = plan.data;
  const auto write = [&](const char* name, const report::Json& rows) {
    io::write_file((directory / fmt::format("{}.csv", name)).string(), report::csv_of(rows));
  };
  for (const char* name : {"levels", "policies", "costs", "demand", "arrival"}) {
    write(name, data[name]);
  }
  write("orders_by_total", data["recommendation"]["by_total"]);
  io::write_order_policy_csv((directory / "orders.csv").string(), model, plan.orders);
}

std::string text_of(const InventoryReportOptions& options, const report::Json& data) {
  const report::Json& recommended = data["policies"].front();
  return fmt::format(
      "With nothing in stock{}: order {}.\n"
      "{:.1f} % of demand is met, and {:.1f} % of the units received expire.\n"
      "HTML report: {}\n",
      data["model"]["days"] == 1 ? "" : " on a Monday",
      data["recommendation"]["order_at_empty"].front().dump(),
      100.0 * recommended["service_level"].get<double>(),
      100.0 * recommended["wasted_fraction"].get<double>(), options.out);
}

ExitCode run_inventory_report(const InventoryReportOptions& options) {
  // Fail before the work, not after it, if the file cannot be written.
  { const io::AtomicFile probe(options.out); }
  if (!options.csv.empty()) io::make_directory(options.csv);
  const InventoryPoint point = inventory_points(options).front();
  const Stopwatch stopwatch;
  Plan plan = [&] {
    CommandMonitor watch;
    return make_plan(options, point, watch);
  }();
  const ExitCode code = exit_code_of(options, plan.outcomes);
  if (code != success) return code;
  if (!options.csv.empty()) write_csv(options.csv, point.configuration.model, plan);
  report::Json page = plan.data;
  page["conclusions"] = plan.conclusions;
  io::write_file(options.out, report::html_of(report::Page::plan, page));
  if (options.json) {
    plan.data["file"] = options.out;
    plan.data["seconds"] = stopwatch.seconds();
    print(report::text_of(plan.data));
  } else {
    print(text_of(options, plan.data));
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
