#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/results.hpp"
#include "bindings/tolerance.hpp"
#include "files/atomic_file.hpp"
#include "files/file_uses.hpp"
#include "report/plan_fields.hpp"
#include "report/plan_page.hpp"
#include "shortfall/formats/order_rule.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/plan/plan.hpp"
#include "shortfall/inventory/plan/plan_records.hpp"

namespace shortfall::python {
namespace {

using inventory::Plan;
using inventory::PlanOptions;

constexpr const char* report_doc = R"doc(
Writes the HTML report for planners: what to order, what to expect, and how other attitudes to risk
and simpler rules compare. It is one file, which opens from disk in any browser, without a network.
The same page as `shortfall inventory report`; also a method, inventory.report(path).

path : the HTML file to write. Nothing is written if something fails.
levels : attitudes to risk to compare, values of the loss parameter; None means typical values.
policy : the planner's own rules, such as ["base-stock:15"], or CSV files of orders: how much more
    they cost than the plan, and what they order.
records : a CSV file with one row per day (see backtest): adds the recorded demand, the rule that
    was in use, and a back-test.
columns, dates : of the records, as in read_records.
title, currency, date : the name of the product, the currency of costs, and the date of the report,
    as shown on the page.
periods, replications : size of the simulations.
csv : a directory for the data of the charts, which is made; None means none.

Returns a PlanReport, the data of the page: recommendation, levels, policies, costs, records, .. Its
to_dict() has the keys of `shortfall inventory report --json`. Raises RuntimeError if an optimum cannot be certified to within
`tolerance`.

Examples
--------
>>> import os, tempfile
>>> from shortfall.inventory import Inventory, poisson_demand
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> with tempfile.TemporaryDirectory() as folder:
...     plan = inventory.report(os.path.join(folder, "plan.html"), replications=100,
...                             policy=["base-stock:4"], title="Platelets", currency="EUR")
>>> plan.recommendation.order_at_empty
[3]
>>> [row.policy for row in plan.policies]
['optimal', 'static', 'myopic', 'risk-neutral', 'base-stock:4']
>>> plan.policies[-1].extra_per_period > 0
True
)doc";

/// What is on the page beside the plan.
struct ReportKeywords {
  std::string path;
  std::vector<std::string> policy;
  std::optional<std::string> records;
  io::RecordsOptions reading;
  report::PlanHeader header;
  std::optional<std::string> csv;
};

std::optional<inventory::Records> records_of(const Inventory& self,
                                             const ReportKeywords& keywords) {
  if (!keywords.records) return std::nullopt;
  io::RecordsOptions reading = keywords.reading;
  reading.shelf_life = self.model().shelf_life();
  return io::read_records_csv(*keywords.records, reading);
}

/// The policies that are rules are not there, and so no files.
void check_files(const ReportKeywords& keywords) {
  using Kind = io::FileUse::Kind;
  std::vector<io::FileUse> uses = {{"path", keywords.path, Kind::written}};
  if (keywords.records) uses.push_back({"records", *keywords.records, Kind::read});
  for (const std::string& name : keywords.policy) uses.push_back({"policy", name, Kind::read});
  if (keywords.csv) {
    for (const char* const table : report::plan_tables) {
      uses.push_back({fmt::format("{} in csv", table), *keywords.csv + "/" + table, Kind::written});
    }
  }
  io::check_no_overwriting(uses);
}

report::PlanReport report(const Inventory& self, PlanOptions options, int threads,
                          const ReportKeywords& keywords) {
  check_files(keywords);
  io::check_writable(keywords.path);  // before the work, not after it
  for (const std::string& name : keywords.policy) {
    options.rules.push_back(io::read_rule(name, self.model()));
  }
  const std::optional<inventory::Records> records = records_of(self, keywords);
  if (records) {
    options.rules = inventory::with_rule_in_use(options.rules, self.model(), *records);
  }
  if (keywords.csv) io::make_directory(*keywords.csv);
  const Plan plan = interruptible([&](const Monitor& monitor) {
    return inventory::make_plan(self.model(), self.criterion(), options,
                                {.threads = threads, .monitor = monitor});
  });
  const auto [status, error_bound] = plan.outcome();
  if (!is_success(status)) {
    throw std::runtime_error(fmt::format("{}: {}, tolerance = {}; nothing is written",
                                         to_string(status), reached_text(error_bound),
                                         options.tolerance.goal()));
  }
  std::optional<inventory::PlanRecords> compared;
  if (records) {
    compared = interruptible([&](const Monitor& monitor) {
      return inventory::plan_records(
          plan, *records, options.rules,
          {.seed = options.seed,
           .rules = {.tolerance = options.tolerance, .max_iterations = options.max_iterations}},
          {.threads = threads, .monitor = monitor});
    });
  }
  const report::PlanDocument document{
      .plan = plan, .header = keywords.header, .records = compared ? &*compared : nullptr};
  if (keywords.csv) report::write_csv(*keywords.csv, document);
  io::write_file(keywords.path, report::html_of(document));
  return report::plan_report(document);
}

}  // namespace

void bind_report(py::module_& module) {
  define_result<report::PlanCosts>(module);
  define_result<report::PlanModel>(module);
  define_result<report::OrdersByTotal>(module);
  define_result<report::Recommendation>(module);
  define_result<report::PackedOrders>(module);
  define_result<report::DemandRow>(module);
  define_result<report::ArrivalRow>(module);
  define_result<report::LevelRow>(module);
  define_result<report::PolicyRow>(module);
  define_result<report::CostRow>(module);
  define_result<report::SimulationSize>(module);
  define_result<report::MeanRow>(module);
  define_result<report::CountRow>(module);
  define_result<report::RecordedDemandReport>(module);
  define_result<inventory::RuleInUse>(module);
  define_result<report::BacktestRow>(module);
  define_result<report::RecordsBacktest>(module);
  define_result<report::RecordsReport>(module);
  define_result<report::PlanReport>(module);
  const PlanOptions defaults;
  // Python passes keywords one by one; they are bundled here.
  const auto bundled =
      [](const Inventory& inventory, const std::filesystem::path& path,
         const std::optional<std::vector<double>>& levels, std::vector<std::string> policy,
         const std::optional<std::filesystem::path>& records, const py::dict& columns,
         const std::string& dates, std::string title, std::string currency, std::string date,
         std::int64_t periods, std::int64_t replications, Tolerance tolerance, int max_iterations,
         std::uint64_t seed, int threads, const std::optional<std::filesystem::path>& csv) {
        const auto text = [](const std::optional<std::filesystem::path>& file) {
          return file ? std::optional(file->string()) : std::nullopt;
        };
        const std::string source =
            inventory.source().empty() ? "a Python program" : inventory.source();
        return report(inventory,
                      {.levels = levels.value_or(std::vector<double>()),
                       .periods = count_of("periods", periods),
                       .replications = count_of("replications", replications),
                       .tolerance = tolerance,
                       .max_iterations = max_iterations,
                       .seed = seed},
                      threads,
                      {.path = path.string(),
                       .policy = std::move(policy),
                       .records = text(records),
                       .reading = reading_of(columns, dates),
                       .header = {source, std::move(title), std::move(currency), std::move(date),
                                  inventory.placeholder_costs()},
                       .csv = text(csv)});
      };
  const auto define = [&](auto& scope, const auto&... self) {
    scope.def(
        "report", bundled, self..., py::arg("path"), py::kw_only(), py::arg("levels") = py::none(),
        py::arg("policy") = std::vector<std::string>(), py::arg("records") = py::none(),
        py::arg("columns") = py::dict(), py::arg("dates") = "auto", py::arg("title") = "",
        py::arg("currency") = "", py::arg("date") = "", py::arg("periods") = defaults.periods,
        py::arg("replications") = defaults.replications, py::arg("tolerance") = defaults.tolerance,
        py::arg("max_iterations") = defaults.max_iterations, py::arg("seed") = defaults.seed,
        py::arg("threads") = Execution{}.threads, py::arg("csv") = py::none(), report_doc);
  };
  define(module, py::arg("inventory"));
  auto inventory =
      module.attr("Inventory").cast<py::class_<Inventory, std::shared_ptr<Inventory>>>();
  define(inventory);
}

}  // namespace shortfall::python
