#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "files/atomic_file.hpp"
#include "report/plan_page.hpp"
#include "shortfall/inventory/plan.hpp"

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
periods, replications : size of the simulations.
csv : a directory for the data of the charts, which is made; None means none.

Returns the data of the page as a dict: "recommendation", "levels", "policies", "costs", .. The file
web/README.md describes all keys. Raises RuntimeError if an optimum cannot be certified to within
`tolerance`.

Examples
--------
>>> import os, tempfile
>>> from shortfall.inventory import Inventory, poisson_demand
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> with tempfile.TemporaryDirectory() as folder:
...     plan = inventory.report(os.path.join(folder, "plan.html"), replications=100)
>>> plan["recommendation"]["order_at_empty"]
[3]
>>> [row["policy"] for row in plan["policies"]]
['optimal', 'static', 'myopic', 'risk-neutral']
)doc";

py::object report(const Inventory& self, const std::filesystem::path& path, PlanOptions options,
                  const std::optional<std::filesystem::path>& csv) {
  // Fail before the work, not after it, if the file cannot be written.
  { const io::AtomicFile probe(path.string()); }
  if (csv) io::make_directory(csv->string());
  const Plan plan = interruptible([&](const Monitor& monitor) {
    options.monitor = monitor;
    return inventory::make_plan(self.model(), self.criterion(), options);
  });
  const auto [status, error_bound] = plan.outcome();
  if (!is_success(status)) {
    throw std::runtime_error(
        fmt::format("{}: certified to within {:.2g} only, tolerance = {}; nothing is written",
                    to_string(status), error_bound, options.tolerance));
  }
  const std::string source = self.source().empty() ? "a Python program" : self.source();
  if (csv) report::write_csv(*csv, plan);
  io::write_file(path.string(), report::html_of(plan, source));
  return py::module_::import("json").attr("loads")(report::dump(report::json_of(plan, source)));
}

}  // namespace

void bind_report(py::module_& module) {
  const PlanOptions defaults;
  // Python passes keywords one by one; they are bundled here.
  const auto bundled = [](const Inventory& inventory, const std::filesystem::path& path,
                          const std::optional<std::vector<double>>& levels, std::int64_t periods,
                          std::int64_t replications, double tolerance, int max_iterations,
                          std::uint64_t seed, int threads,
                          const std::optional<std::filesystem::path>& csv) {
    return report(inventory, path,
                  {.levels = levels.value_or(std::vector<double>()),
                   .periods = count_of("periods", periods),
                   .replications = count_of("replications", replications),
                   .tolerance = tolerance,
                   .max_iterations = max_iterations,
                   .seed = seed,
                   .threads = threads},
                  csv);
  };
  const auto define = [&](auto& scope, const auto&... self) {
    scope.def("report", bundled, self..., py::arg("path"), py::kw_only(),
              py::arg("levels") = py::none(), py::arg("periods") = defaults.periods,
              py::arg("replications") = defaults.replications,
              py::arg("tolerance") = defaults.tolerance,
              py::arg("max_iterations") = defaults.max_iterations, py::arg("seed") = defaults.seed,
              py::arg("threads") = defaults.threads, py::arg("csv") = py::none(), report_doc);
  };
  define(module, py::arg("inventory"));
  auto inventory =
      module.attr("Inventory").cast<py::class_<Inventory, std::shared_ptr<Inventory>>>();
  define(inventory);
}

}  // namespace shortfall::python
