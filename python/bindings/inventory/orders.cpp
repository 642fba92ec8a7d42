#include <optional>
#include <stdexcept>

#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/results.hpp"
#include "bindings/tolerance.hpp"
#include "report/inventory_fields.hpp"
#include "shortfall/formats/order_rule.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/weekday.hpp"
#include "shortfall/inventory/plan/order.hpp"

namespace shortfall::python {
namespace {

using inventory::Rule;
using report::OrderReport;

constexpr const char* order_doc = R"doc(
Today's order for today's stock, what every other order would cost, and why. The same as `shortfall
inventory order`; also a method, inventory.order(stock).

stock : units with 1, 2, .., shelf_life - 1 periods left.
day : "mon" to "sun", or 0 to 6, where the inventory differs by weekday; otherwise None.
compare : names of rules, such as "base-stock:15", "static", "myopic" or "risk-neutral", or CSV
    files of orders.
solution : from solve or load_solution; None means that the inventory is solved now.

Returns an OrderAnswer: `choices` has every order, and `compare` what each rule would order. Its
to_dict() has the keys of `shortfall inventory order --json`. Raises RuntimeError if the optimum
cannot be certified to within `tolerance`.

Examples
--------
>>> from shortfall.inventory import Inventory, poisson_demand
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> answer = inventory.order([1, 1], compare=["base-stock:3"])
>>> answer.order, answer.compare["base-stock:3"].order
(2, 1)
>>> round(answer.chance_of_shortage, 4)
0.0186
)doc";

std::optional<std::size_t> day_of(const py::object& day) {
  if (day.is_none()) return std::nullopt;
  if (py::isinstance<py::str>(day)) return inventory::parse_weekday(day.cast<std::string>());
  return count_of("day", day.cast<std::int64_t>());
}

/// What is asked, and with which options.
struct OrderKeywords {
  std::vector<std::int64_t> stock;
  py::object day;
  std::vector<std::string> compare;
  const InventorySolution* solution;  ///< null: solve
  Tolerance tolerance;
  int threads;
};

void check_converged(Status status, double error_bound, Tolerance tolerance) {
  if (is_success(status)) return;
  throw std::runtime_error(fmt::format("{}: {}, tolerance = {}", to_string(status),
                                       reached_text(error_bound), tolerance.goal()));
}

OrderReport compute(const Inventory& self, const OrderKeywords& keywords, const Solution& solution,
                    const inventory::StockToday& today, const std::vector<Rule>& rules) {
  return interruptible([&](const Monitor& monitor) {
    const inventory::RuleOptions options{.tolerance = keywords.tolerance};
    const Execution execution{.threads = keywords.threads, .monitor = monitor};
    OrderReport report{
        .answer = inventory::best_order(self.model(), self.criterion(), solution, today, monitor)};
    for (const Rule& rule : rules) {
      const std::optional<std::size_t> order =
          rule.kind == Rule::Kind::optimal
              ? report.answer.order
              : inventory::order_of(rule, self.model(), self.criterion(), today, options,
                                    execution);
      if (!order) throw std::runtime_error(rule.name + ": its orders did not converge");
      report.rules.push_back({rule.name, *order});
    }
    return report;
  });
}

OrderReport order(const Inventory& self, const OrderKeywords& keywords) {
  const inventory::StockToday today =
      inventory::stock_today(self.model(), keywords.stock, day_of(keywords.day));
  std::vector<Rule> rules;
  for (const std::string& name : keywords.compare) {
    rules.push_back(io::read_rule(name, self.model()));
  }
  Solution solved;
  if (keywords.solution == nullptr) {
    solved = interruptible([&](const Monitor& monitor) {
      return inventory::solve(self.model(), self.criterion(), {.tolerance = keywords.tolerance},
                              {.threads = keywords.threads, .monitor = monitor});
    });
    check_converged(solved.status, solved.error_bound, keywords.tolerance);
  }
  const Solution& solution = keywords.solution == nullptr ? solved : keywords.solution->solution;
  return compute(self, keywords, solution, today, rules);
}

}  // namespace

void bind_orders(py::module_& module) {
  define_result<inventory::OrderChoice>(module);
  define_result<report::RuleChoice>(module);
  define_result<OrderReport>(module);
  const SolverOptions defaults;
  // Python passes keywords one by one; they are bundled here.
  const auto bundled = [](const Inventory& inventory, std::vector<std::int64_t> stock,
                          py::object day, std::vector<std::string> compare,
                          const InventorySolution* solution, Tolerance tolerance, int threads) {
    return order(inventory, {std::move(stock), std::move(day), std::move(compare), solution,
                             tolerance, threads});
  };
  const auto define = [&](auto& scope, const auto&... self) {
    scope.def("order", bundled, self..., py::arg("stock"), py::kw_only(),
              py::arg("day") = py::none(), py::arg("compare") = std::vector<std::string>(),
              py::arg("solution") = py::none(), py::arg("tolerance") = defaults.tolerance,
              py::arg("threads") = Execution{}.threads, order_doc);
  };
  define(module, py::arg("inventory"));
  auto inventory =
      module.attr("Inventory").cast<py::class_<Inventory, std::shared_ptr<Inventory>>>();
  define(inventory);
}

}  // namespace shortfall::python
