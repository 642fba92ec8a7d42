#include "bindings/theory/theory_parts.hpp"

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "bindings/theory/eigen_arrays.hpp"
#include "shortfall/theory/distortion.hpp"
#include "shortfall/theory/operator_h.hpp"

namespace shortfall::python {

void bind_theory(pybind11::module_& core) {
  pybind11::module_ theory = core.def_submodule("theory", R"doc(
Conditions, rates and limits of temporal-difference learning under shortfall risk.

Everything here uses costs, even if the model of a chain has rewards. State numbers start at 0.
Features `phi` are a matrix with one row per state and one column per feature; `q` is a distribution
over the states.
)doc");
  bind_check(core);
  bind_contraction(theory);
  bind_operators(theory);
  bind_projection(theory);
  bind_mean_field(theory);
  bind_averager(theory);
  bind_long_run(theory);
}

namespace {

py::array_t<double> expected_residual(const Chain& chain, const LossArgument& loss, double gamma,
                                      const Doubles& values) {
  const auto v = vector_of(values, "values");
  return array_of(
      without_interpreter([&] { return theory::expected_residual(chain, loss.loss, gamma, v); }));
}

py::array_t<double> operator_h(const Chain& chain, const LossArgument& loss, double gamma,
                               double alpha, const Doubles& values) {
  const auto v = vector_of(values, "values");
  return array_of(
      without_interpreter([&] { return theory::operator_h(chain, loss.loss, gamma, alpha, v); }));
}

template <double (*constant)(const Chain&, SlopeBounds)>
double of_chain(const Chain& chain, const LossArgument& loss) {
  return without_interpreter([&] { return constant(chain, loss.loss.slope_bounds()); });
}

}  // namespace

void bind_operators(py::module_& theory) {
  theory.def("expected_residual", &expected_residual, py::arg("chain"), py::arg("loss"),
             py::arg("gamma"), py::arg("values"), R"doc(
r(V)(x) = E loss(cost + gamma V(X') - V(x)) in every state x, and 0 in terminal states. The value of
the chain is the root of r.

Examples
--------
>>> chain = sf.library.boyan_chain().under_policy()
>>> value = 2.0 * (13 - np.arange(14))
>>> float(np.abs(sf.theory.expected_residual(chain, "mean", 1.0, value)).max())
0.0
)doc");
  theory.def("operator_h", &operator_h, py::arg("chain"), py::arg("loss"), py::arg("gamma"),
             py::arg("alpha"), py::arg("values"),
             "HV = V + alpha r(V), and 0 in terminal states, where r is the `expected_residual`.");
  theory.def("distortion_coefficient", &of_chain<theory::distortion_coefficient>, py::arg("chain"),
             py::arg("loss"), R"doc(
How much the risk measure can increase the probability of a transition. 1 + this coefficient is the
maximum over transitions of L / (e + (L - e) P(x'|x)), where e and L are the slope bounds.
)doc");
  theory.def("distortion_gamma_limit", &of_chain<theory::distortion_gamma_limit>, py::arg("chain"),
             py::arg("loss"), R"doc(
1 / sqrt(1 + distortion_coefficient). For gamma below this limit, the Bellman operator (TV)(x) =
risk(cost + gamma V(X')) is a contraction in the q-norm. Its projected fixed point generally differs
from the limit of temporal-difference learning.
)doc");
}

}  // namespace shortfall::python
