#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/inventory/model_arguments.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "shortfall/inventory/kernel/solve.hpp"

namespace shortfall::python {
namespace {

constexpr const char* class_doc = R"doc(
A perishable stock under periodic review, with the loss and discount used to value its orders.

In each period, x_i units with i periods left are in stock, i = 1, .., shelf_life - 1, and z units
are ordered. The z units arrive, each fresh or with a random remaining life. Demand D is met from
the oldest units first, and unmet demand is lost. Unused units with one period left expire. The cost
is ``order`` if z > 0, plus ``unit`` per unit ordered, ``holding`` per unit left, ``shortage`` per
unit of lost demand, and ``wastage`` per expired unit.

shelf_life : number of periods a fresh unit can be used, 1 to 10.
capacity : upper limit of stock plus order, 1 to 250.
max_order : the largest order, 0 for none at all; None means limited by the capacity only.
demand : probabilities of 0, 1, .. units.
shares : probabilities that a unit arrives with 1, .., shelf_life periods left.
arrival : instead of shares, (c0, c1), each with a number for i = 2, .., shelf_life. In an order of
    z units, a unit has i periods left with probability ∝ exp(c0_i + c1_i z); both coefficients are
    0 for i = 1. Without shares and arrival, all units arrive fresh.
cost : a dict of order, unit (0 if missing), holding, shortage and wastage.
loss, gamma : V(x) = min over z of the shortfall risk of cost + gamma V(next stock).

max_order, demand, shares, c0, c1 and each cost may also be a list of seven, for Monday to Sunday.
Then the day is part of the state, and what is given once holds for every day.

States are numbered day by day, and within a day like the rows of ``stocks``.

Examples
--------
>>> from shortfall.inventory import Inventory, poisson_demand
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> inventory
Inventory(shelf life 3, capacity 4, 15 states, expectile:0.8, gamma 0.9)
>>> inventory.stocks[:4]  # units with one and two periods left
array([[0, 0], [0, 1], [1, 0], [0, 2]], dtype=uint8)
>>> inventory.index([0, 2])
3

No orders on Sundays, and deliveries of mixed age:

>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       max_order=[4, 4, 4, 4, 4, 4, 0], shares=[0.1, 0.3, 0.6],
...                       cost={"order": 2, "unit": 3, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> inventory
Inventory(shelf life 3, capacity 4, 7 days, 105 states, expectile:0.8, gamma 0.9)
)doc";

constexpr const char* from_toml_doc = R"doc(
Reads an inventory from a configuration file; examples/platelets.toml explains each value. `set`
overrides values, like --set of the command: set={"cost.order": 80}.
)doc";

std::shared_ptr<Inventory> make(inventory::Model model, AnyLoss loss, double gamma,
                                std::string source = {}) {
  if (!(gamma > 0.0 && gamma < 1.0)) {
    throw InvalidInput(
        fmt::format("gamma = {}; accepted: a number strictly between 0 and 1", gamma));
  }
  return std::make_shared<Inventory>(
      io::InventoryConfiguration{std::move(model), {std::move(loss), gamma}}, std::move(source));
}

std::shared_ptr<Inventory> construct(std::int64_t shelf_life, std::int64_t capacity,
                                     const py::object& max_order, const py::object& demand,
                                     const py::object& shares, const py::object& arrival,
                                     const py::object& cost, const LossArgument& loss,
                                     double gamma) {
  const std::size_t units = count_of("capacity", capacity);
  return make(
      inventory::Model({.capacity = units,
                        .max_order = max_orders_of(max_order, units),
                        .arrival = arrivals_of(count_of("shelf_life", shelf_life), shares, arrival),
                        .demand = demand_of(demand),
                        .cost = costs_of(py::dict(cost))}),
      loss.loss, gamma);
}

std::shared_ptr<Inventory> from_toml(const std::filesystem::path& path, const py::object& set) {
  return read_inventory(path.string(), py::dict(set));
}

std::shared_ptr<Inventory> replace(const Inventory& self, const py::object& loss,
                                   std::optional<double> gamma) {
  return make(self.model(), loss.is_none() ? self.criterion().loss : loss_of(loss),
              gamma.value_or(self.criterion().gamma), self.source());
}

std::size_t index(const Inventory& self, const std::vector<std::int64_t>& stock, std::int64_t day) {
  return self.index(stock, day);
}

py::array_t<double> arrival(const Inventory& self, std::int64_t order, std::int64_t day) {
  const inventory::Model& model = self.model();
  if (day < 0 || day >= static_cast<std::int64_t>(model.days())) {
    throw InvalidInput(fmt::format("day = {}; accepted: {}", day,
                                   model.days() == 1 ? "0" : "0 for Monday to 6 for Sunday"));
  }
  const std::size_t units = count_of("order", order);
  return copy(model.arrival(static_cast<std::size_t>(day)).probabilities(units));
}

py::tuple demand(const py::object& self) {
  const inventory::Model& model = self.cast<const Inventory&>().model();
  py::tuple laws(model.days());
  for (std::size_t day = 0; day < model.days(); ++day) laws[day] = view(model.demand(day), self);
  return laws;
}

py::array stocks(const py::object& self) {
  const auto& inventory = self.cast<const Inventory&>();
  const inventory::StockIndex& index = inventory.model().stocks();
  return view(inventory.stocks(), self).reshape({index.size(), index.length()});
}

std::string text(const Inventory& self) {
  const inventory::Model& model = self.model();
  return fmt::format("Inventory(shelf life {}, capacity {}, {}{} states, {}, gamma {})",
                     model.shelf_life(), model.capacity(), model.days() > 1 ? "7 days, " : "",
                     model.states(), self.criterion().loss.to_string(), self.criterion().gamma);
}

}  // namespace

void bind_inventory_class(py::module_& module) {
  const auto of_model = [](auto get) {
    return [get](const Inventory& self) { return (self.model().*get)(); };
  };
  using inventory::Model;
  py::class_<Inventory, std::shared_ptr<Inventory>>(module, "Inventory", class_doc)
      .def(py::init(&construct), py::kw_only(), py::arg("shelf_life"), py::arg("capacity"),
           py::arg("max_order") = py::none(), py::arg("demand"), py::arg("shares") = py::none(),
           py::arg("arrival") = py::none(), py::arg("cost"), py::arg("loss"), py::arg("gamma"))
      .def_static("from_toml", from_toml, py::arg("path"), py::kw_only(),
                  py::arg("set") = py::dict(), from_toml_doc)
      .def("replace", replace, py::kw_only(), py::arg("loss") = py::none(),
           py::arg("gamma") = py::none(), "The same stock with another loss or discount.")
      .def("index", index, py::arg("stock"), py::arg("day") = 0,
           "The number of the state with this stock, x_1, x_2, .., on this day.")
      .def_property_readonly("shelf_life", of_model(&Model::shelf_life))
      .def_property_readonly("capacity", of_model(&Model::capacity))
      .def_property_readonly(
          "max_order", [](const Inventory& self) { return max_order_of(self.model()); },
          "The largest order, or seven of them.")
      .def_property_readonly("days", of_model(&Model::days),
                             "1, or 7 if anything depends on the weekday.")
      .def_property_readonly("states", of_model(&Model::states),
                             "Number of stocks times number of days.")
      .def_property_readonly("loss", [](const Inventory& self) { return self.criterion().loss; })
      .def_property_readonly("gamma", [](const Inventory& self) { return self.criterion().gamma; })
      .def_property_readonly(
          "cost", [](const Inventory& self) { return cost_dictionary(self.model()); },
          "By name: a number, or seven of them.")
      .def("arrival", arrival, py::arg("order"), py::arg("day") = 0,
           "The probabilities that a unit of this order arrives with 1, .., shelf_life periods "
           "left.")
      .def_property_readonly("demand", demand,
                             "The distribution for each day: P(D = 0), P(D = 1), ..")
      .def_property_readonly("stocks", stocks,
                             "All stocks in order, one per row: x_1, .., x_{shelf_life-1}.")
      .def_property_readonly(
          "memory_needed",
          [](const Inventory& self) { return inventory::memory_needed(self.model()); },
          "Peak memory of solve, in bytes.")
      .def("__repr__", [](const Inventory& self) { return text(self); });
}

}  // namespace shortfall::python
