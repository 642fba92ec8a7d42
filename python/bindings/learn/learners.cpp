#include "bindings/learn/learners.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/learn/features.hpp"

namespace shortfall::python {
namespace {

using learn::Algorithm;
using learn::LearnerStatus;

/// The names of all statuses as Python strings, created once because every update returns one.
py::handle name_of(LearnerStatus status) {
  static const std::array names = [] {
    std::array<PyObject*, 4> made{};
    for (const auto& [name, each] : learn::status_names) {
      made.at(static_cast<std::size_t>(each)) =
          PyUnicode_InternFromString(std::string(name).c_str());
    }
    return made;
  }();
  return names[static_cast<std::size_t>(status)];
}

py::object status_name(LearnerStatus status) {
  return py::reinterpret_borrow<py::object>(name_of(status));
}

py::object update(PyLearner& self, py::handle phi, double cost, py::handle phi_next) {
  const Features now(phi);
  const Features next(phi_next);
  const PyLearner::Use use(self);
  return status_name(self.learner.update(now, cost, next));
}

py::object update_terminal(PyLearner& self, py::handle phi, double cost) {
  const Features now(phi);
  const PyLearner::Use use(self);
  return status_name(self.learner.update_terminal(now, cost));
}

void check_rows(const Doubles& phi, std::size_t count, std::size_t dimension, const char* name) {
  const bool fits = phi.ndim() == 2 && static_cast<std::size_t>(phi.shape(0)) == count &&
                    static_cast<std::size_t>(phi.shape(1)) == dimension;
  if (fits) return;
  throw InvalidInput(fmt::format(
      "{} has shape {}; accepted: ({}, {}), one row per cost and one column per "
      "weight",
      name, py::str(py::object(phi.attr("shape"))).cast<std::string>(), count, dimension));
}

/// About ten milliseconds of updates. The work of one is proportional to d, or d² for Newton.
constexpr std::size_t work_between_checks = std::size_t{1} << 24;

/// Runs in pieces, so that Ctrl-C is noticed. The size of the pieces does not change the result.
py::object update_many(PyLearner& self, const Doubles& phi, const Doubles& cost,
                       const Doubles& phi_next, const std::optional<Flags>& terminal) {
  const std::size_t d = self.learner.dimension();
  const auto costs = vector_span(cost, "cost");
  check_rows(phi, costs.size(), d, "phi");
  check_rows(phi_next, costs.size(), d, "phi_next");
  std::span<const std::uint8_t> ends;
  if (terminal) {
    const auto flags = vector_span(*terminal, "terminal");
    ends = {reinterpret_cast<const std::uint8_t*>(flags.data()), flags.size()};
    if (ends.size() != costs.size()) {
      throw InvalidInput(fmt::format("terminal has {} entries for {} costs; accepted: one per cost",
                                     ends.size(), costs.size()));
    }
  }
  const learn::Transitions all{span_of(phi), costs, span_of(phi_next), ends};
  const std::size_t work = self.options.algorithm == Algorithm::newton ? d * d : d;
  const std::size_t piece = std::max<std::size_t>(1, work_between_checks / work);
  const PyLearner::Use use(self);
  const Unfinished unfinished;
  for (std::size_t begin = 0; begin < costs.size(); begin += piece) {
    const std::size_t count = std::min(piece, costs.size() - begin);
    {
      const py::gil_scoped_release without_interpreter;
      (void)self.learner.update_many({.phi = all.phi.subspan(begin * d, count * d),
                                      .cost = costs.subspan(begin, count),
                                      .phi_next = all.phi_next.subspan(begin * d, count * d),
                                      .terminal = ends.empty() ? ends : ends.subspan(begin, count),
                                      .first = begin});
    }
    if (self.learner.status() == LearnerStatus::diverged) break;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    Unfinished::check();
  }
  return status_name(self.learner.status());
}

/// φᵀθ for one state, or for each row.
py::object value(const PyLearner& self, const Doubles& phi) {
  const PyLearner::Use use(self);
  if (phi.ndim() == 1) return py::float_(self.learner.value(span_of(phi)));
  const auto d = static_cast<py::ssize_t>(self.learner.dimension());
  if (phi.ndim() != 2 || phi.shape(1) != d) {
    throw InvalidInput(fmt::format("phi has shape {}; accepted: ({},) or (n, {})",
                                   py::str(py::object(phi.attr("shape"))).cast<std::string>(), d,
                                   d));
  }
  py::array_t<double> values(phi.shape(0));
  for (py::ssize_t i = 0; i < phi.shape(0); ++i) {
    values.mutable_at(i) = self.learner.value(
        span_of(phi).subspan(static_cast<std::size_t>(i * d), static_cast<std::size_t>(d)));
  }
  return values;
}

void start_from(PyLearner& self, const Doubles& theta) {
  const PyLearner::Use use(self);
  self.learner.start_from(vector_span(theta, "theta"));
}

void start_episode(PyLearner& self) {
  const PyLearner::Use use(self);
  self.learner.start_episode();
}

void bind_base(py::module_& core) {
  py::class_<PyLearner>(core, "Learner", R"doc(
Online policy evaluation with linear features: the value of a state is phi @ theta.

Td, TdLambda and Newton are learners. They can be copied and pickled with everything they have
learned.
)doc")
      .def("update", &update, py::arg("phi"), py::arg("cost"), py::arg("phi_next"), R"doc(
Learns from one transition and returns the status: ok, warming-up, singular or diverged.
)doc")
      .def("update_terminal", &update_terminal, py::arg("phi"), py::arg("cost"),
           "Learns from the last transition of an episode, after which there are no more costs.")
      .def("update_many", &update_many, py::arg("phi"), py::arg("cost"), py::arg("phi_next"),
           py::arg("terminal") = py::none(), R"doc(
Learns from many transitions, with the same result as single updates. Row i of `phi` and `phi_next`
and entry i of `cost` are one transition. If terminal[i] is true, row i of `phi_next` is ignored.
Stops if the learner diverges. Contiguous arrays of doubles are not copied: for a path of features
F, update_many(F[:-1], cost, F[1:]) copies nothing.

Examples
--------
>>> td = sf.Td(1, "mean", gamma=0.0, step=0.5)
>>> td.update_many(np.ones((2, 1)), [1.0, 2.0], np.ones((2, 1)))
'ok'
>>> td.theta
array([1.25])
)doc")
      .def("start_episode", &start_episode,
           "Declares that the next transition does not continue the last one.")
      .def("start_from", &start_from, py::arg("theta"),
           "Sets the initial weights; only before the first update.")
      .def("value", &value, py::arg("phi"), "phi @ theta, for one state or for each row.")
      .def_property_readonly(
          "theta",
          [](const py::object& self) {
            return view(self.cast<PyLearner&>().learner.theta(), self);
          },
          R"doc(
The weights, as a read-only view of the learner's memory that changes with every update. Use
theta.copy() to keep the current weights.
)doc")
      .def_property_readonly("dimension",
                             [](const PyLearner& self) { return self.learner.dimension(); })
      .def_property_readonly(
          "updates", [](const PyLearner& self) { return self.learner.updates(); },
          "Number of transitions learned from.")
      .def_property_readonly(
          "status", [](const PyLearner& self) { return status_name(self.learner.status()); },
          "ok, warming-up, singular or diverged.")
      .def_property_readonly("loss", [](const PyLearner& self) { return self.options.loss; })
      .def_property_readonly("gamma", [](const PyLearner& self) { return self.options.gamma; });
}

}  // namespace

void bind_learners(py::module_& core) {
  bind_base(core);
  bind_algorithms(core);
}

}  // namespace shortfall::python
