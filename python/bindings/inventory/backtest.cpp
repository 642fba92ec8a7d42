#include "shortfall/inventory/plan/backtest.hpp"

#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/results.hpp"
#include "bindings/tolerance.hpp"
#include "report/inventory_fields.hpp"
#include "shortfall/formats/order_rule.hpp"
#include "shortfall/formats/records_csv.hpp"

namespace shortfall::python {
namespace {

using inventory::Backtest;
using inventory::BacktestPolicy;

constexpr const char* backtest_doc = R"doc(
What a plan would have cost on the days of the records, compared with other rules and with what
happened.
The same as `shortfall inventory backtest`; also a method, inventory.backtest(records).

records : a CSV file with one row per day: date, demand, and optionally stockout, ordered,
    received_1, .., wasted.
compare : names of rules, such as "base-stock:15", or CSV files of orders.
refit : refit the plan every this many days to the rows before that day. The days before the first
    fit are used for fitting only. None means never: then a plan that was fitted to these days has
    seen the demand that it meets, which flatters it.
stock : units on the first morning with 1, 2, .. periods left; None means the least that explains
    the first days, or none.
solution : from solve or load_solution; None means that the inventory is solved now.
columns, dates : as in read_records.
seed : of ages on arrival where the records have none.

All policies see the same demand and start with the same stock. Units of an order have the ages of
that day's delivery where the records have it, otherwise those of the inventory. A day without a row
is closed: no demand, no order, but units age. Where the stock ran out, the recorded demand is a
lower bound, and what was missing beyond it costs nothing. A day is short if some of its recorded
demand is not met. Costs are those of the inventory, not discounted.

Returns a Backtest, whose `policies` are by name: "plan", each rule, and "actual". Its to_dict() has
the keys of `shortfall inventory backtest --json`.

Examples
--------
>>> import os, tempfile
>>> from shortfall.inventory import Inventory, poisson_demand
>>> inventory = Inventory(shelf_life=2, capacity=5, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="mean")
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "records.csv")
...     with open(path, "w") as file:
...         _ = file.write("date,demand\n2026-11-16,3\n2026-11-17,1\n2026-11-18,2\n")
...     result = inventory.backtest(path, compare=["base-stock:3"])
>>> result.policies["base-stock:3"].units_short
0
>>> [row.ordered for row in result.policies["base-stock:3"].rows]
[3, 3, 1]
)doc";

/// What to compare, and with which options.
struct BacktestKeywords {
  std::string records;
  std::vector<std::string> compare;
  std::optional<std::int64_t> refit;
  std::optional<std::vector<std::uint32_t>> stock;
  const InventorySolution* solution;  ///< null: solve
  io::RecordsOptions reading;
  std::uint64_t seed;
  Tolerance tolerance;
  int threads;
};

Backtest run(const Inventory& self, const BacktestKeywords& keywords) {
  const inventory::Model& model = self.model();
  io::RecordsOptions reading = keywords.reading;
  reading.shelf_life = model.shelf_life();
  const inventory::Records records = io::read_records_csv(keywords.records, reading);
  std::vector<inventory::Rule> rules;
  for (const std::string& name : keywords.compare) rules.push_back(io::read_rule(name, model));
  return interruptible([&](const Monitor& monitor) {
    return inventory::backtest(
        model, self.criterion(), records, rules,
        {.start = keywords.stock,
         .seed = keywords.seed,
         .refit_days = keywords.refit ? count_of("refit", *keywords.refit) : 0,
         .refit = [&](const inventory::Records& known) { return refitted(model, known); },
         .plan_orders =
             keywords.solution == nullptr ? Policy() : keywords.solution->solution.policy,
         .rules = {.tolerance = keywords.tolerance}},
        {.threads = keywords.threads, .monitor = monitor});
  });
}

report::BacktestReport backtest(const Inventory& self, const BacktestKeywords& keywords) {
  Backtest found = run(self, keywords);
  for (const BacktestPolicy& policy : found.policies) {
    if (is_success(policy.status)) continue;
    throw std::runtime_error(fmt::format("{}: {}, {}", policy.name, to_string(policy.status),
                                         reached_text(policy.error_bound)));
  }
  return report::backtest_report(std::move(found), io::OptionStyle::argument);
}

}  // namespace

void bind_backtest(py::module_& module) {
  define_result<inventory::BacktestDay>(module);
  define_result<BacktestPolicy>(module);
  define_result<report::BacktestReport>(module);
  const SolverOptions defaults;
  // Python passes keywords one by one; they are bundled here.
  const auto bundled = [](const Inventory& inventory, const std::filesystem::path& records,
                          std::vector<std::string> compare, std::optional<std::int64_t> refit,
                          std::optional<std::vector<std::uint32_t>> stock,
                          const InventorySolution* solution, const py::dict& columns,
                          const std::string& dates, std::uint64_t seed, Tolerance tolerance,
                          int threads) {
    return backtest(inventory, {records.string(), std::move(compare), refit, std::move(stock),
                                solution, reading_of(columns, dates), seed, tolerance, threads});
  };
  const auto define = [&](auto& scope, const auto&... self) {
    scope.def("backtest", bundled, self..., py::arg("records"), py::kw_only(),
              py::arg("compare") = std::vector<std::string>(), py::arg("refit") = py::none(),
              py::arg("stock") = py::none(), py::arg("solution") = py::none(),
              py::arg("columns") = py::dict(), py::arg("dates") = "auto", py::arg("seed") = 1,
              py::arg("tolerance") = defaults.tolerance, py::arg("threads") = Execution{}.threads,
              backtest_doc);
  };
  define(module, py::arg("inventory"));
  auto inventory =
      module.attr("Inventory").cast<py::class_<Inventory, std::shared_ptr<Inventory>>>();
  define(inventory);
}

}  // namespace shortfall::python
