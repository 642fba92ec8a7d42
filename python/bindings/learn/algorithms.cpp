#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

#include "bindings/arrays.hpp"
#include "bindings/callbacks.hpp"
#include "bindings/learn/learners.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "errors/require.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"

namespace shortfall::python {
namespace {

using learn::AnyStep;

std::string repr(const PyLearner& self, std::string_view name) {
  return fmt::format("{}({} weights, {}, gamma {}: {} updates, {})", name, self.learner.dimension(),
                     self.options.loss.to_string(), self.options.gamma, self.learner.updates(),
                     learn::to_string(self.learner.status()));
}

/// The options of a learner and what it has learned.
py::tuple state_of(const PyLearner& self) {
  const PyLearner::Use use(self);
  const learn::LearnerOptions& options = self.options;
  io::StateWriter learned;
  learn::AnyLearner(self.learner).archive(learned);
  return py::make_tuple(self.learner.dimension(), static_cast<int>(options.algorithm), options.loss,
                        options.gamma, options.lambda, options.step.to_string(),
                        options.average_from.has_value(), options.average_from.value_or(0),
                        options.newton.warmup.value_or(0),
                        options.newton.refactor_every.value_or(0),
                        options.newton.variant == learn::NewtonVariant::as_published,
                        options.half_life, py::bytes(learned.bytes()));
}

template <class L>
L from_state(const py::tuple& state) {
  require(state.size() == 13 && state[1].cast<int>() == static_cast<int>(L::algorithm),
          "not the state of a learner of this class");
  const learn::LearnerOptions options{
      .algorithm = L::algorithm,
      .loss = state[2].cast<AnyLoss>(),
      .gamma = state[3].cast<double>(),
      .lambda = state[4].cast<double>(),
      .step = AnyStep::parse(state[5].cast<std::string>()),
      .average_from =
          state[6].cast<bool>() ? std::optional(state[7].cast<std::uint64_t>()) : std::nullopt,
      .newton = newton_options(state[8].cast<std::uint64_t>(), state[9].cast<std::uint64_t>(),
                               state[10].cast<bool>()),
      .half_life = state[11].cast<std::optional<double>>()};
  L learner(state[0].cast<std::size_t>(), options);
  const auto bytes = state[12].cast<std::string>();
  io::StateReader learned("the pickle", bytes);
  learner.learner.archive(learned);
  learned.finish();
  return learner;
}

template <class L>
py::class_<L, PyLearner> bind_algorithm(py::module_& core, const char* name, const char* doc) {
  py::class_<L, PyLearner> type(core, name, doc);
  type.def("__repr__", [name](const L& self) { return repr(self, name); });
  define_pickling(
      type, [](const L& self) { return state_of(self); }, &from_state<L>);
  return type;
}

void bind_td(py::module_& core) {
  bind_algorithm<PyTd>(core, "Td", R"doc(
UBSR-TD: temporal-difference learning with the loss applied to the error,
theta += eta_n phi loss(cost + gamma phi_next @ theta - phi @ theta).

The default step, "scaled", knows the scale of the features and the slopes of the loss: there is
nothing to tune. theta is then the mean of the last half of the iterates, and the status is
not-settled until values hold still: until `movement`, the share of the largest value by which they
may be off, is at most 0.02. A learner that has diverged has no values: `value` raises InvalidInput.

Other steps are (b1, b2, delta) for eta_n = b1 / (n + b2)**delta, as (2, 100, 2/3) in the paper, or a
number for a constant step; theta is then the last iterate, and is not judged. With `average_from`,
it is the mean of all iterates after that many updates. With `forget`, a half-life in updates, steps
no longer decrease after forget / ln 2 updates, and averages forget.

Examples
--------
>>> td = sf.Td(2, "expectile:0.9", gamma=0.9)
>>> td.update([1.0, 0.0], 1.0, [0.0, 1.0])
'not-settled'
>>> td
Td(2 weights, expectile:0.9, gamma 0.9: 1 updates, not-settled)
)doc")
      .def(py::init([](std::size_t dimension, const LossArgument& loss, double gamma,
                       const StepArgument& step, std::optional<std::uint64_t> average_from,
                       std::optional<double> forget) {
             return new PyTd(dimension, {.algorithm = PyTd::algorithm,
                                         .loss = loss.loss,
                                         .gamma = gamma,
                                         .step = step_of(step),
                                         .average_from = average_from,
                                         .half_life = forget});
           }),
           py::arg("dimension"), py::arg("loss"), py::arg("gamma"), py::kw_only(),
           py::arg("step") = default_step(), py::arg("average_from") = py::none(),
           py::arg("forget") = py::none());
  bind_algorithm<PyTdLambda>(core, "TdLambda", R"doc(
UBSR-TD(lambda): a trace spreads each update over the states visited before,
zeta = gamma lambda_ zeta + phi, theta += eta_n zeta loss(...). At lambda_ = 0 it is Td.
)doc")
      .def(py::init([](std::size_t dimension, const LossArgument& loss, double gamma, double lambda,
                       const StepArgument& step, std::optional<std::uint64_t> average_from,
                       std::optional<double> forget) {
             return new PyTdLambda(dimension, {.algorithm = PyTdLambda::algorithm,
                                               .loss = loss.loss,
                                               .gamma = gamma,
                                               .lambda = lambda,
                                               .step = step_of(step),
                                               .average_from = average_from,
                                               .half_life = forget});
           }),
           py::arg("dimension"), py::arg("loss"), py::arg("gamma"), py::kw_only(),
           py::arg("lambda_") = 0.5, py::arg("step") = default_step(),
           py::arg("average_from") = py::none(), py::arg("forget") = py::none());
}

/// What Newton's methods have in common.
template <class Class>
void add_information(Class& type) {
  using L = typename Class::type;
  type.def_property_readonly("warmup",
                             [](const L& self) { return self.learner.information()->warmup(); })
      .def_property_readonly(
          "inversions", [](const L& self) { return self.learner.information()->inversions(); },
          "How often the matrix was inverted from scratch.")
      .def_property_readonly(
          "distance_to_singularity",
          [](const L& self) { return self.learner.information()->distance_to_singularity(); },
          "Of the matrix, at the last inversion: at most about 1; 0 before the first inversion.");
}

void bind_newton(py::module_& core) {
  auto type = bind_algorithm<PyNewton>(core, "Newton", R"doc(
UBSR-Newton: a second-order method without step sizes, O(d^2) per update.

The first `warmup` samples do not change the weights (0: 500, or 10 times the dimension). Every
`refactor_every` updates (0: 64 times the dimension) the matrix is inverted from scratch.

Early samples fade, because they were taken at weights that were far off. With `as_published`, they
count for ever, as in the paper; there are no intervals then. With `forget`, a half-life in
updates, all samples are forgotten at that rate.

Examples
--------
>>> newton = sf.Newton(1, "mean", gamma=0.5, warmup=2)
>>> for cost in (1.0, 3.0, 2.0): status = newton.update([1.0], cost, [1.0])
>>> round(newton.value([1.0]), 9)  # cost 2 per step, discounted by 1/2
4.0
)doc");
  type.def(py::init([](std::size_t dimension, const LossArgument& loss, double gamma,
                       std::uint64_t warmup, std::uint64_t refactor_every, bool as_published,
                       std::optional<double> forget) {
             return new PyNewton(dimension,
                                 {.algorithm = PyNewton::algorithm,
                                  .loss = loss.loss,
                                  .gamma = gamma,
                                  .newton = newton_options(warmup, refactor_every, as_published),
                                  .half_life = forget});
           }),
           py::arg("dimension"), py::arg("loss"), py::arg("gamma"), py::kw_only(),
           py::arg("warmup") = 0, py::arg("refactor_every") = 0, py::arg("as_published") = false,
           py::arg("forget") = py::none());
  add_information(type);
}

void bind_averager_td(py::module_& core) {
  bind_algorithm<PyAveragerTd>(core, "AveragerTd", R"doc(
Averager TD: every active feature has an error of its own,
theta[i] += eta_n phi[i] loss(cost + gamma phi_next @ theta - theta[i]).

For features that are nonnegative and sum to at most 1, as those of shortfall.features. It converges
for every loss and every gamma < 1; others are refused. If one feature is 1 and the others 0, it is
Td. The arguments are those of Td. With sparse features an update takes a time that depends on the
active ones alone.

Examples
--------
>>> td = sf.AveragerTd(2, "mean", gamma=0.5, step=1.0)
>>> td.update([0.25, 0.75], 8.0, [0.0, 1.0])
'ok'
>>> td.theta
array([2., 6.])
>>> td.update([0.5, 0.75], 8.0, [0.0, 1.0])
Traceback (most recent call last):
    ...
shortfall._core.InvalidInput: features sum to 1.25, the largest is feature 2: 0.75; accepted by
averagers: features >= 0 that sum to at most 1
)doc")
      .def(py::init([](std::size_t dimension, const LossArgument& loss, double gamma,
                       const StepArgument& step, std::optional<std::uint64_t> average_from,
                       std::optional<double> forget) {
             return new PyAveragerTd(dimension, {.algorithm = PyAveragerTd::algorithm,
                                                 .loss = loss.loss,
                                                 .gamma = gamma,
                                                 .step = step_of(step),
                                                 .average_from = average_from,
                                                 .half_life = forget});
           }),
           py::arg("dimension"), py::arg("loss"), py::arg("gamma"), py::kw_only(),
           py::arg("step") = default_step(), py::arg("average_from") = py::none(),
           py::arg("forget") = py::none());
}

void bind_averager_newton(py::module_& core) {
  auto type = bind_algorithm<PyAveragerNewton>(core, "AveragerNewton", R"doc(
Averager Newton: a second-order method for the limit of AveragerTd, without step sizes, O(d^2) per
active feature. Its matrix has an inverse for every loss and gamma < 1. Features that have not
occurred keep their initial weight. The arguments are those of Newton.

Examples
--------
>>> newton = sf.AveragerNewton(2, "mean", gamma=0.5, warmup=2)
>>> for cost in (1.0, 3.0, 2.0): status = newton.update([1.0, 0.0], cost, [1.0, 0.0])
>>> newton.theta.round(9)
array([4., 0.])
)doc");
  type.def(py::init([](std::size_t dimension, const LossArgument& loss, double gamma,
                       std::uint64_t warmup, std::uint64_t refactor_every,
                       std::optional<double> forget) {
             return new PyAveragerNewton(dimension,
                                         {.algorithm = PyAveragerNewton::algorithm,
                                          .loss = loss.loss,
                                          .gamma = gamma,
                                          .newton = newton_options(warmup, refactor_every, false),
                                          .half_life = forget});
           }),
           py::arg("dimension"), py::arg("loss"), py::arg("gamma"), py::kw_only(),
           py::arg("warmup") = 0, py::arg("refactor_every") = 0, py::arg("forget") = py::none());
  add_information(type);
}

}  // namespace

learn::AnyStep step_of(const StepArgument& step) {
  if (const auto* eta = std::get_if<double>(&step)) return learn::ConstantStep(*eta);
  if (const auto* text = std::get_if<std::string>(&step)) return learn::AnyStep::parse(*text);
  const auto [b1, b2, delta] = std::get<std::tuple<double, double, double>>(step);
  return learn::PolynomialStep(b1, b2, delta);
}

StepArgument default_step() {
  return learn::AnyStep().to_string();
}

learn::NewtonOptions newton_options(std::uint64_t warmup, std::uint64_t refactor_every,
                                    bool as_published) {
  const auto given = [](std::uint64_t n) { return n > 0 ? std::optional(n) : std::nullopt; };
  return {
      .warmup = given(warmup),
      .refactor_every = given(refactor_every),
      .variant = as_published ? learn::NewtonVariant::as_published : learn::NewtonVariant::renewed};
}

void bind_algorithms(py::module_& core) {
  bind_td(core);
  bind_newton(core);
  bind_averager_td(core);
  bind_averager_newton(core);
}

}  // namespace shortfall::python
