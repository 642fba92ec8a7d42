#include <optional>
#include <string_view>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/callbacks.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/inventory/training_result.hpp"
#include "bindings/results.hpp"
#include "bindings/tolerance.hpp"
#include "numbers/certain_digits.hpp"
#include "parallel/watch.hpp"
#include "report/inventory_fields.hpp"
#include "shortfall/inventory/train/train.hpp"

namespace shortfall::python {

namespace {

using inventory::Estimate;
using inventory::TrainingOptions;

constexpr const char* train_doc = R"doc(
Learns orders from simulated periods, starting with the myopic orders. Each iteration evaluates the
current orders from samples, by UBSR-TD, UBSR-Newton or an averager with features of the stock,
takes the greedy orders for that estimate, and computes their exact value. The best orders are kept.

algorithm : "newton", "td", "averager-newton" or "averager-td".
iterations : total number, including those of `resume`.
samples, trajectories : number of simulated periods per evaluation, and of paths they are split
    into.
warmup : samples in each path before newton changes the weights.
improvement : "exact", with the distributions of demand and arrivals, or "sampled:S", with S simulated
    periods.
tolerance, max_iterations : for the exact values.
evaluation : how orders are evaluated from samples. "restarted": paths restart from time to time,
    features and steps are fitted. "published": as Wang and Delage describe it in section 6.2. What
    they leave open can be chosen; None is what `evaluation` says, shown here for "published".
normalisation : of td and newton, "largest" (features divided by their largest value), "standard"
    (mean 0, deviation 1), "orthonormal" or "none".
step : of td and averager-td, "2,100,0.6666666666666666" for 2/(n + 100)^(2/3), a constant, or "fitted".
paths : "divided" (one path, cut into pieces), "separate" or "restarted".
start : stock at the start of a path: "empty", "uniform" or "delivery".
first_weights : before the first evaluation, "zero" or "non-perishable" (the value if nothing
    perished).
next_weights : before the others, "carried" or "first".
draws : simulated periods of "sampled:S", "per-state", "per-order" or "stratified".
features : of the stock; None: "hats" for averagers, which accept no others, and otherwise
    "polynomial", as published. Also "relu:D" or "fourier:D" with D random features, or with a seed
    "relu:D,SEED"; see stock_features.
resume : an earlier result to continue, with the same inventory and options. A custom loss must be
    the same, too; this is not checked. To lose little to Ctrl-C, train a few iterations at a time.
on_iteration : called with a TrainingRecord after each iteration. If it returns False, training
    stops; so it does with the iteration under way if `monitor`, called with a Progress from time to
    time, returns False. The result then has fewer iterations.

The same seed gives the same bits for any number of threads, resumed or not.

Examples
--------
>>> from shortfall.inventory import Inventory, poisson_demand, solve, train
>>> inventory = Inventory(shelf_life=3, capacity=4, demand=poisson_demand(1.5, max=6), gamma=0.9,
...                       cost={"order": 2, "holding": 1, "shortage": 10, "wastage": 4},
...                       loss="expectile:0.8")
>>> training = train(inventory, iterations=3, samples=20000, trajectories=10)
>>> optimum = solve(inventory).values[0]
>>> bool(training.values[0] < 1.02 * optimum)
True
>>> longer = train(inventory, iterations=5, samples=20000, trajectories=10, resume=training)
>>> len(longer.trace)  # the start and five iterations
6
>>> published = train(inventory, iterations=2, samples=20000, trajectories=10,
...                   evaluation="published", start="uniform")
>>> record = published.trace[-1]
>>> record.used + record.singular + record.diverged  # trajectories
10
)doc";

constexpr const char* estimate_doc = R"doc(
The value of given orders, estimated from samples as in the first iteration of train; options as
there.
)doc";

/// S of sampled:S, 0 for exact.
std::size_t scenarios_of(const std::string& improvement) {
  if (const auto count = inventory::parse_improvement(improvement)) return *count;
  throw InvalidInput(
      fmt::format("improvement = {:?}; accepted: \"exact\", or \"sampled:S\" with S from 1 to {}",
                  improvement, inventory::max_scenarios));
}

/// The arguments that choose an evaluation; those not given are as its kind has them.
struct EvaluationArguments {
  using Name = std::optional<std::string>;
  std::string kind;
  Name normalisation = {};
  Name step = {};
  Name paths = {};
  Name start = {};
  Name first_weights = {};
  Name next_weights = {};
  Name draws = {};

  inventory::EvaluationMethod method(learn::Algorithm algorithm) const {
    using namespace inventory;
    if (normalisation && is_averager(algorithm)) {
      throw InvalidInput(fmt::format(
          "normalisation with algorithm {:?}; accepted: \"td\" or \"newton\": averagers take "
          "features as they are",
          to_string(algorithm)));
    }
    if (step && is_newton(algorithm)) {
      throw InvalidInput(fmt::format(
          "step with algorithm {:?}; accepted: \"td\" or \"averager-td\"", to_string(algorithm)));
    }
    EvaluationMethod method =
        evaluation_method(value_named(kind, evaluation_kind_names, "evaluation"));
    const auto set = [](auto& value, const Name& name, const auto& names, const char* what) {
      if (name) value = value_named(*name, names, what);
    };
    set(method.normalisation, normalisation, stock_normalisation_names, "normalisation");
    set(method.paths, paths, sample_paths_names, "paths");
    set(method.start, start, path_start_names, "start");
    set(method.first_weights, first_weights, first_weights_names, "first_weights");
    set(method.next_weights, next_weights, next_weights_names, "next_weights");
    set(method.draws, draws, improvement_draws_names, "draws");
    if (step && *step == "fitted") method.step.reset();
    if (step && *step != "fitted") method.step = learn::AnyStep::parse(*step);
    return method;
  }
};

std::optional<inventory::FeatureSet> given_features(const std::optional<std::string>& features) {
  return features ? std::optional(feature_set_of(*features)) : std::nullopt;
}

TrainingResult train(const Inventory& inventory, std::int64_t iterations,
                     const TrainingOptions& options, int threads, const TrainingResult* resume,
                     const Callback& on_iteration, const Callback& monitor) {
  if (iterations < 1) {
    throw InvalidInput(fmt::format("iterations = {}; accepted: at least 1", iterations));
  }
  TrainingResult result = TrainingResult::none({inventory.model(), inventory.criterion()}, options);
  if (resume) resume->check(result);
  if (resume) result = *resume;
  interruptible([&](const Monitor& interruption) {
    inventory::Training training(
        inventory.model(), inventory.criterion(), options, result.state,
        {.threads = threads,
         .monitor = shortfall::detail::keeping_stop(with_callback(interruption, monitor))});
    const auto keep_best = [&] {
      const inventory::TrainingState& state = training.state();
      if (state.best + 1 == state.trace.size()) result.best_values = state.values;
    };
    if (training.state().trace.empty()) {
      throw std::runtime_error("stopped before the first orders were evaluated");
    }
    if (!resume) keep_best();
    while (training.state().trace.size() <= static_cast<std::size_t>(iterations) &&
           training.iterate()) {
      keep_best();
      if (!call(on_iteration, training.state().trace.back())) break;
    }
    result.state = training.state();
  });
  return result;
}

Estimate estimate(const Inventory& inventory, const Integers& orders,
                  const TrainingOptions& options, int threads) {
  const Policy policy = inventory.checked_orders(orders);
  return without_interpreter([&] {
    return inventory::estimate(inventory.model(), inventory.criterion(), policy, options,
                               {.threads = threads});
  });
}

}  // namespace

void bind_training(py::module_& core) {
  auto module = core.attr("inventory").cast<py::module_>();
  bind_training_results(module);
  using Name = EvaluationArguments::Name;
  constexpr std::int64_t default_iterations = 20;  // as in the command
  const TrainingOptions defaults;
  module.def(
      "train",
      [](const Inventory& inventory, const std::string& algorithm, std::int64_t iterations,
         std::int64_t samples, std::int64_t trajectories, std::int64_t warmup,
         const std::string& improvement, Tolerance tolerance, int max_iterations,
         std::uint64_t seed, int threads, const TrainingResult* resume,
         const Callback& on_iteration, const Callback& monitor, const std::string& evaluation,
         const Name& normalisation, const Name& step, const Name& paths, const Name& start,
         const Name& first_weights, const Name& next_weights, const Name& draws,
         const Name& features) {
        const EvaluationArguments chosen{evaluation, normalisation, step,         paths,
                                         start,      first_weights, next_weights, draws};
        const auto learner = value_named(algorithm, inventory::training_algorithms, "algorithm");
        return train(inventory, iterations,
                     {.algorithm = learner,
                      .samples = count_of("samples", samples),
                      .trajectories = count_of("trajectories", trajectories),
                      .warmup = count_of("warmup", warmup),
                      .scenarios = scenarios_of(improvement),
                      .evaluation = chosen.method(learner),
                      .features = given_features(features),
                      .tolerance = tolerance,
                      .max_iterations = max_iterations,
                      .seed = seed},
                     threads, resume, on_iteration, monitor);
      },
      py::arg("inventory"), py::kw_only(), py::arg("algorithm") = "newton",
      py::arg("iterations") = default_iterations, py::arg("samples") = defaults.samples,
      py::arg("trajectories") = defaults.trajectories, py::arg("warmup") = defaults.warmup,
      py::arg("improvement") = "exact", py::arg("tolerance") = defaults.tolerance,
      py::arg("max_iterations") = defaults.max_iterations, py::arg("seed") = defaults.seed,
      py::arg("threads") = Execution{}.threads, py::arg("resume") = py::none(),
      py::arg("on_iteration") = py::none(), py::arg("monitor") = py::none(),
      py::arg("evaluation") = "restarted", py::arg("normalisation") = py::none(),
      py::arg("step") = py::none(), py::arg("paths") = py::none(), py::arg("start") = py::none(),
      py::arg("first_weights") = py::none(), py::arg("next_weights") = py::none(),
      py::arg("draws") = py::none(), py::arg("features") = py::none(), train_doc);
  module.def(
      "estimate",
      [](const Inventory& inventory, const Integers& orders, const std::string& algorithm,
         std::int64_t samples, std::int64_t trajectories, std::int64_t warmup, std::uint64_t seed,
         int threads, const std::string& evaluation, const Name& normalisation, const Name& step,
         const Name& paths, const Name& start, const Name& first_weights, const Name& features) {
        const EvaluationArguments chosen{evaluation, normalisation, step,
                                         paths,      start,         first_weights};
        const auto learner = value_named(algorithm, inventory::training_algorithms, "algorithm");
        return estimate(inventory, orders,
                        {.algorithm = learner,
                         .samples = count_of("samples", samples),
                         .trajectories = count_of("trajectories", trajectories),
                         .warmup = count_of("warmup", warmup),
                         .evaluation = chosen.method(learner),
                         .features = given_features(features),
                         .seed = seed},
                        threads);
      },
      py::arg("inventory"), py::arg("orders"), py::kw_only(), py::arg("algorithm") = "newton",
      py::arg("samples") = defaults.samples, py::arg("trajectories") = defaults.trajectories,
      py::arg("warmup") = defaults.warmup, py::arg("seed") = defaults.seed,
      py::arg("threads") = Execution{}.threads, py::arg("evaluation") = "restarted",
      py::arg("normalisation") = py::none(), py::arg("step") = py::none(),
      py::arg("paths") = py::none(), py::arg("start") = py::none(),
      py::arg("first_weights") = py::none(), py::arg("features") = py::none(), estimate_doc);
}

namespace {

constexpr const char* training_doc = R"doc(
The result of a training. `policy` contains the best orders of all iterations and `values` their
values, within `error_bound`. It can be pickled, and train can resume it with identical results.
)doc";

std::string_view status_of(const TrainingResult& self) {
  return self.state.has_learned() ? to_string(self.best().status) : "nothing-learned";
}

std::string text(const TrainingResult& self) {
  CertainDigits digits(self.best().error_bound);
  const std::string value = digits.value(self.best().value_at_empty);
  return fmt::format("Training({}, {} iterations, best {}: {} from empty, within {})",
                     status_of(self), self.state.trace.size() - 1, self.best().iteration, value,
                     digits.bound());
}

std::string text(const Estimate& self) {
  const learn::Evaluation& evaluation = self.evaluation;
  return fmt::format("Estimate({:.6g} from empty, {} of {} trajectories used)", self.value_at_empty,
                     evaluation.used, evaluation.used + evaluation.singular + evaluation.diverged);
}

/// A read-only view of get(result).
template <class Result, class Get>
auto view_of(Get get) {
  return [get](const py::object& self) { return view(get(self.cast<const Result&>()), self); };
}

void bind_result(py::module_& module) {
  using Result = TrainingResult;
  const auto bytes = [](const Result& self) { return py::bytes(self.bytes()); };
  const auto from_bytes = [](const py::bytes& state) {
    return Result::from_bytes(std::string(state));
  };
  auto result_class =
      py::class_<Result>(module, "Training", training_doc)
          .def_property_readonly("status", status_of,
                                 "Status of the exact values of the best orders, or "
                                 "\"nothing-learned\" if no trajectory could be used.")
          .def_property_readonly("policy", view_of<Result>([](const Result& r) -> const Policy& {
                                   return r.state.best_orders;
                                 }),
                                 "The best orders, by state.")
          .def_property_readonly("values",
                                 view_of<Result>([](const Result& r) -> const std::vector<double>& {
                                   return r.best_values;
                                 }),
                                 "The exact values of the best orders, by state.")
          .def_property_readonly("best", &Result::best, "The record of the best orders.")
          .def_property_readonly(
              "trace", [](const Result& r) { return r.state.trace; },
              "A TrainingRecord for the start and for each iteration.")
          .def_property_readonly(
              "last_policy",
              view_of<Result>([](const Result& r) -> const Policy& { return r.state.orders; }),
              "The orders of the last iteration, by state.")
          .def_property_readonly("theta",
                                 view_of<Result>([](const Result& r) -> const std::vector<double>& {
                                   return r.state.theta;
                                 }),
                                 "The last weights of the features.")
          .def("__repr__", [](const Result& self) { return text(self); });
  define_fields<inventory::TrainingState>(
      result_class, [](const Result& self) -> const auto& { return self.state; });
  define_pickling(result_class, bytes, from_bytes);
}

void bind_estimate(py::module_& module) {
  py::class_<Estimate>(module, "Estimate", "The value of orders, estimated from samples.")
      .def_readonly("value_at_empty", &Estimate::value_at_empty)
      .def_property_readonly("theta",
                             view_of<Estimate>([](const Estimate& e) -> const std::vector<double>& {
                               return e.evaluation.theta;
                             }),
                             "The weights of the features.")
      .def_property_readonly("change", [](const Estimate& e) { return e.evaluation.change; })
      .def_property_readonly("used", [](const Estimate& e) { return e.evaluation.used; })
      .def_property_readonly("singular", [](const Estimate& e) { return e.evaluation.singular; })
      .def_property_readonly("diverged", [](const Estimate& e) { return e.evaluation.diverged; })
      .def("__repr__", [](const Estimate& self) { return text(self); });
}

}  // namespace

void bind_training_results(py::module_& module) {
  define_result<inventory::TrainingRecord>(module);
  bind_result(module);
  bind_estimate(module);
}

}  // namespace shortfall::python
