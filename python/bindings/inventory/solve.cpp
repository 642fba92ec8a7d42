#include "shortfall/inventory/kernel/solve.hpp"

#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "bindings/callbacks.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/results.hpp"
#include "bindings/tolerance.hpp"
#include "errors/require.hpp"
#include "numbers/certain_digits.hpp"
#include "report/inventory_fields.hpp"
#include "shortfall/formats/saved_solution.hpp"

namespace shortfall::python {
namespace {

constexpr const char* solution_doc = R"doc(
Orders by state and their values. In every state, the value is certified to be within `error_bound`
of the exact one.
)doc";

constexpr const char* solve_doc = R"doc(
The optimal orders for every state, with values certified to be within `tolerance` of the optimum.

start : initial values, for example those of a similar inventory.
stopping : "certified", or "paper": sweeps from zero until they change by less than `tolerance`, as in
    the published tables. The error bound is certified in both cases.
monitor : called with a Progress from time to time. If it returns False, the solver stops, and the
    result is the best so far, with a bound that holds. An exception stops it, too, as Ctrl-C does.

Examples
--------
>>> from shortfall.inventory import Inventory, poisson_demand, solve
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> solution = solve(inventory)
>>> solution.order([0, 0]), solution.order([1, 1])
(3, 2)
>>> solution.status
'converged'
)doc";

constexpr const char* evaluate_doc = R"doc(
The exact value of given orders; options as in solve.

orders : one order per state, in the order of the states.

Examples
--------
>>> from shortfall.inventory import Inventory, base_stock_orders, evaluate, poisson_demand
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> evaluate(inventory, base_stock_orders(inventory, level=3)).order([0, 1])
2
)doc";

constexpr const char* save_doc = R"doc(
Saves a solution of solve, for load_solution and `shortfall inventory order --solution`. Its status
must be converged or small-change, and its loss not a Python function.
)doc";

constexpr const char* load_doc = R"doc(
Reads a solution that was saved. Refused if the inventory has changed since then: the message says
how.

Examples
--------
>>> import os, tempfile
>>> from shortfall.inventory import Inventory, load_solution, poisson_demand, solve
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "plan.solution")
...     solve(inventory).save(path)
...     load_solution(path, inventory).order([0, 0])
3
)doc";

/// The keywords of solve and evaluate.
struct SolverKeywords {
  Tolerance tolerance;
  int max_iterations;
  int threads;
  const std::optional<Doubles>& start;
  const std::string& stopping;
  const Callback& monitor;
};

using inventory::Stopping;

SolverOptions options_of(const SolverKeywords& keywords) {
  SolverOptions options{.tolerance = keywords.tolerance, .max_iterations = keywords.max_iterations};
  if (keywords.start) {
    const auto start = vector_span(*keywords.start, "start");
    if (start.empty()) throw InvalidInput("start has no values; accepted: one per state");
    options.start.assign(start.begin(), start.end());
  }
  return options;
}

/// Runs solver(options, execution) so that Ctrl-C and callbacks can stop it.
template <class Solver>
Solution run(const SolverKeywords& keywords, const Solver& solver) {
  const SolverOptions options = options_of(keywords);
  return interruptible([&](const Monitor& interruption) {
    const Execution execution{.threads = keywords.threads,
                              .monitor = with_callback(interruption, keywords.monitor)};
    return solver(options, execution);
  });
}

InventorySolution solve(InventoryPointer inventory, const SolverKeywords& keywords) {
  const Stopping stopping = value_named(keywords.stopping, inventory::stopping_names, "stopping");
  const auto solver =
      stopping == Stopping::paper ? inventory::solve_as_published : inventory::solve;
  Solution solution = run(keywords, [&](const SolverOptions& options, const Execution& execution) {
    return solver(inventory->model(), inventory->criterion(), options, execution);
  });
  return {std::move(inventory), std::move(solution)};
}

InventorySolution evaluate(InventoryPointer inventory, const Integers& orders,
                           const SolverKeywords& keywords) {
  const Stopping stopping = value_named(keywords.stopping, inventory::stopping_names, "stopping");
  const auto evaluator =
      stopping == Stopping::paper ? inventory::evaluate_as_published : inventory::evaluate;
  Policy policy = inventory->checked_orders(orders);
  Solution solution = run(keywords, [&](const SolverOptions& options, const Execution& execution) {
    return evaluator(inventory->model(), inventory->criterion(), policy, options, execution);
  });
  solution.policy = std::move(policy);
  return {std::move(inventory), std::move(solution)};
}

double value_of(const InventorySolution& self, const std::vector<std::int64_t>& stock,
                std::int64_t day) {
  return self.solution.values[self.inventory->index(stock, day)];
}
ActionIndex order_of(const InventorySolution& self, const std::vector<std::int64_t>& stock,
                     std::int64_t day) {
  require(!self.solution.policy.empty(),
          "there are no orders: the solver was stopped before it had a bound; accepted: a solution "
          "with a bound");
  return self.solution.policy[self.inventory->index(stock, day)];
}

std::string text(const InventorySolution& self) {
  const Solution& found = self.solution;
  CertainDigits digits(found.error_bound);
  const std::string value = digits.value(found.values.front());
  return fmt::format("InventorySolution({}, {} states, {} from empty, within {}, {} {})",
                     to_string(found.status), found.values.size(), value, digits.bound(),
                     found.iterations, found.iterations == 1 ? "iteration" : "iterations");
}

void save(const InventorySolution& self, const std::filesystem::path& path) {
  io::write_solution(path.string(), self.inventory->configuration(), self.solution);
}

InventorySolution load(const std::filesystem::path& path, InventoryPointer inventory) {
  Solution solution = io::read_solution(path.string(), inventory->configuration());
  return {std::move(inventory), std::move(solution)};
}

void bind_solution(py::module_& module) {
  py::class_<InventorySolution> bound(module, "InventorySolution", solution_doc);
  define_fields<Solution>(
      bound, [](const InventorySolution& self) -> const auto& { return self.solution; });
  bound
      .def("value", value_of, py::arg("stock"), py::arg("day") = 0,
           "The risk-adjusted discounted cost starting from this stock, x_1, x_2, ..")
      .def("order", order_of, py::arg("stock"), py::arg("day") = 0,
           "The order for this stock, x_1, x_2, ..")
      .def("save", save, py::arg("path"), save_doc)
      .def_property_readonly("inventory",
                             [](const InventorySolution& self) {
                               return std::const_pointer_cast<Inventory>(self.inventory);
                             })
      .def_property_readonly(
          "values",
          [](const py::object& self) {
            return view(self.cast<const InventorySolution&>().solution.values, self);
          },
          "By state.")
      .def_property_readonly(
          "policy",
          [](const py::object& self) {
            return view(self.cast<const InventorySolution&>().solution.policy, self);
          },
          "The orders, by state; empty if the solver was stopped before it had a bound.")
      .def_property_readonly("trace",
                             [](const InventorySolution& self) { return self.solution.trace; })
      .def("__repr__", [](const InventorySolution& self) { return text(self); });
}

}  // namespace

void bind_inventory_solve(py::module_& module) {
  bind_solution(module);
  module.def("load_solution", load, py::arg("path"), py::arg("inventory").none(false), load_doc);
  const SolverOptions defaults;
  // Python passes keywords one by one; they are bundled here.
  module.def(
      "solve",
      [](InventoryPointer inventory, Tolerance tolerance, int max_iterations, int threads,
         const std::optional<Doubles>& start, const std::string& stopping,
         const Callback& monitor) {
        return solve(std::move(inventory),
                     {tolerance, max_iterations, threads, start, stopping, monitor});
      },
      py::arg("inventory").none(false), py::kw_only(), py::arg("tolerance") = defaults.tolerance,
      py::arg("max_iterations") = defaults.max_iterations, py::arg("threads") = Execution{}.threads,
      py::arg("start") = py::none(), py::arg("stopping") = "certified",
      py::arg("monitor") = py::none(), solve_doc);
  module.def(
      "evaluate",
      [](InventoryPointer inventory, const Integers& orders, Tolerance tolerance,
         int max_iterations, int threads, const std::optional<Doubles>& start,
         const std::string& stopping, const Callback& monitor) {
        return evaluate(std::move(inventory), orders,
                        {tolerance, max_iterations, threads, start, stopping, monitor});
      },
      py::arg("inventory").none(false), py::arg("orders"), py::kw_only(),
      py::arg("tolerance") = defaults.tolerance,
      py::arg("max_iterations") = defaults.max_iterations, py::arg("threads") = Execution{}.threads,
      py::arg("start") = py::none(), py::arg("stopping") = "certified",
      py::arg("monitor") = py::none(), evaluate_doc);
}

}  // namespace shortfall::python
