#include "bindings/bindings.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "shortfall/inventory/model/demand.hpp"

namespace shortfall::python {
namespace {

constexpr const char* negative_binomial_doc = R"doc(
P(D = 0), .., P(D = max) of a demand with this mean and variance mean + mean²/n. The probability
above `max` is added to D = max.

Examples
--------
>>> from shortfall.inventory import negative_binomial_demand
>>> negative_binomial_demand(n=1, mean=1, max=3)  # n = 1 is geometric
array([0.5  , 0.25 , 0.125, 0.125])
)doc";

constexpr const char* poisson_doc = R"doc(
P(D = 0), .., P(D = max) of a Poisson demand. The probability above `max` is added to D = max.

Examples
--------
>>> from shortfall.inventory import poisson_demand
>>> poisson_demand(mean=np.log(2), max=1)
array([0.5, 0.5])
)doc";

constexpr const char* empirical_doc = R"doc(
The given probabilities of 0, 1, .. units, which must sum to one up to rounding, rescaled.
)doc";

py::array_t<double> negative_binomial(double n, double mean, std::int64_t max) {
  return copy(inventory::negative_binomial_demand(n, mean, count_of("max", max)));
}
py::array_t<double> poisson(double mean, std::int64_t max) {
  return copy(inventory::poisson_demand(mean, count_of("max", max)));
}
py::array_t<double> empirical(const Doubles& probabilities) {
  return copy(inventory::empirical_demand(vector_span(probabilities, "probabilities")));
}

void bind_demand(py::module_& module) {
  module.def("negative_binomial_demand", negative_binomial, py::arg("n"), py::arg("mean"),
             py::arg("max"), negative_binomial_doc);
  module.def("poisson_demand", poisson, py::arg("mean"), py::arg("max"), poisson_doc);
  module.def("empirical_demand", empirical, py::arg("probabilities"), empirical_doc);
}

}  // namespace

void bind_inventory(py::module_& core) {
  py::module_ module = core.def_submodule("inventory", "Ordering for perishable stock.");
  bind_demand(module);
  bind_inventory_class(module);
  bind_inventory_pickling(module);
  bind_inventory_solve(module);
  bind_inventory_baselines(module);
  bind_orders(module);
  bind_backtest(module);
  bind_simulation(module);
  bind_own_learning(module);
  bind_episode(module);
  bind_records(module);
  bind_report(module);
}

}  // namespace shortfall::python
