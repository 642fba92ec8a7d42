#include "learn/learners.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "learn/features.hpp"
#include "risk/loss_argument.hpp"
#include "shortfall/io/checkpoint.hpp"

namespace shortfall::python {
namespace {

using learn::Algorithm;
using learn::AnyStep;
using learn::Status;

/// The words of all statuses as Python strings made once: an update returns one of them.
py::handle word_of(Status status) {
  static const std::array words = [] {
    std::array<PyObject*, 4> made{};
    for (const Status each : {Status::ok, Status::warming_up, Status::singular, Status::diverged}) {
      const std::string word(learn::to_string(each));
      made.at(static_cast<std::size_t>(each)) = PyUnicode_InternFromString(word.c_str());
    }
    return made;
  }();
  return words[static_cast<std::size_t>(status)];
}

py::object new_word(Status status) {
  return py::reinterpret_borrow<py::object>(word_of(status));
}

py::object update(PyLearner& self, py::handle phi, double cost, py::handle phi_next) {
  const Features now(phi);
  const Features next(phi_next);
  const PyLearner::Use use(self);
  return new_word(self.learner.update(now, cost, next));
}

py::object update_terminal(PyLearner& self, py::handle phi, double cost) {
  const Features now(phi);
  const PyLearner::Use use(self);
  return new_word(self.learner.update_terminal(now, cost));
}

void check_rows(const Doubles& phi, std::size_t count, std::size_t dimension, const char* name) {
  const bool fits = phi.ndim() == 2 && static_cast<std::size_t>(phi.shape(0)) == count &&
                    static_cast<std::size_t>(phi.shape(1)) == dimension;
  if (fits) return;
  throw InvalidInput(fmt::format(
      "{} has shape {}; accepted: ({}, {}), a row for each cost and a column for each "
      "weight",
      name, py::str(py::object(phi.attr("shape"))).cast<std::string>(), count, dimension));
}

/// Some ten milliseconds of updates: what one takes is proportional to d, or d² for Newton.
constexpr std::size_t work_between_looks = std::size_t{1} << 24;

/// In pieces, so that Ctrl-C is heard; where the cuts are changes nothing.
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
      throw InvalidInput(fmt::format("{} marks of the end for {} costs; accepted: one for each",
                                     ends.size(), costs.size()));
    }
  }
  const learn::Transitions all{span_of(phi), costs, span_of(phi_next), ends};
  const std::size_t work = self.options.algorithm == Algorithm::newton ? d * d : d;
  const std::size_t piece = std::max<std::size_t>(1, work_between_looks / work);
  const PyLearner::Use use(self);
  for (std::size_t begin = 0; begin < costs.size(); begin += piece) {
    const std::size_t count = std::min(piece, costs.size() - begin);
    {
      const py::gil_scoped_release without_interpreter;
      (void)self.learner.update_many(
          {.phi = all.phi.subspan(begin * d, count * d),
           .cost = costs.subspan(begin, count),
           .phi_next = all.phi_next.subspan(begin * d, count * d),
           .terminal = ends.empty() ? ends : ends.subspan(begin, count)});
    }
    if (self.learner.status() == Status::diverged) break;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return new_word(self.learner.status());
}

/// φᵀθ: of one state, or of each row.
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

std::string repr(const PyLearner& self, std::string_view name) {
  return fmt::format("{}({} weights, {}, gamma {}: {} updates, {})", name, self.learner.dimension(),
                     self.options.loss.word(), self.options.gamma, self.learner.updates(),
                     learn::to_string(self.learner.status()));
}

/// A constant, (b1, b2, delta), or the word of either.
using StepArgument = std::variant<double, std::tuple<double, double, double>, std::string>;

AnyStep step_of(const StepArgument& step) {
  if (const auto* eta = std::get_if<double>(&step)) return learn::ConstantStep(*eta);
  if (const auto* word = std::get_if<std::string>(&step)) return AnyStep::parse(*word);
  const auto [b1, b2, delta] = std::get<std::tuple<double, double, double>>(step);
  return learn::PolynomialStep(b1, b2, delta);
}

StepArgument default_step() {
  const learn::PolynomialStep step;
  return std::tuple(step.b1(), step.b2(), step.delta());
}

/// What makes the same learner again, and what it has learned.
py::tuple state_of(const PyLearner& self) {
  const PyLearner::Use use(self);
  const learn::LearnerOptions& options = self.options;
  io::StateWriter learned;
  const_cast<PyLearner&>(self).learner.archive(learned);  // writes only to `learned`
  return py::make_tuple(self.learner.dimension(), static_cast<int>(options.algorithm), options.loss,
                        options.gamma, options.lambda, options.step.word(), options.averaged,
                        options.average_from, options.newton.warmup, options.newton.refactor_every,
                        py::bytes(learned.bytes()));
}

template <class L>
L from_state(const py::tuple& state) {
  if (state.size() != 11) throw InvalidInput("this is not the state of a learner");
  const learn::LearnerOptions options{
      .algorithm = static_cast<Algorithm>(state[1].cast<int>()),
      .loss = state[2].cast<AnyLoss>(),
      .gamma = state[3].cast<double>(),
      .lambda = state[4].cast<double>(),
      .step = AnyStep::parse(state[5].cast<std::string>()),
      .averaged = state[6].cast<bool>(),
      .average_from = state[7].cast<std::uint64_t>(),
      .newton = {state[8].cast<std::uint64_t>(), state[9].cast<std::uint64_t>()}};
  L learner(state[0].cast<std::size_t>(), options);
  const auto bytes = state[10].cast<std::string>();
  io::StateReader learned("the pickle", bytes);
  learner.learner.archive(learned);
  learned.finish();
  return learner;
}

template <class L>
py::class_<L, PyLearner> bind_algorithm(py::module_& core, const char* name, const char* doc) {
  return py::class_<L, PyLearner>(core, name, doc)
      .def("__repr__", [name](const L& self) { return repr(self, name); })
      .def("__copy__", [](const L& self) { return L(self); })
      .def("__deepcopy__", [](const L& self, const py::dict&) { return L(self); })
      .def(py::pickle([](const L& self) { return state_of(self); }, &from_state<L>));
}

void bind_base(py::module_& core) {
  py::class_<PyLearner>(core, "Learner", R"doc(
Online policy evaluation with linear features: the value of a state is phi @ theta.

Td, TdLambda and Newton are learners. They can be copied and pickled, with all they have learned.
)doc")
      .def("update", &update, py::arg("phi"), py::arg("cost"), py::arg("phi_next"), R"doc(
Learns from one transition, and returns the status: ok, warming-up, singular or diverged.
)doc")
      .def("update_terminal", &update_terminal, py::arg("phi"), py::arg("cost"),
           "Learns from the last transition of an episode, after which nothing more is paid.")
      .def("update_many", &update_many, py::arg("phi"), py::arg("cost"), py::arg("phi_next"),
           py::arg("terminal") = py::none(), R"doc(
The same as one update after the other, without the interpreter: row i of `phi` and `phi_next` and
entry i of `cost` are a transition. Where terminal[i], its row of `phi_next` is not looked at. Stops
where it diverges. Arrays of doubles that are contiguous are not copied; with a path of features F,
update_many(F[:-1], cost, F[1:]) copies nothing.

Examples
--------
>>> td = sf.Td(1, "mean", gamma=0.0, step=0.5)
>>> td.update_many(np.ones((2, 1)), [1.0, 2.0], np.ones((2, 1)))
'ok'
>>> td.theta
array([1.25])
)doc")
      .def("start_episode", &start_episode, "The next transition does not follow on the last.")
      .def("start_from", &start_from, py::arg("theta"),
           "Begins from other weights than zero; before the first update only.")
      .def("value", &value, py::arg("phi"), "phi @ theta: of one state, or of each row.")
      .def_property_readonly(
          "theta",
          [](py::object self) { return view(self.cast<PyLearner&>().learner.theta(), self); },
          R"doc(
The weights: the learner's own memory, read-only, which changes with every update. Use
theta.copy() for what they are now.
)doc")
      .def_property_readonly("dimension",
                             [](const PyLearner& self) { return self.learner.dimension(); })
      .def_property_readonly(
          "updates", [](const PyLearner& self) { return self.learner.updates(); },
          "Transitions learned from.")
      .def_property_readonly(
          "status", [](const PyLearner& self) { return new_word(self.learner.status()); },
          "ok, warming-up, singular or diverged.")
      .def_property_readonly("loss", [](const PyLearner& self) { return self.options.loss; })
      .def_property_readonly("gamma", [](const PyLearner& self) { return self.options.gamma; });
}

void bind_td(py::module_& core) {
  bind_algorithm<PyTd>(core, "Td", R"doc(
UBSR-TD: temporal-difference learning with the loss around its error,
theta += eta_n phi loss(cost + gamma phi_next @ theta - phi @ theta).

`step` is (b1, b2, delta) for eta_n = b1 / (n + b2)**delta, or a number for a constant. With
`average_from`, theta is the mean of the iterates after so many updates.

Examples
--------
>>> td = sf.Td(2, "expectile:0.9", gamma=0.9)
>>> td.update([1.0, 0.0], 1.0, [0.0, 1.0])
'ok'
>>> td
Td(2 weights, expectile:0.9, gamma 0.9: 1 updates, ok)
)doc")
      .def(py::init([](std::size_t dimension, const LossArgument& loss, double gamma,
                       const StepArgument& step, std::optional<std::uint64_t> average_from) {
             return new PyTd(dimension, {.algorithm = Algorithm::td,
                                         .loss = loss.loss,
                                         .gamma = gamma,
                                         .step = step_of(step),
                                         .averaged = average_from.has_value(),
                                         .average_from = average_from.value_or(0)});
           }),
           py::arg("dimension"), py::arg("loss"), py::arg("gamma"), py::kw_only(),
           py::arg("step") = default_step(), py::arg("average_from") = py::none());
  bind_algorithm<PyTdLambda>(core, "TdLambda", R"doc(
UBSR-TD(lambda): the update is spread over the states visited before by a trace,
zeta = gamma lambda_ zeta + phi, theta += eta_n zeta loss(...). At lambda_ = 0 it is Td.
)doc")
      .def(py::init([](std::size_t dimension, const LossArgument& loss, double gamma, double lambda,
                       const StepArgument& step, std::optional<std::uint64_t> average_from) {
             return new PyTdLambda(dimension, {.algorithm = Algorithm::td_lambda,
                                               .loss = loss.loss,
                                               .gamma = gamma,
                                               .lambda = lambda,
                                               .step = step_of(step),
                                               .averaged = average_from.has_value(),
                                               .average_from = average_from.value_or(0)});
           }),
           py::arg("dimension"), py::arg("loss"), py::arg("gamma"), py::kw_only(),
           py::arg("lambda_") = 0.5, py::arg("step") = default_step(),
           py::arg("average_from") = py::none());
}

void bind_newton(py::module_& core) {
  bind_algorithm<PyNewton>(core, "Newton", R"doc(
UBSR-Newton: second order, without step sizes, in O(d^2) an update.

The first `warmup` samples change nothing yet (0: 500, or 10 times the dimension); every
`refactor_every` updates (0: 64 times the dimension) the recursion is refreshed.

Examples
--------
>>> newton = sf.Newton(1, "mean", gamma=0.5, warmup=2)
>>> for cost in (1.0, 3.0, 2.0): status = newton.update([1.0], cost, [1.0])
>>> round(newton.value([1.0]), 9)  # 2 a step, for ever, at half weight each
4.0
)doc")
      .def(py::init([](std::size_t dimension, const LossArgument& loss, double gamma,
                       std::uint64_t warmup, std::uint64_t refactor_every) {
             return new PyNewton(dimension, {.algorithm = Algorithm::newton,
                                             .loss = loss.loss,
                                             .gamma = gamma,
                                             .newton = {warmup, refactor_every}});
           }),
           py::arg("dimension"), py::arg("loss"), py::arg("gamma"), py::kw_only(),
           py::arg("warmup") = 0, py::arg("refactor_every") = 0)
      .def_property_readonly(
          "warmup", [](const PyNewton& self) { return self.learner.information()->warmup(); })
      .def_property_readonly(
          "inversions",
          [](const PyNewton& self) { return self.learner.information()->inversions(); },
          "How often its matrix was inverted from scratch.")
      .def_property_readonly(
          "distance_to_singularity",
          [](const PyNewton& self) {
            return self.learner.information()->distance_to_singularity();
          },
          "Of its matrix, at the last inversion: at most about 1; 0 before the first.");
}

}  // namespace

void bind_learners(py::module_& core) {
  bind_base(core);
  bind_td(core);
  bind_newton(core);
}

}  // namespace shortfall::python
