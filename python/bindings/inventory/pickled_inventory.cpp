#include <tuple>
#include <utility>

#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/pickling.hpp"

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
  require(state.size() == 10, "an inventory of {} parts; accepted: what pickle wrote", state.size());
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

}  // namespace shortfall::python
