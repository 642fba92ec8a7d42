#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "inventory_report.hpp"
#include "page.hpp"
#include "plan.hpp"
#include "shortfall/io/atomic_file.hpp"
#include "stopwatch.hpp"

namespace shortfall::app {
namespace {

/// The tables of the plan, and the orders as `solve --policy-out` writes them.
void write_csv(const std::filesystem::path& directory, const report::Json& data) {
  io::make_directory(directory.string());
  const auto write = [&](const char* name, const report::Json& rows) {
    io::write_file((directory / fmt::format("{}.csv", name)).string(), report::csv_of(rows));
  };
  for (const char* name : {"levels", "policies", "costs", "demand", "arrival"}) {
    write(name, data[name]);
  }
  write("orders_by_total", data["recommendation"]["by_total"]);
}

std::string text_of(const InventoryReportOptions& options, const report::Json& data) {
  const report::Json& recommended = data["policies"].front();
  return fmt::format(
      "With nothing in stock: order {}. {:.1f} % of demand is met, and {:.1f} % of what arrives is "
      "thrown away.\nThe page to look at: {}\n",
      data["recommendation"]["order_at_empty"].front().dump(),
      100.0 * recommended["service_level"].get<double>(),
      100.0 * recommended["wasted_fraction"].get<double>(), options.out);
}

}  // namespace

ExitCode run(const InventoryReportOptions& options) {
  // A file that cannot be written is better said before the work than after it.
  io::AtomicFile{options.out};
  const InventoryPoint point = inventory_points(options).front();
  const Stopwatch stopwatch;
  Plan plan = [&] {
    Progress progress;
    return make_plan(options, point, progress);
  }();
  const ExitCode code = exit_code_of(options, plan.outcomes);
  if (code != success) return code;
  io::write_file(options.out, report::html_of(report::Page::plan, plan.data));
  if (!options.csv.empty()) write_csv(options.csv, plan.data);
  if (options.json) {
    plan.data["file"] = options.out;
    plan.data["seconds"] = stopwatch.seconds();
    print(plan.data.dump(2) + "\n");
  } else {
    print(text_of(options, plan.data));
  }
  return success;
}

}  // namespace shortfall::app
