#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "bindings/theory/eigen_arrays.hpp"
#include "bindings/theory/theory_parts.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/theory/averager_bound.hpp"
#include "shortfall/theory/averager_fixed_point.hpp"
#include "shortfall/theory/averager_steps.hpp"

namespace shortfall::python {
namespace {

using theory::AveragerBound;
using theory::AveragerBox;
using theory::AveragerFixedPoint;
using theory::AveragerOperator;

AveragerOperator averager_operator(const Chain& chain, const LossArgument& loss, double gamma,
                                   const Doubles& phi, const Doubles& q) {
  return AveragerOperator(chain, loss.loss, gamma, matrix_of(phi, "phi"), vector_span(q, "q"));
}

py::array_t<double> image(const AveragerOperator& averager, const Doubles& theta) {
  const auto at = vector_of(theta, "theta");
  return array_of(without_interpreter([&] { return averager.apply(at).value; }));
}

py::array_t<double> drift_of_averager(const AveragerOperator& averager, const Doubles& theta) {
  const auto at = vector_of(theta, "theta");
  return array_of(without_interpreter([&] { return averager.drift(at); }));
}

AveragerFixedPoint averager_fixed_point(const AveragerOperator& averager, double tolerance,
                                        int max_iterations, const std::optional<Doubles>& start) {
  theory::AveragerFixedPointOptions options{.tolerance = tolerance,
                                            .max_iterations = max_iterations};
  if (start) options.start = vector_of(*start, "start");
  return without_interpreter([&] { return theory::averager_fixed_point(averager, options); });
}

AveragerBound averager_bound(const AveragerOperator& averager, const Doubles& values) {
  return theory::averager_bound(averager, vector_of(values, "values"));
}

AveragerBox averager_box(const AveragerOperator& averager, const std::optional<Doubles>& start) {
  if (start) return theory::averager_box(averager, vector_of(*start, "start"));
  return theory::averager_box(averager, Eigen::VectorXd::Zero(averager.dimension()));
}

std::string repr(const AveragerOperator& averager) {
  return fmt::format("AveragerOperator({} with gamma {}, {} states, {} cells)",
                     averager.loss().to_string(), averager.gamma(), averager.phi().rows(),
                     averager.dimension());
}

std::string repr(const AveragerFixedPoint& found) {
  return fmt::format("AveragerFixedPoint({}, {} cells, within {}, {} iterations)",
                     to_string(found.status), found.theta.size(), bound_text(found.error_bound),
                     found.iterations);
}

void bind_operator(py::module_& theory) {
  py::class_<AveragerOperator>(theory, "AveragerOperator", R"doc(
K, whose fixed point is the limit of averager TD. For features that are nonnegative and sum to at
most 1 in every state, with states drawn from a distribution q,

    (K theta)_i = risk of cost + gamma phi(X')' theta, for transitions from cell i,

where transitions from x count with weight q(x) phi_i(x). K is a contraction of modulus gamma in the
sup norm, for every loss, every gamma below 1 and every q. A cell that is never visited keeps its
weight. A terminal state has value 0, whatever its row of phi contains.

Examples
--------
>>> found = sf.library.counterexample(0.95)
>>> phi = found.features / found.features.max()
>>> averager = sf.theory.AveragerOperator(found.model.under_policy(), found.loss, found.gamma, phi,
...                                       [0.5, 0.5])
>>> averager([0.0])
array([0.])
)doc")
      .def(py::init(&averager_operator), py::arg("chain"), py::arg("loss"), py::arg("gamma"),
           py::arg("phi"), py::arg("q"), py::keep_alive<1, 2>())
      .def("__call__", &image, py::arg("theta"), "K theta")
      .def("drift", &drift_of_averager, py::arg("theta"),
           "The mean update of averager TD, divided by the step size.")
      .def_property_readonly("modulus", &AveragerOperator::modulus,
                             "gamma times the largest sum of features: the modulus of K.")
      .def_property_readonly(
          "visits", [](const AveragerOperator& self) { return array_of(self.visits()); },
          "sum_x q(x) phi_i(x) by cell; 0 where it is never visited.")
      .def("__repr__", [](const AveragerOperator& self) { return repr(self); });
}

void bind_averager_point(py::module_& theory) {
  py::class_<AveragerFixedPoint>(theory, "AveragerFixedPoint", "See `averager_fixed_point`.")
      .def_property_readonly(
          "status",
          [](const AveragerFixedPoint& found) { return std::string(to_string(found.status)); })
      .def_property_readonly("theta",
                             [](const AveragerFixedPoint& found) { return array_of(found.theta); })
      .def_readonly("residual", &AveragerFixedPoint::residual, "max |K theta - theta|")
      .def_readonly(
          "error_bound", &AveragerFixedPoint::error_bound,
          "Certified, including rounding: no visited weight is farther from the exact one.")
      .def_readonly("iterations", &AveragerFixedPoint::iterations)
      .def("__repr__", [](const AveragerFixedPoint& self) { return repr(self); });
  theory.def("averager_fixed_point", &averager_fixed_point, py::arg("averager"), py::kw_only(),
             py::arg("tolerance") = 1e-9, py::arg("max_iterations") = 10000,
             py::arg("start") = py::none(), R"doc(
The fixed point of K, the limit of averager TD, by Newton's method, with a certified error.

Examples
--------
>>> found = sf.library.counterexample(0.95)
>>> phi = found.features / found.features.max()
>>> averager = sf.theory.AveragerOperator(found.model.under_policy(), found.loss, found.gamma, phi,
...                                       [0.5, 0.5])
>>> point = sf.theory.averager_fixed_point(averager, start=[1.0])
>>> point.status, bool(abs(point.theta[0]) <= point.error_bound <= 1e-9)
('converged', True)
)doc");
}

void bind_averager_bounds(py::module_& theory) {
  py::class_<AveragerBound>(theory, "AveragerBound", "See `averager_bound`.")
      .def_readonly("oscillation", &AveragerBound::oscillation,
                    "The largest difference of values within a cell.")
      .def_readonly("oscillation_bound", &AveragerBound::oscillation_bound,
                    "oscillation / (1 - gamma) where features sum to 1.")
      .def_readonly("bound", &AveragerBound::bound, "The sharper one.");
  theory.def("averager_bound", &averager_bound, py::arg("averager"), py::arg("values"), R"doc(
How far the limit of averager TD can be from the value of the chain, in any state.

Examples
--------
>>> chain = sf.library.boyan_chain().under_policy()
>>> cells = np.repeat(np.eye(7), 2, axis=0)
>>> q = np.append(np.full(13, 1 / 13), 0.0)
>>> averager = sf.theory.AveragerOperator(chain, "mean", 0.5, cells, q)
>>> value = sf.evaluate(sf.library.boyan_chain(), None, "mean", 0.5).values
>>> theta = sf.theory.averager_fixed_point(averager).theta
>>> bool(np.abs(cells @ theta - value)[:13].max() <= sf.theory.averager_bound(averager, value).bound)
True
)doc");
  py::class_<AveragerBox>(theory, "AveragerBox", "See `averager_box`.")
      .def_readonly("low", &AveragerBox::low)
      .def_readonly("high", &AveragerBox::high)
      .def_readonly("largest_step", &AveragerBox::largest_step);
  theory.def("averager_box", &averager_box, py::arg("averager"), py::arg("start") = py::none(),
             "The interval that the weights of averager TD never leave from `start` (default: 0), "
             "whatever the samples, with steps of at most `largest_step`.");
}

}  // namespace

void bind_averager(py::module_& theory) {
  bind_operator(theory);
  bind_averager_point(theory);
  bind_averager_bounds(theory);
}

}  // namespace shortfall::python
