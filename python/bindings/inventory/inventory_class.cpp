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

using inventory::Arrival;
using inventory::of_day;

/// Lists of numbers for one day or seven, and what they are in messages.
struct ListNames {
  const char* found;
  const char* accepted;
};
constexpr ListNames demand_names{
    "demand is not a distribution",
    "probabilities of 0, 1, .. units, or seven such lists for Monday to Sunday"};
constexpr ListNames share_names{
    "shares is not a distribution",
    "probabilities of 1, .., shelf_life periods left, or seven such lists for Monday to Sunday"};
constexpr ListNames logit_names{
    "arrival is not a pair of lists",
    "(c0, c1), each with a number for 2, .., shelf_life periods left, or with seven such lists for "
    "Monday to Sunday"};

using Laws = std::vector<std::vector<double>>;

Laws laws_of(const py::object& demand, const ListNames& names) {
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
  throw InvalidInput(fmt::format("{}; accepted: {}", names.found, names.accepted));
}

std::vector<Arrival> arrivals_of(std::size_t shelf_life, const py::object& shares,
                                 const py::object& logits) {
  if (!shares.is_none() && !logits.is_none()) {
    throw InvalidInput("shares and arrival cannot be combined; accepted: one of the two, or none");
  }
  std::vector<Arrival> arrivals;
  if (!shares.is_none()) {
    for (std::vector<double>& law : laws_of(shares, share_names)) {
      if (law.size() != shelf_life) {
        throw InvalidInput(fmt::format("{} shares, but the shelf life is {}; accepted: {}",
                                       law.size(), shelf_life, share_names.accepted));
      }
      arrivals.push_back(Arrival::shares(std::move(law)));
    }
    return arrivals;
  }
  if (logits.is_none()) return {Arrival::fresh(shelf_life)};
  const auto pair = py::reinterpret_borrow<py::object>(logits);
  if (!py::isinstance<py::sequence>(pair) || py::len(pair) != 2) {
    throw InvalidInput(fmt::format("{}; accepted: {}", logit_names.found, logit_names.accepted));
  }
  const Laws c0 = laws_of(pair[py::int_(0)], logit_names);
  const Laws c1 = laws_of(pair[py::int_(1)], logit_names);
  for (std::size_t day = 0; day < std::max(c0.size(), c1.size()); ++day) {
    const bool fits = day < c0.size() || c0.size() == 1;
    if (!fits || !(day < c1.size() || c1.size() == 1)) {
      throw InvalidInput(fmt::format("{}; accepted: {}", logit_names.found, logit_names.accepted));
    }
    arrivals.push_back(Arrival::logit(shelf_life, of_day(c0, day), of_day(c1, day)));
  }
  return arrivals;
}

/// The costs by name, in the order of the configuration file.
constexpr std::array<std::pair<const char*, double inventory::Costs::*>, 5> cost_names = {
    {{"order", &inventory::Costs::order},
     {"unit", &inventory::Costs::unit},
     {"holding", &inventory::Costs::holding},
     {"shortage", &inventory::Costs::shortage},
     {"wastage", &inventory::Costs::wastage}}};
constexpr const char* accepted_costs = "order, unit, holding, shortage and wastage";

/// Accepts numbers only, no strings that look like numbers.
double number_of(const py::object& value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred()) throw py::error_already_set();
  return number;
}

constexpr const char* one_or_seven = "one, or seven for Monday to Sunday";

/// One number, or a list of them.
std::vector<double> numbers_of(const py::object& value) {
  if (!py::isinstance<py::sequence>(value) && !py::isinstance<py::array>(value)) {
    return {number_of(value)};
  }
  if (py::isinstance<py::str>(value)) return {number_of(value)};
  std::vector<double> numbers;
  for (const py::handle entry : value) {
    numbers.push_back(number_of(py::reinterpret_borrow<py::object>(entry)));
  }
  return numbers;
}

/// Seven costs if any of them has seven values.
std::vector<inventory::Costs> costs_of(const py::dict& cost) {
  std::vector<inventory::Costs> costs(1);
  for (const auto& [name, member] : cost_names) {
    if (!cost.contains(name)) {
      if (member == &inventory::Costs::unit) continue;
      throw InvalidInput(fmt::format("cost has no {:?}; accepted: {}", name, accepted_costs));
    }
    const std::vector<double> numbers = numbers_of(cost[name]);
    if (numbers.size() != 1 && numbers.size() != 7) {
      throw InvalidInput(
          fmt::format("{} {} costs; accepted: {}", numbers.size(), name, one_or_seven));
    }
    if (numbers.size() > costs.size()) costs.assign(numbers.size(), costs.front());
    for (std::size_t day = 0; day < costs.size(); ++day) {
      costs[day].*member = of_day(numbers, day);
    }
  }
  for (const auto& [key, value] : cost) {
    const auto name = py::str(key).cast<std::string>();
    const auto matches = [&](const auto& known) { return known.first == name; };
    if (std::any_of(cost_names.begin(), cost_names.end(), matches)) continue;
    throw InvalidInput(fmt::format("cost has {:?}; accepted: {}", name, accepted_costs));
  }
  return costs;
}

std::vector<std::size_t> max_orders_of(const py::object& max_order, std::size_t capacity) {
  if (max_order.is_none()) return {capacity};
  std::vector<std::size_t> most;
  const bool is_list = py::isinstance<py::sequence>(max_order) || py::hasattr(max_order, "ndim");
  const py::object list = is_list ? max_order : py::make_tuple(max_order);
  for (const py::handle entry : list) {
    most.push_back(count_of("max_order", entry.cast<std::int64_t>()));
  }
  return most;
}

/// The number itself if there is one, or a tuple of seven.
template <class Number>
py::object one_or_week(const std::vector<Number>& numbers) {
  const bool same = std::all_of(numbers.begin(), numbers.end(),
                                [&](const Number& number) { return number == numbers.front(); });
  return same ? py::cast(numbers.front()) : py::object(py::tuple(py::cast(numbers)));
}

py::dict cost_dictionary(const Inventory& self) {
  py::dict result;
  for (const auto& [name, member] : cost_names) {
    std::vector<double> numbers;
    for (const inventory::Costs& cost : self.model().parts().cost) numbers.push_back(cost.*member);
    result[name] = one_or_week(numbers);
  }
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
                        .demand = laws_of(demand, demand_names),
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
          "max_order",
          [](const Inventory& self) { return one_or_week(self.model().parts().max_order); },
          "The largest order, or seven of them.")
      .def_property_readonly("days", of_model(&Model::days),
                             "1, or 7 if anything depends on the weekday.")
      .def_property_readonly("states", of_model(&Model::states),
                             "Number of stocks times number of days.")
      .def_property_readonly("loss", [](const Inventory& self) { return self.criterion().loss; })
      .def_property_readonly("gamma", [](const Inventory& self) { return self.criterion().gamma; })
      .def_property_readonly("cost", cost_dictionary, "By name: a number, or seven of them.")
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
