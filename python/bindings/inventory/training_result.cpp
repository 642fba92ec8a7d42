#include "bindings/inventory/training_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "formats/inventory_identity.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/sample_path.hpp"
#include "shortfall/inventory/train/stock_features.hpp"

/// What a learner written in Python needs: transitions, features, and greedy orders.
namespace shortfall::python {

namespace {

[[noreturn]] void reject_state() {
  throw InvalidInput("a pickled Training was modified; accepted: unmodified pickles");
}

}  // namespace

TrainingResult TrainingResult::none(const io::InventoryConfiguration& configuration,
                                    const inventory::TrainingOptions& options) {
  TrainingResult result;
  result.inventory = io::identity(configuration);
  for (const auto& [name, value] : inventory::recorded_options(options)) {
    result.options.push_back(value);
  }
  return result;
}

void TrainingResult::check(const TrainingResult& expected) const {
  if (inventory != expected.inventory) {
    throw InvalidInput(
        "resume is a training of another inventory; accepted: one with the same numbers");
  }
  const auto names = inventory::recorded_options({});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (options[i] == expected.options[i]) continue;
    std::string argument = names[i].first;
    std::ranges::replace(argument, '-', '_');
    throw InvalidInput(
        fmt::format("{} = {}, but the training to resume had {}; accepted: the same value",
                    argument, expected.options[i], options[i]));
  }
}

std::string TrainingResult::bytes() const {
  io::StateWriter saved;
  TrainingResult state_to_write = *this;
  state_to_write.archive(saved);
  return saved.bytes();
}

TrainingResult TrainingResult::from_bytes(const std::string& bytes) {
  io::StateReader saved("a pickled Training", bytes);
  TrainingResult result;
  result.options.resize(inventory::recorded_options({}).size());
  result.archive(saved);
  saved.finish();
  const bool sound = result.state.best < result.state.trace.size() &&
                     result.best_values.size() == result.state.best_orders.size();
  if (!sound) reject_state();
  return result;
}

namespace {

constexpr const char* sample_doc = R"doc(
Simulated periods under given orders, as arrays (state, cost, next_state) with one entry per period:
for learners of your own, and for how often states are visited.

restart : probability of a restart after each period. Starts and restarts are those of train: on a
    random day, with stock from an arbitrary delivery. Without restarts, next_state[n] is
    state[n + 1].

The same seed gives the same path.

Examples
--------
>>> from shortfall.inventory import Inventory, base_stock_orders, poisson_demand, sample_path
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="mean")
>>> orders = base_stock_orders(inventory, level=4)
>>> state, cost, next_state = sample_path(inventory, orders, periods=1000)
>>> frequency = np.bincount(state, minlength=inventory.states) / len(state)
>>> bool((next_state[:-1] == state[1:]).all())
True
)doc";

constexpr const char* greedy_doc = R"doc(
The orders that are best for one period if `values`, one per state, are the costs from then on. It
turns the values of any estimate into orders. Those of the optimal values are optimal.

Examples
--------
>>> from shortfall.inventory import Inventory, greedy_orders, poisson_demand, solve
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> optimum = solve(inventory)
>>> bool((greedy_orders(inventory, optimum.values) == optimum.policy).all())
True
)doc";

constexpr const char* features_doc = R"doc(
The features of stocks that train and estimate use: one row per state, one column per weight.

features : "polynomial", "relu:D", "fourier:D", or with a seed "relu:D,SEED". These begin with a
    constant (one per day), the value if nothing perished, and the units by age. Polynomials then
    have the products of two ages, the others D random features in their place. "hats" are those of
    averagers: hat functions of the total stock and of its older parts.
states : the numbers of states, if not all.

Examples
--------
>>> from shortfall.inventory import Inventory, estimate, poisson_demand, static_orders, stock_features
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.6,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> phi = stock_features(inventory, features="relu:5")
>>> phi.shape
(15, 9)
>>> learned = estimate(inventory, static_orders(inventory), features="relu:5")
>>> values = phi @ learned.theta
>>> bool(abs(values[0] - learned.value_at_empty) < 1e-9)
True
)doc";

py::tuple sample_path(const Inventory& self, const Integers& orders, std::int64_t periods,
                      double restart, std::uint64_t seed) {
  const Policy policy = self.checked_orders(orders);
  const inventory::PathOptions options{
      .periods = count_of("periods", periods), .restart = restart, .seed = seed};
  const inventory::SampledPath path = interruptible([&](const Monitor& monitor) {
    return inventory::sample_path(self.model(), policy, options, {.monitor = monitor});
  });
  return py::make_tuple(copy(path.state), copy(path.cost), copy(path.next));
}

py::array_t<ActionIndex> greedy_orders(const Inventory& self, const Doubles& values, int threads) {
  const auto given = vector_span(values, "values");
  return copy(interruptible([&](const Monitor& monitor) {
    return inventory::greedy_policy(self.model(), self.criterion(), given,
                                    {.threads = threads, .monitor = monitor});
  }));
}

/// All states if none are given.
std::vector<std::size_t> checked_states(const Inventory& self,
                                        const std::optional<Integers>& states) {
  std::vector<std::size_t> checked;
  const auto all = static_cast<std::int64_t>(self.model().states());
  if (!states) {
    for (std::int64_t s = 0; s < all; ++s) checked.push_back(static_cast<std::size_t>(s));
    return checked;
  }
  for (const std::int64_t s : vector_span(*states, "states")) {
    require(s >= 0 && s < all, "state {}; accepted: 0 to {}", s, all - 1);
    checked.push_back(static_cast<std::size_t>(s));
  }
  return checked;
}

py::array_t<double> stock_features(const Inventory& self, const std::string& features,
                                   const std::optional<Integers>& states) {
  const inventory::Model& model = self.model();
  const inventory::StockFeatures map(
      model,
      without_interpreter([&] { return inventory::solve_non_perishable(model, self.criterion()); }),
      feature_set_of(features));
  const std::vector<std::size_t> rows = checked_states(self, states);
  const std::size_t d = map.dimension();
  py::array_t<double> result({rows.size(), d});
  double* const out = result.mutable_data();
  interruptible([&](const Monitor& monitor) {
    constexpr std::size_t check_every = 1 << 12;
    const std::size_t stocks = model.stocks().size();
    std::vector<std::uint8_t> stock(model.stocks().length());
    for (std::size_t n = 0; n < rows.size(); ++n) {
      if (n % check_every == 0 && monitor({}) == Request::stop) return;
      model.stocks().unrank(static_cast<std::uint32_t>(rows[n] % stocks), stock);
      map.write({rows[n] / stocks, stock}, std::span(out + n * d, d));
    }
  });
  return result;
}

}  // namespace

inventory::FeatureSet feature_set_of(const std::string& features) {
  if (const auto set = inventory::parse_feature_set(features)) return *set;
  throw InvalidInput(
      fmt::format("features = {:?}; accepted: {}", features, inventory::accepted_feature_sets()));
}

void bind_own_learning(py::module_& module) {
  const inventory::PathOptions defaults;
  module.def("sample_path", sample_path, py::arg("inventory"), py::arg("orders"), py::kw_only(),
             py::arg("periods") = defaults.periods, py::arg("restart") = defaults.restart,
             py::arg("seed") = defaults.seed, sample_doc);
  module.def("greedy_orders", greedy_orders, py::arg("inventory"), py::arg("values"), py::kw_only(),
             py::arg("threads") = 0, greedy_doc);
  module.def("stock_features", stock_features, py::arg("inventory"), py::kw_only(),
             py::arg("features") = "polynomial", py::arg("states") = py::none(), features_doc);
}

}  // namespace shortfall::python
