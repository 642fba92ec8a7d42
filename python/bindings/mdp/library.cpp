#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <pcg_random.hpp>
#include <string>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "bindings/theory/eigen_arrays.hpp"
#include "bindings/theory/theory_parts.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/mdp/library.hpp"

namespace shortfall::python {
namespace {

using library::Counterexample;
using library::DeltaRoot;
using library::ForestParameters;
using library::MachineReplacementParameters;
using library::RandomMdpSize;
using library::RiverSwimParameters;

/// The library models use costs; rewards are negative costs.
io::LoadedModel in_costs(Mdp model) {
  return {std::move(model), io::Sense::cost};
}

io::LoadedModel boyan_chain(double final_cost) {
  return in_costs(library::boyan_chain(final_cost));
}

double boyan_final_cost(const LossArgument& loss) {
  return without_interpreter([&] { return library::boyan_final_cost(loss.loss); });
}

io::LoadedModel forest(std::size_t states, double wait_reward, double cut_reward,
                       double fire_probability) {
  return in_costs(library::forest({.states = states,
                                   .wait_reward = wait_reward,
                                   .cut_reward = cut_reward,
                                   .fire_probability = fire_probability}));
}

io::LoadedModel machine_replacement(std::size_t states, double replacement_cost, double wear_cost,
                                    double wear_probability) {
  return in_costs(library::machine_replacement({.states = states,
                                                .replacement_cost = replacement_cost,
                                                .wear_cost = wear_cost,
                                                .wear_probability = wear_probability}));
}

io::LoadedModel river_swim(std::size_t states, double small_reward, double large_reward) {
  return in_costs(library::river_swim(
      {.states = states, .small_reward = small_reward, .large_reward = large_reward}));
}

/// Like library::RandomMdp, but Python can share the model, which may be large.
struct RandomMdp {
  std::shared_ptr<io::LoadedModel> model;
  Policy policy;
  Eigen::MatrixXd features;
};

RandomMdp random_mdp(std::uint32_t states, std::uint32_t actions, std::uint32_t features,
                     std::uint64_t seed) {
  return without_interpreter([&]() -> RandomMdp {
    pcg64 generator(seed);
    auto drawn = library::random_mdp({.states = states, .actions = actions, .features = features},
                                     generator);
    return {std::make_shared<io::LoadedModel>(in_costs(std::move(drawn.model))),
            std::move(drawn.policy), std::move(drawn.features)};
  });
}

Counterexample counterexample(double p, const std::string& root) {
  if (root == "smaller") return library::counterexample(p, DeltaRoot::smaller);
  if (root == "larger") return library::counterexample(p, DeltaRoot::larger);
  throw InvalidInput(fmt::format("root '{}'; accepted: smaller, larger", root));
}

py::dict small_models() {
  py::dict models;
  for (auto& [name, model] : library::small_models()) {
    models[py::str(name)] = in_costs(std::move(model));
  }
  return models;
}

void bind_boyan(py::module_& library) {
  library.def("boyan_chain", &boyan_chain, py::arg("final_cost") = 2.0, R"doc(
Boyan's chain, with states 0 to 13. From s <= 11 it moves to s + 1 or s + 2 with probability 1/2
each, at cost 3. From 12 it moves to 13, where it ends, at cost `final_cost`. Without discounting
and with the final cost c = `boyan_final_cost(loss)`, its value is c (13 - s).

Examples
--------
>>> c = sf.library.boyan_final_cost("expectile:0.8")
>>> round(c, 9)
2.5
>>> chain = sf.library.boyan_chain(c).under_policy()
>>> residual = sf.theory.expected_residual(chain, "expectile:0.8", 1.0, c * (13 - np.arange(14)))
>>> bool(np.abs(residual).max() < 1e-12)
True
)doc");
  library.def("boyan_final_cost", &boyan_final_cost, py::arg("loss"),
              "The final cost for which the value of Boyan's chain is linear, in [3/2, 3]: 2 for "
              "the mean, 3 / (2 - tau) for the expectile.");
  library.def(
      "boyan_features", [] { return array_of(library::boyan_features()); }, R"doc(
14 x 4: linear interpolation between the states 0, 4, 8, 12; zeros in the terminal state. Weights
c (13, 9, 5, 1) give the linear value.
)doc");
}

void bind_forest(py::module_& library) {
  const ForestParameters defaults;
  library.def("forest", &forest, py::arg("states") = defaults.states, py::kw_only(),
              py::arg("wait_reward") = defaults.wait_reward,
              py::arg("cut_reward") = defaults.cut_reward,
              py::arg("fire_probability") = defaults.fire_probability, R"doc(
Forest management, the example of the MDP toolboxes. A forest of age 0 to states - 1 is left to grow
(action 0), and burns down with `fire_probability`, or is cut (action 1). Waiting earns
`wait_reward` at the last age. Cutting earns `cut_reward` at the last age, 0 at age 0, and 1
otherwise. Rewards are negative costs.

Examples
--------
>>> sf.solve(sf.library.forest(), "mean", 0.9).values.round(6)
array([-26.244, -29.484, -33.484])
)doc");
}

void bind_machine_replacement(py::module_& library) {
  const MachineReplacementParameters defaults;
  library.def("machine_replacement", &machine_replacement, py::arg("states") = defaults.states,
              py::kw_only(), py::arg("replacement_cost") = defaults.replacement_cost,
              py::arg("wear_cost") = defaults.wear_cost,
              py::arg("wear_probability") = defaults.wear_probability, R"doc(
Machine replacement. A machine with wear x is kept (action 0) or replaced by a new one with wear 0
(action 1). Then it runs, at cost `wear_cost` * x, and its wear increases by one with
`wear_probability`. It is optimal to replace it above some level of wear.

Examples
--------
>>> sf.solve(sf.library.machine_replacement(), "mean", 0.9).policy
array([0, 0, 0, 1, 1, 1, 1, 1, 1, 1], dtype=int32)
)doc");
}

void bind_river_swim(py::module_& library) {
  const RiverSwimParameters defaults;
  library.def("river_swim", &river_swim, py::arg("states") = defaults.states, py::kw_only(),
              py::arg("small_reward") = defaults.small_reward,
              py::arg("large_reward") = defaults.large_reward, R"doc(
RiverSwim. A swimmer moves left with the current (action 0) or right against it (action 1). The
rewards are `small_reward` for moving left at the left end, and `large_reward` for moving right at
the right end and staying there, so the cost depends on the outcome. Rewards are negative costs.

Examples
--------
>>> sf.library.river_swim()
Mdp(6 states, 12 state-action pairs, 22 outcomes, costs)
)doc");
}

void bind_random_mdp(py::module_& library) {
  py::class_<RandomMdp>(library, "RandomMdp", "The result of `random_mdp`.")
      .def_readonly("model", &RandomMdp::model)
      .def_property_readonly(
          "policy",
          [](const py::object& self) { return view(self.cast<const RandomMdp&>().policy, self); },
          "One action per state.")
      .def_property_readonly(
          "features",
          [](const py::object& self) { return view(self.cast<const RandomMdp&>().features, self); },
          "One row per state, with orthonormal columns.")
      .def("__repr__", [](const RandomMdp& drawn) {
        return fmt::format("RandomMdp({} states, {} features)", drawn.features.rows(),
                           drawn.features.cols());
      });
  const RandomMdpSize defaults;
  library.def("random_mdp", &random_mdp, py::arg("states") = defaults.states, py::kw_only(),
              py::arg("actions") = defaults.actions, py::arg("features") = defaults.features,
              py::arg("seed") = 1, R"doc(
The random model of the convergence experiments: uniform transition probabilities, rescaled; costs
normal with mean 10 and variance 100; a policy; features with orthonormal columns.

Examples
--------
>>> sf.library.random_mdp(features=3, seed=7)
RandomMdp(10 states, 3 features)
)doc");
}

void bind_counterexample(py::module_& library) {
  py::class_<Counterexample>(library, "Counterexample", "The result of `counterexample`.")
      .def_property_readonly("model",
                             [](const Counterexample& found) { return in_costs(found.model); })
      .def_property_readonly("loss",
                             [](const Counterexample& found) { return AnyLoss(found.loss); })
      .def_readonly("gamma", &Counterexample::gamma)
      .def_property_readonly(
          "features",
          [](const py::object& self) {
            return view(self.cast<const Counterexample&>().features, self);
          },
          "Two rows, one column.")
      .def("__repr__", [](const Counterexample& found) {
        return fmt::format("Counterexample({} with gamma {}, features 1 and {:.6g})",
                           AnyLoss(found.loss).to_string(), found.gamma, found.features(1, 0));
      });
  library.def("counterexample", &counterexample, py::arg("p") = 0.9, py::arg("root") = "smaller",
              R"doc(
A chain on which temporal-difference learning may miss the value, although its single feature can
represent it. It has two states without costs, and each moves to the other with probability p. The
features are 1 and delta, a root of 91 delta^2 - 891 delta + 901 ('smaller' or 'larger'). The value
is 0. With q = (1/2, 1/2), the drift is 0 for every theta >= 0 at p = 9/10, and positive for
theta > 0 at larger p.

Examples
--------
>>> sf.library.counterexample(0.9)
Counterexample(expectile:0.9090909090909091 with gamma 0.9, features 1 and 1.14516)
)doc");
}

}  // namespace

void bind_library(py::module_& core) {
  py::module_ library = core.def_submodule("library", R"doc(
Small models from the literature, most of them with known solutions. All use costs; rewards are
negative costs.
)doc");
  bind_boyan(library);
  bind_forest(library);
  bind_machine_replacement(library);
  bind_river_swim(library);
  bind_random_mdp(library);
  bind_counterexample(library);
  library.def("small_models", &small_models,
              "Instances of all models by name, with at most 50 states.");
}

}  // namespace shortfall::python
