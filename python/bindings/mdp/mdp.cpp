#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/mdp/given_matrices.hpp"
#include "bindings/mdp/tables.hpp"
#include "shortfall/formats/model_file.hpp"
#include "shortfall/mdp/chain.hpp"

namespace shortfall::python {
namespace {

using Model = io::LoadedModel;

io::Sense sense_of(py::handle cost, py::handle reward) {
  if (cost.is_none() != reward.is_none()) {
    return cost.is_none() ? io::Sense::reward : io::Sense::cost;
  }
  throw InvalidInput(cost.is_none() ? "neither cost nor reward; accepted: one of them"
                                    : "both cost and reward; accepted: one of them");
}

Model from_matrices(const py::object& transitions, const py::object& cost,
                    const py::object& reward) {
  const io::Sense sense = sense_of(cost, reward);
  return model_of_matrices(transitions, sense == io::Sense::cost ? cost : reward, sense);
}

Model from_outcomes(const Integers& state, const Integers& action, const Integers& next_state,
                    const Doubles& probability, const std::optional<Doubles>& cost,
                    const std::optional<Doubles>& reward) {
  const io::Sense sense = sense_of(py::cast(cost), py::cast(reward));
  return model_of_columns({state, action, next_state, probability, cost ? *cost : *reward}, sense);
}

Model from_csv(const std::filesystem::path& path, int threads) {
  const py::gil_scoped_release without_interpreter;
  return io::read_model_csv(path.string(), {.threads = threads});
}

Model load(const std::filesystem::path& path, int threads) {
  const py::gil_scoped_release without_interpreter;
  return io::read_model(path.string(), {.threads = threads});
}

void save(const Model& model, const std::filesystem::path& path) {
  const py::gil_scoped_release without_interpreter;
  io::write_model(path.string(), model, io::ModelFormat::binary);
}

void to_csv(const Model& model, const std::filesystem::path& path) {
  const py::gil_scoped_release without_interpreter;
  io::write_model_csv(path.string(), model.model, model.sense);
}

std::string repr(const Model& model) {
  return fmt::format("Mdp({} states, {} state-action pairs, {} outcomes, {})", model.model.states(),
                     model.model.outcomes().rows(), model.model.outcomes().size(),
                     model.sense == io::Sense::reward ? "rewards" : "costs");
}

std::size_t checked_state(const Model& model, py::ssize_t x) {
  if (x >= 0 && static_cast<std::size_t>(x) < model.model.states()) {
    return static_cast<std::size_t>(x);
  }
  throw py::index_error(fmt::format("state {}; accepted: 0 to {}", x, model.model.states() - 1));
}

py::array_t<std::int32_t> actions(const Model& model, py::ssize_t state) {
  const std::size_t x = checked_state(model, state);
  std::vector<std::int32_t> ids;
  for (std::size_t r = model.model.state_begin()[x]; r < model.model.state_begin()[x + 1]; ++r) {
    ids.push_back(model.model.action_of_row(r) + model.model.action_base());
  }
  return copy(ids);
}

void bind_outcomes(py::module_& core) {
  py::class_<Outcomes>(core, "Outcomes", R"doc(
Distributions of (cost, next state) in compressed rows: row r has the outcomes from row_begin[r] up
to row_begin[r + 1]. The arrays are read-only views of the model.
)doc")
      .def_property_readonly(
          "row_begin",
          [](const py::object& self) { return view(self.cast<Outcomes&>().row_begin, self); })
      .def_property_readonly(
          "probability",
          [](const py::object& self) { return view(self.cast<Outcomes&>().probability, self); })
      .def_property_readonly(
          "cost", [](const py::object& self) { return view(self.cast<Outcomes&>().cost, self); })
      .def_property_readonly(
          "next", [](const py::object& self) { return view(self.cast<Outcomes&>().next, self); })
      .def("__len__", &Outcomes::size)
      .def("__repr__", [](const Outcomes& outcomes) {
        return fmt::format("Outcomes({} in {} rows)", outcomes.size(), outcomes.rows());
      });
}

void bind_model(py::module_& core) {
  py::class_<Model, std::shared_ptr<Model>>(core, "Mdp", R"doc(
A finite Markov decision process with costs or rewards on outcomes. It is immutable.

Built from matrices of transition probabilities, one per action: SciPy sparse matrices, arrays, or
one array of shape (A, N, N). `cost` or `reward` is c(x), c(x, a), or matrices like the transitions.
A row of zeros means that the state does not have the action. A state without actions is terminal.

Results for a model with rewards are rewards: larger is better.

Examples
--------
>>> stay, leave = np.eye(2), np.array([[0.0, 1.0], [1.0, 0.0]])
>>> model = sf.Mdp([stay, leave], cost=np.array([[2.0, 3.0], [1.0, 3.0]]))
>>> model
Mdp(2 states, 4 state-action pairs, 4 outcomes, costs)
>>> sf.solve(model, "mean", 0.9).values.round(6)
array([12., 10.])
)doc")
      .def(py::init(&from_matrices), py::arg("transitions"), py::kw_only(),
           py::arg("cost") = py::none(), py::arg("reward") = py::none())
      .def_static("from_outcomes", &from_outcomes, py::arg("state"), py::arg("action"),
                  py::arg("next_state"), py::arg("probability"), py::kw_only(),
                  py::arg("cost") = py::none(), py::arg("reward") = py::none(), R"doc(
One entry per outcome, in any order. Outcomes with the same ids stay separate. Ids start at 0.

Examples
--------
>>> sf.Mdp.from_outcomes([0, 0], [0, 0], [0, 1], [0.5, 0.5], cost=[1.0, 2.0])
Mdp(2 states, 1 state-action pairs, 2 outcomes, costs)
)doc")
      .def_static("from_frame", &model_of_frame, py::arg("frame"), R"doc(
From a pandas frame with the columns of the CSV: idstatefrom, idaction, idstateto, probability and
either cost or reward. Ids start at 0 or 1, whichever is the smallest in the frame.
)doc")
      .def_static("from_csv", &from_csv, py::arg("path"), py::kw_only(), py::arg("threads") = 0,
                  "From a CSV file with one row per outcome, as for the command line.")
      .def_static("load", &load, py::arg("path"), py::kw_only(), py::arg("threads") = 0, R"doc(
From a file in either format: binary, as `save` and `shortfall convert` write it, or CSV. The file's
content decides, not its name.

Examples
--------
>>> import tempfile, os
>>> model = sf.Mdp([np.eye(2)], cost=np.array([1.0, 2.0]))
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "model.bin")
...     model.save(path)
...     sf.Mdp.load(path)
Mdp(2 states, 2 state-action pairs, 2 outcomes, costs)
)doc")
      .def_static("from_gym", &model_of_gym, py::arg("P"), R"doc(
From the dictionary `env.P` of Gymnasium's toy-text environments,
{state: {action: [(probability, next_state, reward, done), ...]}}.

After `done`, there are no more rewards. A state in which every action stays, with done and without
reward, becomes a terminal state. If another state is reached with done, the model gets one
additional terminal state, its last.

Examples
--------
>>> P = {0: {0: [(0.8, 1, 1.0, True), (0.2, 0, 0.0, False)]}, 1: {0: [(1.0, 1, 0.0, True)]}}
>>> sf.solve(sf.Mdp.from_gym(P), "mean", 0.5).values.round(6)
array([0.888889, 0.      ])
)doc")
      .def("to_csv", &to_csv, py::arg("path"), "Writes a CSV file for from_csv, atomically.")
      .def("save", &save, py::arg("path"),
           "Writes a binary file for load, atomically. It loads faster than CSV, to a model "
           "with the same bits.")
      .def_property_readonly("states", [](const Model& model) { return model.model.states(); })
      .def_property_readonly(
          "sense",
          [](const Model& model) { return model.sense == io::Sense::reward ? "reward" : "cost"; },
          "'cost' or 'reward'.")
      .def_property_readonly(
          "state_base", [](const Model& model) { return model.model.state_base(); },
          "The smallest state id in messages and files. Arrays always start at 0.")
      .def_property_readonly(
          "action_base", [](const Model& model) { return model.model.action_base(); },
          "The smallest action id. Policies contain ids.")
      .def("actions", &actions, py::arg("state"),
           "The ids of a state's actions; empty if it is terminal.")
      .def(
          "is_terminal",
          [](const Model& model, py::ssize_t x) {
            return model.model.is_terminal(checked_state(model, x));
          },
          py::arg("state"))
      .def_property_readonly(
          "outcomes", [](const Model& model) { return &model.model.outcomes(); },
          py::return_value_policy::reference_internal,
          "One row per state and action, always as costs.")
      .def("under_policy", &chain_of, py::arg("policy") = py::none(), py::kw_only(),
           py::arg("induced_cost") = "averaged", R"doc(
The chain under a policy: one action id per state (-1 if terminal), an array of probabilities by
state and action, or 'uniform': all actions equally likely. None is enough if no state has a choice.
For a randomised policy, `induced_cost` decides whether the random choice adds risk: 'mixture' if it
does, 'averaged' if not.
)doc")
      .def("__repr__", &repr);
}

}  // namespace

void bind_mdp(py::module_& core) {
  bind_outcomes(core);
  bind_model(core);
  bind_chain(core);
}

}  // namespace shortfall::python
