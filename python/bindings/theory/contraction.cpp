#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "bindings/theory/theory_parts.hpp"
#include "shortfall/theory/approximation_bound.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/contraction.hpp"

namespace shortfall::python {
namespace {

using theory::ParameterContraction;
using theory::QNormContraction;
using theory::SupNormContraction;

SlopeBounds slopes_of(const LossArgument& argument) {
  return argument.loss.slope_bounds();
}

template <double (*limit)(SlopeBounds)>
double limit_of(const LossArgument& loss) {
  return limit(slopes_of(loss));
}

template <double (*constant)(SlopeBounds, double)>
double constant_of(const LossArgument& loss, double gamma) {
  return constant(slopes_of(loss), gamma);
}

template <QNormContraction (*make)(SlopeBounds, double)>
QNormContraction q_norm_contraction(const LossArgument& loss, double gamma) {
  return make(slopes_of(loss), gamma);
}

double squared_modulus(const ParameterContraction& contraction, double alpha,
                       const std::pair<double, double>& singular_range) {
  return contraction.squared_modulus(alpha, {singular_range.first, singular_range.second});
}

template <class Contraction>
std::string repr(const char* name, const Contraction& contraction) {
  return fmt::format("{}(best modulus {:.6g} at alpha {:.6g}, alpha below {:.6g})", name,
                     contraction.best_modulus(), contraction.best_alpha(),
                     contraction.alpha_limit());
}

void bind_limits(py::module_& theory) {
  theory.def("gamma_limit", &limit_of<theory::gamma_limit>, py::arg("loss"), R"doc(
H is a contraction for gamma below this limit: smallest slope / largest slope of the loss; 0 if the
slopes are not bounded.

Examples
--------
>>> round(sf.theory.gamma_limit("expectile:0.9"), 6)
0.111111
)doc");
  theory.def("sharp_gamma_limit", &limit_of<theory::sharp_gamma_limit>, py::arg("loss"), R"doc(
A weaker condition with the same consequences: the geometric mean of the slope bounds divided by
their arithmetic mean. In terms of the slopes alone, this limit cannot be improved.

Examples
--------
>>> round(sf.theory.sharp_gamma_limit("expectile:0.9"), 6)
0.6
)doc");
  theory.def("monotonicity", &constant_of<theory::monotonicity>, py::arg("loss"), py::arg("gamma"),
             R"doc(
The largest s with <D, r(V1) - r(V2)>_q <= -s |D|_q^2, D = V1 - V2, for every chain and every loss
with these slopes. Positive below `sharp_gamma_limit`; -inf if the slopes are not bounded.
)doc");
  theory.def("paper_monotonicity", &constant_of<theory::paper_monotonicity>, py::arg("loss"),
             py::arg("gamma"),
             "The constant from a simpler proof: smallest slope - gamma * largest slope.");
}

void bind_q_norm(py::module_& theory) {
  py::class_<QNormContraction>(theory, "QNormContraction", R"doc(
The contraction of HV = V + alpha r(V) in the q-norm, with modulus sqrt(g(alpha)) and

    g(alpha) = alpha^2 L^2 - 2 alpha s + 1,   L = largest slope * (1 + gamma),

where s is the `monotonicity` of the loss (`sharp`) or the constant of the simpler proof (`paper`).

Examples
--------
>>> sf.theory.QNormContraction.sharp("mean", 0.5)
QNormContraction(best modulus 0.942809 at alpha 0.222222, alpha below 0.444444)
)doc")
      .def_static("paper", &q_norm_contraction<QNormContraction::paper>, py::arg("loss"),
                  py::arg("gamma"), "Raises InvalidInput unless gamma is below `gamma_limit`.")
      .def_static("sharp", &q_norm_contraction<QNormContraction::sharp>, py::arg("loss"),
                  py::arg("gamma"),
                  "Raises InvalidInput unless gamma is below `sharp_gamma_limit`.")
      .def_property_readonly("monotonicity", &QNormContraction::monotonicity, "s")
      .def_property_readonly("lipschitz", &QNormContraction::lipschitz, "L")
      .def("g", &QNormContraction::g, py::arg("alpha"))
      .def("one_minus_g", &QNormContraction::one_minus_g, py::arg("alpha"),
           "1 - g(alpha), computed without cancellation.")
      .def("modulus", &QNormContraction::modulus, py::arg("alpha"),
           "sqrt(g(alpha)), for alpha in (0, alpha_limit).")
      .def_property_readonly("alpha_limit", &QNormContraction::alpha_limit)
      .def_property_readonly("best_alpha", &QNormContraction::best_alpha)
      .def_property_readonly("best_modulus", &QNormContraction::best_modulus)
      .def("__repr__", [](const QNormContraction& c) { return repr("QNormContraction", c); });
}

void bind_sup_norm(py::module_& theory) {
  py::class_<SupNormContraction>(theory, "SupNormContraction", R"doc(
The contraction of H in the sup norm, for every gamma < 1, with modulus
max(1 - alpha e (1 - gamma), alpha L (1 + gamma) - 1), where e and L are the slope bounds.
)doc")
      .def(py::init([](const LossArgument& loss, double gamma) {
             return SupNormContraction(slopes_of(loss), gamma);
           }),
           py::arg("loss"), py::arg("gamma"))
      .def("modulus", &SupNormContraction::modulus, py::arg("alpha"),
           "For alpha in (0, alpha_limit).")
      .def_property_readonly("alpha_limit", &SupNormContraction::alpha_limit)
      .def_property_readonly("best_alpha", &SupNormContraction::best_alpha)
      .def_property_readonly("best_modulus", &SupNormContraction::best_modulus)
      .def("__repr__", [](const SupNormContraction& c) { return repr("SupNormContraction", c); });
}

void bind_parameter(py::module_& theory) {
  py::class_<ParameterContraction>(theory, "ParameterContraction", R"doc(
The contraction of theta + alpha h(theta) in the Euclidean norm, where h is the drift of a
`MeanField`. It requires small features: the largest singular value of diag(sqrt(q)) phi must be
below `singular_value_limit(alpha)`.
)doc")
      .def(py::init([](const LossArgument& loss, double gamma) {
             return ParameterContraction(slopes_of(loss), gamma);
           }),
           py::arg("loss"), py::arg("gamma"))
      .def("singular_value_limit", &ParameterContraction::singular_value_limit, py::arg("alpha"))
      .def("squared_modulus", &squared_modulus, py::arg("alpha"), py::arg("singular_range"),
           "For a range from `Projection.singular_range`.")
      .def("__repr__", [](const ParameterContraction& c) {
        return fmt::format("ParameterContraction(singular values below {:.6g} / sqrt(alpha))",
                           c.singular_value_limit(1.0));
      });
}

void bind_bounds(py::module_& theory) {
  theory.def("lemma2_bound", &theory::lemma2_bound, py::arg("contraction"),
             py::arg("projection_error"), py::arg("alpha") = py::none(), R"doc(
A bound on the distance between the projected fixed point and the value in the q-norm:
projection_error / (1 - modulus), with the modulus of H at alpha, by default at the best alpha.
)doc");
  theory.def("pythagorean_bound", &theory::pythagorean_bound, py::arg("contraction"),
             py::arg("projection_error"), py::arg("alpha") = py::none(),
             "A sharper bound from the same arguments: projection_error / sqrt(1 - modulus^2).");
}

}  // namespace

void bind_contraction(py::module_& theory) {
  bind_limits(theory);
  bind_q_norm(theory);
  bind_sup_norm(theory);
  bind_parameter(theory);
  bind_bounds(theory);
}

}  // namespace shortfall::python
