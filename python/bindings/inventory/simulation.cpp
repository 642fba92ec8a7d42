#include <cmath>
#include <utility>

#include "bindings/callbacks.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/results.hpp"
#include "report/inventory_fields.hpp"
#include "shortfall/inventory/simulate/episode.hpp"
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

namespace {

/// An episode and its inventory, for shortfall.gym.
class InventoryEpisode {
 public:
  explicit InventoryEpisode(InventoryPointer inventory)
      : inventory_(std::move(inventory)), episode_(inventory_->model()) {}

  void start(std::size_t state, std::uint64_t seed, std::uint64_t replication) {
    episode_.start({.state = state, .seed = seed, .replication = replication});
    seed_ = seed;
    replication_ = replication;
  }

  /// Its inventory, its state, the generator's seed and number, and how often that was used.
  py::tuple pickled() const {
    const pcg64 first = stream_generator(seed_, replication_);
    const auto used = static_cast<std::uint64_t>(episode_.bits() - first);
    return py::make_tuple(std::const_pointer_cast<Inventory>(inventory_), state(), seed_,
                          replication_, used);
  }
  static InventoryEpisode from_pickled(const py::tuple& given) {
    require(given.size() == 5, "an episode of {} parts; accepted: what pickle wrote", given.size());
    InventoryPointer inventory = given[0].cast<std::shared_ptr<Inventory>>();
    require(inventory != nullptr, "an episode without inventory; accepted: what pickle wrote");
    InventoryEpisode result(std::move(inventory));
    result.seed_ = given[2].cast<std::uint64_t>();
    result.replication_ = given[3].cast<std::uint64_t>();
    pcg64 bits = stream_generator(result.seed_, result.replication_);
    bits.advance(given[4].cast<std::uint64_t>());
    result.episode_.resume(given[1].cast<std::size_t>(), bits);
    return result;
  }

  py::dict step(std::int64_t order) {
    const inventory::EpisodePeriod now = episode_.step(count_of("order", order));
    py::dict said;
    said["order"] = now.order;
    said["demand"] = now.demand;
    said["left"] = now.left;
    said["lost"] = now.lost;
    said["expired"] = now.expired;
    said["order_cost"] = now.cost.order;
    said["unit_cost"] = now.cost.unit;
    said["holding_cost"] = now.cost.holding;
    said["shortage_cost"] = now.cost.shortage;
    said["wastage_cost"] = now.cost.wastage;
    said["cost"] = now.total;
    return said;
  }

  std::size_t state() const { return episode_.state(); }
  std::size_t largest_order() const { return episode_.largest_order(); }
  std::size_t day() const { return state() / inventory_->model().stocks().size(); }

  py::array_t<std::int64_t> stock() const {
    const inventory::StockIndex& index = inventory_->model().stocks();
    std::vector<std::uint8_t> units(index.length());
    index.unrank(static_cast<std::uint32_t>(state() % index.size()), units);
    py::array_t<std::int64_t> result(static_cast<py::ssize_t>(units.size()));
    std::copy(units.begin(), units.end(), result.mutable_data());
    return result;
  }

 private:
  InventoryPointer inventory_;
  inventory::Episode episode_;
  std::uint64_t seed_ = inventory::EpisodeStart{}.seed;
  std::uint64_t replication_ = 0;
};

}  // namespace

void bind_episode(py::module_& module) {
  auto type = py::class_<InventoryEpisode>(module, "Episode", "The periods behind shortfall.gym.");
  type.def(py::init<InventoryPointer>(), py::arg("inventory").none(false))
      .def("start", &InventoryEpisode::start, py::arg("state"), py::arg("seed"),
           py::arg("replication"))
      .def("step", &InventoryEpisode::step, py::arg("order"))
      .def_property_readonly("state", &InventoryEpisode::state)
      .def_property_readonly("day", &InventoryEpisode::day)
      .def_property_readonly("stock", &InventoryEpisode::stock)
      .def_property_readonly("largest_order", &InventoryEpisode::largest_order);
  define_pickling(
      type, [](const InventoryEpisode& self) { return self.pickled(); },
      [](const py::tuple& given) { return InventoryEpisode::from_pickled(given); });
}

}  // namespace shortfall::python
