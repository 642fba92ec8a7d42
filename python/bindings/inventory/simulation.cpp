#include <cmath>

#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/results.hpp"
#include "report/inventory_fields.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"

namespace shortfall::python {
namespace {

using inventory::SimulationResult;

constexpr const char* simulate_doc = R"doc(
Simulates given orders, each replication starting from the empty stock on the first day. Two
policies with the same seed face identical random demand and deliveries, so their difference has
less noise. The same seed gives the same bits for any number of threads.

Examples
--------
>>> from shortfall.inventory import Inventory, base_stock_orders, poisson_demand, simulate
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="mean")
>>> few = simulate(inventory, base_stock_orders(inventory, level=1), replications=100)
>>> many = simulate(inventory, base_stock_orders(inventory, level=4), replications=100)
>>> bool(few.service_level < many.service_level)
True
>>> bool((few.discounted_cost > many.discounted_cost).mean() > 0.9)  # paired by replication
True
)doc";

/// As in the command: one year.
constexpr std::int64_t default_periods = 365;

SimulationResult simulate(const Inventory& inventory, const Integers& orders, std::int64_t periods,
                          std::int64_t replications, std::uint64_t seed, int threads) {
  const Policy policy = inventory.checked_orders(orders);
  const inventory::SimulationOptions options{.periods = count_of("periods", periods),
                                             .replications = count_of("replications", replications),
                                             .gamma = inventory.criterion().gamma,
                                             .seed = seed};
  return interruptible([&](const Monitor& monitor) {
    return inventory::simulate(inventory.model(), policy, options,
                               {.threads = threads, .monitor = monitor});
  });
}

std::string text(const SimulationResult& self) {
  return fmt::format(
      "Simulation({} replications, discounted cost {:.5g} ± {:.2g}, {:.4g} per period, service "
      "{:.2f} %, wasted {:.2f} %)",
      self.discounted_cost.size(), self.mean, self.standard_error, self.cost_per_period,
      100.0 * self.service_level, 100.0 * self.wasted_fraction);
}

}  // namespace

void bind_simulation(py::module_& module) {
  const inventory::SimulationOptions defaults;
  using Fields = report::Fields<SimulationResult>;
  py::class_<SimulationResult> result(module, Fields::name, Fields::meaning);
  define_fields<SimulationResult>(
      result, [](const SimulationResult& self) -> const SimulationResult& { return self; });
  result
      .def_property_readonly(
          "discounted_cost",
          [](const py::object& self) {
            return view(self.cast<const SimulationResult&>().discounted_cost, self);
          },
          "For each replication, truncated after the last period.")
      .def("quantile", &SimulationResult::quantile, py::arg("q"),
           "Quantile of the discounted cost: the ⌈q R⌉-th smallest of R.")
      .def("to_dict", dictionary_of<SimulationResult>, "As a dict, as the command prints it.")
      .def("__repr__", [](const SimulationResult& self) { return text(self); });
  module.def("simulate", simulate, py::arg("inventory"), py::arg("orders"), py::kw_only(),
             py::arg("periods") = default_periods, py::arg("replications") = defaults.replications,
             py::arg("seed") = defaults.seed, py::arg("threads") = Execution{}.threads,
             simulate_doc);
}

}  // namespace shortfall::python
