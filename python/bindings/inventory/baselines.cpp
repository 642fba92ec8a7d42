#include "shortfall/inventory/kernel/baselines.hpp"

#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <utility>

#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/tolerance.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"

namespace shortfall::python {
namespace {

using inventory::NonPerishable;

constexpr const char* non_perishable_doc = R"doc(
The optimum if nothing ever expired, by day and total stock: with the same demand, costs (without
wastage), loss and discount.
)doc";

constexpr const char* reorder_doc = R"doc(
The (s, S) rule: order up to `order_up_to` if at most `reorder_at` units are in stock, otherwise
nothing. Orders are limited by the capacity.

Examples
--------
>>> from shortfall.inventory import Inventory, poisson_demand, reorder_orders
>>> inventory = Inventory(shelf_life=2, capacity=5, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="mean")
>>> reorder_orders(inventory, reorder_at=2, order_up_to=4)
array([4, 3, 2, 0, 0, 0], dtype=int32)
)doc";

constexpr const char* explicit_doc = R"doc(
An Mdp for shortfall.solve that lists every outcome of every order in every state. For small
inventories and for reference. States are numbered as in the inventory; actions are orders.
)doc";

py::array_t<ActionIndex> static_orders(const Inventory& self) {
  return copy(without_interpreter([&] {
    return inventory::static_policy(
        self.model(), inventory::solve_non_perishable(self.model(), self.criterion()));
  }));
}

py::array_t<ActionIndex> myopic_orders(const Inventory& self, int threads) {
  return copy(interruptible([&](const Monitor& monitor) {
    return inventory::myopic_policy(self.model(), self.criterion(),
                                    {.threads = threads, .monitor = monitor});
  }));
}

py::array_t<ActionIndex> base_stock_orders(const Inventory& self, std::int64_t level) {
  return copy(inventory::base_stock_policy(self.model(), count_of("level", level)));
}

py::array_t<ActionIndex> reorder_orders(const Inventory& self, std::int64_t reorder_at,
                                        std::int64_t order_up_to) {
  return copy(inventory::reorder_policy(
      self.model(), {count_of("reorder_at", reorder_at), count_of("order_up_to", order_up_to)}));
}

py::array_t<ActionIndex> risk_neutral_orders(const Inventory& self, Tolerance tolerance,
                                             int threads) {
  const Criterion criterion{Mean(), self.criterion().gamma};
  const Solution solution = interruptible([&](const Monitor& monitor) {
    return inventory::solve(self.model(), criterion, {.tolerance = tolerance},
                            {.threads = threads, .monitor = monitor});
  });
  return copy(solution.policy);
}

NonPerishable non_perishable(const Inventory& self) {
  return without_interpreter(
      [&] { return inventory::solve_non_perishable(self.model(), self.criterion()); });
}

/// Rows of equal length as an array [day][total stock].
template <class To, class From>
py::array_t<To> table_of(const std::vector<std::vector<From>>& rows) {
  py::array_t<To> table({rows.size(), rows.front().size()});
  To* out = table.mutable_data();
  for (const auto& row : rows) {
    for (const From& number : row) *out++ = static_cast<To>(number);
  }
  return table;
}

py::list shape_of(const NonPerishable& self) {
  py::list days;
  for (const auto& levels : self.shape) {
    days.append(levels ? py::object(py::make_tuple(levels->reorder_at, levels->order_up_to))
                       : py::none());
  }
  return days;
}

std::string text(const NonPerishable& self) {
  std::string levels;
  for (const auto& day : self.shape) {
    levels += levels.empty() ? "" : " ";
    levels += day ? fmt::format("({}, {})", day->reorder_at, day->order_up_to) : "none";
  }
  return fmt::format("NonPerishable((s, S) = {}, within {})", levels, bound_text(self.error_bound));
}

/// The number of outcomes that explicit_mdp lists.
double count_outcomes(const inventory::Model& model) {
  using inventory::StockIndex;
  double count = 0.0;
  for (std::size_t day = 0; day < model.days(); ++day) {
    const auto demands = static_cast<double>(model.demand(day).size());
    for (std::size_t total = 0; total <= model.capacity(); ++total) {
      // A delivery of at most z units corresponds to a stock of total at most z: units that are not
      // delivered count as one more age.
      const double ways =
          StockIndex::count(model.arrival(day).possible_ages(), model.largest_order(day, total));
      count += static_cast<double>(model.stocks().layer_size(total)) * ways * demands;
    }
  }
  return count;
}

io::LoadedModel explicit_mdp(const Inventory& self) {
  constexpr double most = 3e7;
  const double outcomes = count_outcomes(self.model());
  if (outcomes > most) {
    throw InvalidInput(
        fmt::format("an inventory of {:.2g} outcomes; accepted: at most {:.0e}, "
                    "which takes 2 GB",
                    outcomes, most));
  }
  return without_interpreter([&] {
    return io::LoadedModel{inventory::explicit_mdp(self.model()), io::Sense::cost};
  });
}

py::array_t<ActionIndex> read_orders(const std::filesystem::path& path, const Inventory& self) {
  return copy(io::read_order_policy_csv(path.string(), self.model()));
}

void write_orders(const std::filesystem::path& path, const Inventory& self,
                  const Integers& orders) {
  io::write_order_policy_csv(path.string(), self.model(), self.checked_orders(orders));
}

void bind_non_perishable(py::module_& module) {
  py::class_<NonPerishable>(module, "NonPerishable", non_perishable_doc)
      .def_property_readonly(
          "order", [](const NonPerishable& self) { return table_of<ActionIndex>(self.order); },
          "Indexed by day and total stock.")
      .def_property_readonly(
          "value", [](const NonPerishable& self) { return table_of<double>(self.value); },
          "Indexed by day and total stock.")
      .def_property_readonly("shape", shape_of,
                             "(s, S) for each day, or None if the orders have another shape.")
      .def_readonly("error_bound", &NonPerishable::error_bound)
      .def("__repr__", [](const NonPerishable& self) { return text(self); });
  module.def("non_perishable", non_perishable, py::arg("inventory"), non_perishable_doc);
}

}  // namespace

void bind_inventory_baselines(py::module_& module) {
  const SolverOptions defaults;
  bind_non_perishable(module);
  module.def("static_orders", static_orders, py::arg("inventory"),
             "Orders that are optimal if nothing expired, by total stock.");
  module.def("myopic_orders", myopic_orders, py::arg("inventory"), py::kw_only(),
             py::arg("threads") = Execution{}.threads,
             "Orders that minimise the risk of the current period's cost.");
  module.def("risk_neutral_orders", risk_neutral_orders, py::arg("inventory"), py::kw_only(),
             py::arg("tolerance") = defaults.tolerance, py::arg("threads") = Execution{}.threads,
             "The optimal orders for the mean: solve(inventory.replace(loss=\"mean\")).policy.");
  module.def("base_stock_orders", base_stock_orders, py::arg("inventory"), py::arg("level"),
             "Always order up to `level`, limited by the capacity.");
  module.def("reorder_orders", reorder_orders, py::arg("inventory"), py::arg("reorder_at"),
             py::arg("order_up_to"), reorder_doc);
  module.def("explicit_mdp", explicit_mdp, py::arg("inventory"), explicit_doc);
  module.def("read_orders", read_orders, py::arg("path"), py::arg("inventory"),
             "Reads orders by state from a CSV file with columns [day,]x1,..,order.");
  module.def("write_orders", write_orders, py::arg("path"), py::arg("inventory"), py::arg("orders"),
             "Writes orders by state to a CSV file with columns [day,]x1,..,order.");
}

}  // namespace shortfall::python
