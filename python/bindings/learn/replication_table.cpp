#include "bindings/learn/replication_table.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/learn/learners.hpp"
#include "errors/require.hpp"
#include "shortfall/learn/runner.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/mdp/stationary.hpp"

namespace shortfall::python {

namespace {

void add(std::optional<Curve>& curve, const std::optional<learn::Summary>& summary) {
  if (!summary) return;
  if (!curve) curve.emplace();
  curve->add(*summary);
}

template <class Class, class Member>
auto column(Member member) {
  return [member](const py::object& self) { return view(self.cast<const Class&>().*member, self); };
}

/// One row per replication.
py::array_t<double> theta(const py::object& self) {
  const auto& table = self.cast<const ReplicationTable&>();
  return view(table.theta, self).attr("reshape")(table.replications, -1);
}

std::string repr(const Curve& curve) {
  return fmt::format("Curve({} records, last {:.4g} +- {:.2g})", curve.mean.size(),
                     curve.mean.back(), curve.standard_error.back());
}

std::string repr(const ReplicationTable& table) {
  std::string text = fmt::format("Replications({} of {} updates, {} diverged", table.replications,
                                 table.iterations.back(), table.diverged.back());
  const auto add_distance = [&](const std::optional<Curve>& curve, const char* to) {
    if (!curve) return;
    text += fmt::format(", {:.4g} +- {:.2g} from the {}", curve->mean.back(),
                        curve->standard_error.back(), to);
  };
  add_distance(table.to_projected_value, "projected value");
  add_distance(table.to_fixed_point, "fixed point");
  return text + ")";
}

void bind_curve(py::module_& core) {
  py::class_<Curve>(core, "Curve", R"doc(
Mean, standard error and median of all replications at each recorded iteration. If a replication has
diverged, the mean and standard error of a distance are inf.
)doc")
      .def_property_readonly("mean", column<Curve>(&Curve::mean))
      .def_property_readonly("standard_error", column<Curve>(&Curve::standard_error))
      .def_property_readonly("median", column<Curve>(&Curve::median))
      .def("__len__", [](const Curve& curve) { return curve.mean.size(); })
      .def("__repr__", [](const Curve& self) { return repr(self); });
}

void bind_table(py::module_& core) {
  using Table = ReplicationTable;
  py::class_<Table>(core, "Replications", R"doc(
The result of `replicate`. Entry k of each array is for `iterations[k]` updates.
)doc")
      .def_property_readonly("iterations", column<Table>(&Table::iterations))
      .def_readonly("to_projected_value", &Table::to_projected_value,
                    "Distances to the projected value, as a `Curve`; None if not measured.")
      .def_readonly("to_fixed_point", &Table::to_fixed_point,
                    "Distances to the fixed point, as a `Curve`; None if not measured.")
      .def_readonly("first_component", &Table::first_component,
                    "theta[0] of the replications that have not diverged.")
      .def_property_readonly("diverged", column<Table>(&Table::diverged),
                             "Number of replications that have diverged so far.")
      .def_property_readonly(
          "singular", column<Table>(&Table::singular),
          "Number of replications that are currently singular; they may recover.")
      .def_property_readonly(
          "theta", &theta, "Final weights, or the last before divergence: one row per replication.")
      .def("__repr__", [](const Table& self) { return repr(self); });
}

}  // namespace

ReplicationTable table_of(const learn::Replications& found) {
  ReplicationTable table;
  table.replications = found.runs.size();
  for (const learn::Record& record : found.records) {
    table.iterations.push_back(static_cast<std::int64_t>(record.iteration));
    add(table.to_projected_value, record.to_projected_value);
    add(table.to_fixed_point, record.to_fixed_point);
    table.first_component.add(record.first_component);
    table.diverged.push_back(static_cast<std::int64_t>(record.diverged));
    table.singular.push_back(static_cast<std::int64_t>(record.singular));
  }
  for (const learn::Replication& run : found.runs) {
    table.theta.insert(table.theta.end(), run.theta.begin(), run.theta.end());
  }
  return table;
}

void bind_replication_table(py::module_& core) {
  bind_curve(core);
  bind_table(core);
}

namespace {

/// A state, or a distribution over the states.
using StartArgument = std::variant<std::int64_t, Doubles>;
using StartRule = std::variant<learn::StartAt<StateIndex>, learn::StartLaw>;

StartRule start_of(const StartArgument& argument, std::size_t states) {
  if (const auto* x = std::get_if<std::int64_t>(&argument)) {
    if (*x >= 0 && static_cast<std::uint64_t>(*x) < states) {
      return learn::StartAt{static_cast<StateIndex>(*x)};
    }
    throw InvalidInput(fmt::format("start in state {}; accepted: 0 to {}", *x, states - 1));
  }
  const auto law = vector_span(std::get<Doubles>(argument), "start");
  if (law.size() == states) return learn::StartLaw(law);
  throw InvalidInput(fmt::format("start has {} probabilities; accepted: one for each of {} states",
                                 law.size(), states));
}

features::Dense features_of(const Doubles& phi, const Chain& chain) {
  check_dimensions(phi, 2, "phi");
  require(static_cast<std::size_t>(phi.shape(0)) == chain.states(),
          "phi has {} rows; accepted: one for each of {} states", phi.shape(0), chain.states());
  const auto entries = span_of(phi);
  return features::Dense({entries.begin(), entries.end()}, static_cast<std::size_t>(phi.shape(1)));
}

/// One number per state; empty if nothing is given.
std::vector<double> by_state(const std::optional<Doubles>& array, const Chain& chain,
                             const char* name) {
  if (!array) return {};
  const auto numbers = vector_span(*array, name);
  if (numbers.size() == chain.states()) return {numbers.begin(), numbers.end()};
  throw InvalidInput(fmt::format("{} has {} entries; accepted: one for each of {} states", name,
                                 numbers.size(), chain.states()));
}

std::vector<std::uint64_t> record_points(const Integers& iterations) {
  std::vector<std::uint64_t> points;
  for (const std::int64_t n : vector_span(iterations, "record_at")) {
    require(n >= 0, "iteration {}; accepted: 0 or more", n);
    points.push_back(static_cast<std::uint64_t>(n));
  }
  return points;
}

/// The default weights of distances.
std::vector<double> default_weights(const Chain& chain) {
  const Ergodicity found = check_ergodicity(chain);
  require(found.is_irreducible(),
          "q is missing, and the chain has no stationary law: {}; accepted: a weight per state",
          found.message());
  return stationary_law(chain).probability;
}

struct Experiment {
  PyLearner learner;  ///< a copy, because another thread may use the original
  const Chain& chain;
  StartRule start;
  learn::ErrorMetric metric;
  learn::RunnerOptions options;
  int threads;
};

ReplicationTable run(Experiment& experiment) {
  const bool measures =
      !experiment.metric.projected_value.empty() || !experiment.metric.fixed_point.empty();
  return interruptible([&](const Monitor& monitor) {
    if (experiment.metric.q.empty()) {
      experiment.metric.q = measures ? default_weights(experiment.chain)
                                     : std::vector<double>(experiment.chain.states());
    }
    const ChainSampler sampler(experiment.chain);
    return std::visit(
        [&](const auto& start) {
          return table_of(learn::run_replications(
              experiment.learner.learner, learn::Simulation{sampler, experiment.metric.phi, start},
              experiment.metric, experiment.options,
              {.threads = experiment.threads, .monitor = monitor}));
        },
        experiment.start);
  });
}

ReplicationTable replicate(const PyLearner& learner, const Chain& chain, const Doubles& phi,
                           const std::optional<Doubles>& q,
                           const std::optional<Doubles>& projected_value,
                           const std::optional<Doubles>& fixed_point, std::size_t replications,
                           std::uint64_t seed, const StartArgument& start,
                           const std::optional<Integers>& record_at, int threads) {
  Experiment experiment{
      .learner = learner,
      .chain = chain,
      .start = start_of(start, chain.states()),
      .metric = {.phi = features_of(phi, chain),
                 .q = by_state(q, chain, "q"),
                 .projected_value = by_state(projected_value, chain, "projected_value"),
                 .fixed_point = by_state(fixed_point, chain, "fixed_point")},
      .options = {.replications = replications, .seed = seed},
      .threads = threads};
  if (record_at) experiment.options.record_at = record_points(*record_at);
  return run(experiment);
}

}  // namespace

void bind_replications(py::module_& core) {
  bind_replication_table(core);
  const learn::RunnerOptions defaults;
  core.def("replicate", &replicate, py::arg("learner"), py::arg("chain"), py::arg("phi"),
           py::kw_only(), py::arg("q") = py::none(), py::arg("projected_value") = py::none(),
           py::arg("fixed_point") = py::none(), py::arg("replications") = defaults.replications,
           py::arg("seed") = defaults.seed, py::arg("start") = 0, py::arg("record_at") = py::none(),
           py::arg("threads") = Execution{}.threads, R"doc(
Runs copies of a learner in parallel along trajectories of a chain and measures their distance to
`projected_value` and `fixed_point`, which are values by state: mean, standard error and median over
the copies. Distances are in the norm weighted by `q`, by default the stationary law.

A trajectory starts, and restarts after a terminal state, in the state `start`, or in a state drawn
from the distribution `start`. `record_at` lists the iterations to record, by default ten per decade
up to a million. The same seed gives the same bytes for any number of threads (0: all cores).

Examples
--------
>>> drawn = sf.library.random_mdp(features=4, seed=1)
>>> chain = drawn.model.under_policy(drawn.policy)
>>> q = sf.theory.stationary_law(chain).probability
>>> field = sf.theory.MeanField(chain, "expectile:0.6", 0.5, drawn.features, q)
>>> goal = drawn.features @ sf.theory.projected_fixed_point(field).theta
>>> found = sf.replicate(sf.Td(4, "expectile:0.6", 0.5), chain, drawn.features, fixed_point=goal,
...                      replications=5, record_at=[100, 10_000])
>>> bool(found.to_fixed_point.mean[1] < found.to_fixed_point.mean[0])
True
>>> found.theta.shape
(5, 4)
)doc");
}

}  // namespace shortfall::python
