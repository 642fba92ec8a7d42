#include <tuple>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/callbacks.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "shortfall/inventory/model/demand.hpp"

namespace shortfall::python {

namespace {

using inventory::Arrival;
using inventory::Costs;
using inventory::Model;
using inventory::ModelParts;
using Numbers = std::vector<double>;
using ArrivalState = std::tuple<Numbers, Numbers, Numbers>;  // of Arrival::Parameters
using CostState = std::tuple<double, double, double, double, double>;

std::vector<ArrivalState> state_of(const std::vector<Arrival>& arrivals) {
  std::vector<ArrivalState> states;
  for (const Arrival& arrival : arrivals) {
    auto [shares, c0, c1] = arrival.parameters();
    states.emplace_back(std::move(shares), std::move(c0), std::move(c1));
  }
  return states;
}

std::vector<Arrival> arrivals_of_state(std::size_t shelf_life, std::vector<ArrivalState> states) {
  std::vector<Arrival> arrivals;
  for (auto& [shares, c0, c1] : states) {
    arrivals.push_back(!shares.empty() ? Arrival::shares(std::move(shares))
                       : !c0.empty()   ? Arrival::logit(shelf_life, std::move(c0), std::move(c1))
                                       : Arrival::fresh(shelf_life));
  }
  return arrivals;
}

std::vector<CostState> state_of(const std::vector<Costs>& costs) {
  std::vector<CostState> states;
  for (const Costs& c : costs) {
    states.emplace_back(c.order, c.unit, c.holding, c.shortage, c.wastage);
  }
  return states;
}

std::vector<Costs> costs_of_state(const std::vector<CostState>& states) {
  std::vector<Costs> costs;
  for (const auto& [order, unit, holding, shortage, wastage] : states) {
    costs.push_back({order, unit, holding, shortage, wastage});
  }
  return costs;
}

py::tuple state_of(const Inventory& self) {
  const ModelParts& parts = self.model().parts();
  return py::make_tuple(self.model().shelf_life(), parts.capacity, parts.max_order,
                        state_of(parts.arrival), parts.demand, state_of(parts.cost),
                        self.criterion().loss, self.criterion().gamma, self.source(),
                        self.placeholder_costs());
}

std::shared_ptr<Inventory> from_state(const py::tuple& state) {
  require(state.size() == 10, "an inventory of {} parts; accepted: what pickle wrote",
          state.size());
  const double gamma = state[7].cast<double>();
  require(gamma > 0.0 && gamma < 1.0, "gamma = {}; accepted: what pickle wrote", gamma);
  Model model =
      Model::with_parts({.capacity = state[1].cast<std::size_t>(),
                         .max_order = state[2].cast<std::vector<std::size_t>>(),
                         .arrival = arrivals_of_state(state[0].cast<std::size_t>(),
                                                      state[3].cast<std::vector<ArrivalState>>()),
                         .demand = state[4].cast<std::vector<Numbers>>(),
                         .cost = costs_of_state(state[5].cast<std::vector<CostState>>())});
  return std::make_shared<Inventory>(
      io::InventoryConfiguration{std::move(model), {state[6].cast<AnyLoss>(), gamma}},
      state[8].cast<std::string>(), state[9].cast<std::vector<std::string>>());
}

}  // namespace

void bind_inventory_pickling(py::module_& module) {
  auto type = module.attr("Inventory").cast<py::class_<Inventory, std::shared_ptr<Inventory>>>();
  define_pickling(
      type, [](const Inventory& self) { return state_of(self); }, &from_state);
}

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
