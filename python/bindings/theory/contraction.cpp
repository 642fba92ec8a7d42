#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "risk/loss_argument.hpp"
#include "shortfall/theory/approximation_bound.hpp"
#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/contraction.hpp"
#include "theory/theory_parts.hpp"

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
What gamma must be below for H to be a contraction: smallest slope / largest slope of the loss; 0
where slopes are not bounded.

Examples
--------
>>> round(sf.theory.gamma_limit("expectile:0.9"), 6)
0.111111
)doc");
  theory.def("sharp_gamma_limit", &limit_of<theory::sharp_gamma_limit>, py::arg("loss"), R"doc(
A weaker condition with the same consequences: the ratio of the slopes' geometric to their
arithmetic mean. None in the slopes alone can be weaker.

Examples
--------
>>> round(sf.theory.sharp_gamma_limit("expectile:0.9"), 6)
0.6
)doc");
  theory.def("monotonicity", &constant_of<theory::monotonicity>, py::arg("loss"), py::arg("gamma"),
             R"doc(
The largest s with <D, r(V1) - r(V2)>_q <= -s |D|_q^2, D = V1 - V2, for every chain and every loss
with these slopes. Positive below `sharp_gamma_limit`; -inf where slopes are not bounded.
)doc");
  theory.def("paper_monotonicity", &constant_of<theory::paper_monotonicity>, py::arg("loss"),
             py::arg("gamma"),
             "The same by a simpler proof: smallest slope - gamma * largest slope.");
}

void bind_q_norm(py::module_& theory) {
  py::class_<QNormContraction>(theory, "QNormContraction", R"doc(
How fast HV = V + alpha r(V) contracts in the q-norm: by sqrt(g(alpha)) with

    g(alpha) = alpha^2 L^2 - 2 alpha s + 1,   L = largest slope * (1 + gamma),

s the `monotonicity` of the loss (`sharp`) or the one of the simpler proof (`paper`).

Examples
--------
>>> sf.theory.QNormContraction.sharp("mean", 0.5)
QNormContraction(best modulus 0.942809 at alpha 0.222222, alpha below 0.444444)
)doc")
      .def_static("paper", &q_norm_contraction<QNormContraction::paper>, py::arg("loss"),
                  py::arg("gamma"), "InvalidInput unless gamma is below `gamma_limit`.")
      .def_static("sharp", &q_norm_contraction<QNormContraction::sharp>, py::arg("loss"),
                  py::arg("gamma"), "InvalidInput unless gamma is below `sharp_gamma_limit`.")
      .def_property_readonly("monotonicity", &QNormContraction::monotonicity, "s")
      .def_property_readonly("lipschitz", &QNormContraction::lipschitz, "L")
      .def("g", &QNormContraction::g, py::arg("alpha"))
      .def("one_minus_g", &QNormContraction::one_minus_g, py::arg("alpha"),
           "1 - g(alpha), without the cancellation.")
      .def("modulus", &QNormContraction::modulus, py::arg("alpha"),
           "sqrt(g(alpha)), for alpha in (0, alpha_limit).")
      .def_property_readonly("alpha_limit", &QNormContraction::alpha_limit)
      .def_property_readonly("best_alpha", &QNormContraction::best_alpha)
      .def_property_readonly("best_modulus", &QNormContraction::best_modulus)
      .def("__repr__", [](const QNormContraction& c) { return repr("QNormContraction", c); });
}

void bind_sup_norm(py::module_& theory) {
  py::class_<SupNormContraction>(theory, "SupNormContraction", R"doc(
How fast H contracts in the sup norm, for every gamma < 1: by
max(1 - alpha e (1 - gamma), alpha L (1 + gamma) - 1) with e and L the slopes' bounds.
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
The step theta + alpha h(theta) of the parameters, in the Euclidean norm, with h the drift of a
`MeanField`. It needs small features: the largest singular value of diag(sqrt(q)) phi below
`singular_value_limit(alpha)`.
)doc")
      .def(py::init([](const LossArgument& loss, double gamma) {
             return ParameterContraction(slopes_of(loss), gamma);
           }),
           py::arg("loss"), py::arg("gamma"))
      .def("singular_value_limit", &ParameterContraction::singular_value_limit, py::arg("alpha"))
      .def("squared_modulus", &squared_modulus, py::arg("alpha"), py::arg("singular_range"),
           "For a range as `Projection.singular_range` gives it.")
      .def("__repr__", [](const ParameterContraction& c) {
        return fmt::format("ParameterContraction(singular values below {:.6g} / sqrt(alpha))",
                           c.singular_value_limit(1.0));
      });
}

void bind_bounds(py::module_& theory) {
  theory.def("lemma2_bound", &theory::lemma2_bound, py::arg("contraction"),
             py::arg("projection_error"), py::arg("alpha") = py::none(), R"doc(
How far the projected fixed point is from the value, in the q-norm: projection_error / (1 - modulus)
with the modulus of H at alpha, or the best one.
)doc");
  theory.def("pythagorean_bound", &theory::pythagorean_bound, py::arg("contraction"),
             py::arg("projection_error"), py::arg("alpha") = py::none(),
             "The sharper projection_error / sqrt(1 - modulus^2), from the same ingredients.");
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
