#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "shortfall/inventory/solve.hpp"

namespace shortfall::python {
namespace {

constexpr const char* class_doc = R"doc(
A perishable stock under periodic review, with the loss and discount used to value its orders.

In each period, x_i units with i periods left are in stock, i = 1, .., shelf_life - 1, and z units
are ordered. The z units arrive, each fresh or with a random remaining life. Demand D is met from
the oldest units first, and unmet demand is lost. Unused units with one period left expire. The cost
is ``order`` if z > 0, plus ``holding`` per unit left, ``shortage`` per unit of lost demand, and
``wastage`` per expired unit.

shelf_life : number of periods a fresh unit can be used, 1 to 10.
capacity : upper limit of stock plus order, 1 to 250.
max_order : the largest order; None means limited by the capacity only.
demand : probabilities of 0, 1, .. units, or seven such lists for Monday to Sunday. With seven, the
    day is part of the state.
arrival : None if all units arrive fresh, or (c0, c1), each with a number for i = 2, .., shelf_life.
    In an order of z units, a unit has i periods left with probability ∝ exp(c0_i + c1_i z); both
    coefficients are 0 for i = 1.
cost : a dict of order, holding, shortage and wastage.
loss, gamma : V(x) = min over z of the shortfall risk of cost + gamma V(next stock).

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
)doc";

constexpr const char* from_toml_doc = R"doc(
Reads an inventory from a configuration file; examples/platelets.toml explains each value. `set`
overrides values, like --set of the command: set={"cost.order": 80}.
)doc";

constexpr const char* accepted_demand =
    "probabilities of 0, 1, .. units, or seven such lists for Monday to Sunday";

using Laws = std::vector<std::vector<double>>;

Laws laws_of(const py::object& demand) {
  const auto law_of = [](std::span<const double> law) {
    return std::vector<double>(law.begin(), law.end());
  };
  if (const auto numbers = Doubles::ensure(demand)) {
    const std::span<const double> all = span_of(numbers);
    if (numbers.ndim() == 1) return {law_of(all)};
    if (numbers.ndim() == 2) {
      const auto width = static_cast<std::size_t>(numbers.shape(1));
      Laws laws;
      for (std::size_t day = 0; day < static_cast<std::size_t>(numbers.shape(0)); ++day) {
        laws.push_back(law_of(all.subspan(day * width, width)));
      }
      return laws;
    }
  }
  // The largest demand may differ from day to day.
  Laws laws;
  if (py::isinstance<py::sequence>(demand)) {
    for (const py::handle day : demand) {
      const auto law = Doubles::ensure(day);
      if (!law || law.ndim() != 1) break;
      laws.push_back(law_of(span_of(law)));
    }
    if (!laws.empty() && laws.size() == py::len(demand)) return laws;
  }
  throw InvalidInput(fmt::format("demand is not a distribution; accepted: {}", accepted_demand));
}

/// The four costs by name, in the order of the configuration file.
constexpr std::array<std::pair<const char*, double inventory::Costs::*>, 4> cost_names = {
    {{"order", &inventory::Costs::order},
     {"holding", &inventory::Costs::holding},
     {"shortage", &inventory::Costs::shortage},
     {"wastage", &inventory::Costs::wastage}}};
constexpr const char* accepted_costs = "order, holding, shortage and wastage";

/// Accepts numbers only, no strings that look like numbers.
double number_of(const py::object& value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred()) throw py::error_already_set();
  return number;
}

inventory::Costs costs_of(const py::dict& cost) {
  inventory::Costs costs;
  for (const auto& [name, member] : cost_names) {
    if (!cost.contains(name)) {
      throw InvalidInput(fmt::format("cost has no {:?}; accepted: {}", name, accepted_costs));
    }
    costs.*member = number_of(cost[name]);
  }
  if (cost.size() == cost_names.size()) return costs;
  for (const auto& [key, value] : cost) {
    const auto name = py::str(key).cast<std::string>();
    const auto matches = [&](const auto& known) { return known.first == name; };
    if (std::any_of(cost_names.begin(), cost_names.end(), matches)) continue;
    throw InvalidInput(fmt::format("cost has {:?}; accepted: {}", name, accepted_costs));
  }
  return costs;
}

py::dict cost_dictionary(const Inventory& self) {
  py::dict result;
  for (const auto& [name, member] : cost_names) result[name] = self.model().cost().*member;
  return result;
}

std::shared_ptr<Inventory> make(inventory::Model model, AnyLoss loss, double gamma,
                                std::string source = {}) {
  if (!(gamma > 0.0 && gamma < 1.0)) {
    throw InvalidInput(
        fmt::format("gamma = {}; accepted: a number strictly between 0 and 1", gamma));
  }
  return std::make_shared<Inventory>(
      io::InventoryConfiguration{std::move(model), {std::move(loss), gamma}}, std::move(source));
}

using Logits = std::pair<std::vector<double>, std::vector<double>>;

std::shared_ptr<Inventory> construct(std::int64_t shelf_life, std::int64_t capacity,
                                     std::optional<std::int64_t> max_order,
                                     const py::object& demand, std::optional<Logits> arrival,
                                     const py::object& cost, const LossArgument& loss,
                                     double gamma) {
  const std::size_t periods = count_of("shelf_life", shelf_life);
  return make(inventory::Model({.capacity = count_of("capacity", capacity),
                                .max_order = count_of("max_order", max_order.value_or(capacity)),
                                .arrival = arrival ? inventory::Arrival::logit(
                                                         periods, std::move(arrival->first),
                                                         std::move(arrival->second))
                                                   : inventory::Arrival::fresh(periods),
                                .demand = laws_of(demand),
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
           py::arg("max_order") = py::none(), py::arg("demand"), py::arg("arrival") = py::none(),
           py::arg("cost"), py::arg("loss"), py::arg("gamma"))
      .def_static("from_toml", from_toml, py::arg("path"), py::kw_only(),
                  py::arg("set") = py::dict(), from_toml_doc)
      .def("replace", replace, py::kw_only(), py::arg("loss") = py::none(),
           py::arg("gamma") = py::none(), "The same stock with another loss or discount.")
      .def("index", index, py::arg("stock"), py::arg("day") = 0,
           "The number of the state with this stock, x_1, x_2, .., on this day.")
      .def_property_readonly("shelf_life", of_model(&Model::shelf_life))
      .def_property_readonly("capacity", of_model(&Model::capacity))
      .def_property_readonly("max_order",
                             [](const Inventory& self) { return self.model().largest_order(0); })
      .def_property_readonly("days", of_model(&Model::days),
                             "1, or 7 if demand depends on the weekday.")
      .def_property_readonly("states", of_model(&Model::states),
                             "Number of stocks times number of days.")
      .def_property_readonly("loss", [](const Inventory& self) { return self.criterion().loss; })
      .def_property_readonly("gamma", [](const Inventory& self) { return self.criterion().gamma; })
      .def_property_readonly("cost", cost_dictionary)
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
