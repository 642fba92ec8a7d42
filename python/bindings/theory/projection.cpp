#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/interruptible.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "bindings/theory/eigen_arrays.hpp"
#include "bindings/theory/theory_parts.hpp"
#include "errors/require.hpp"
#include "numbers/certain_digits.hpp"
#include "shortfall/theory/fixed_point.hpp"
#include "shortfall/theory/mean_field.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::python {

namespace {

using theory::Assumption;
using theory::Projection;

using DependentColumns = std::vector<std::pair<Eigen::Index, std::vector<Eigen::Index>>>;

Projection projection(const Doubles& phi, const Doubles& q) {
  return Projection(matrix_of(phi, "phi"), vector_span(q, "q"));
}

DependentColumns dependent_features(const Doubles& phi, const Doubles& q) {
  DependentColumns found;
  for (auto& [feature, on] :
       theory::dependent_features(matrix_of(phi, "phi"), vector_span(q, "q"))) {
    found.emplace_back(feature, std::move(on));
  }
  return found;
}

Assumption features_assumption(const Doubles& phi, const Doubles& q) {
  return theory::features_assumption(matrix_of(phi, "phi"), vector_span(q, "q"));
}

void check_lengths(const Doubles& v, const Doubles& w, const Doubles& q) {
  require(v.size() == q.size() && w.size() == q.size(),
          "{} and {} values for {} weights q; accepted: one value per weight", v.size(), w.size(),
          q.size());
}

double q_inner(const Doubles& v, const Doubles& w, const Doubles& q) {
  check_lengths(v, w, q);
  return theory::q_inner(vector_of(v, "v"), vector_of(w, "w"), vector_span(q, "q"));
}

double q_norm(const Doubles& v, const Doubles& q) {
  check_lengths(v, v, q);
  return theory::q_norm(vector_of(v, "v"), vector_span(q, "q"));
}

Eigen::Map<const Eigen::VectorXd> values_of(const Projection& projection, const Doubles& values) {
  const auto v = vector_of(values, "values");
  if (v.size() == projection.states()) return v;
  throw InvalidInput(fmt::format("values has {} entries; accepted: one for each of {} states",
                                 v.size(), projection.states()));
}

std::pair<double, double> singular_range(const Projection& projection) {
  const theory::SingularRange range = projection.singular_range();
  return {range.smallest, range.largest};
}

std::string repr(const Projection& projection) {
  return fmt::format("Projection({} states, {} features, condition {:.3g})", projection.states(),
                     projection.dimension(), projection.condition());
}

}  // namespace

void bind_projection(py::module_& theory) {
  py::class_<Projection>(theory, "Projection", R"doc(
The projection onto the span of the features, in the norm weighted by a distribution q over the
states.

`phi` has one row per state and one column per feature. Raises InvalidInput for linearly dependent
features and names them.

Examples
--------
>>> onto_constants = sf.theory.Projection(np.ones((2, 1)), [0.25, 0.75])
>>> onto_constants([0.0, 4.0])
array([3., 3.])
>>> onto_constants.coefficients([0.0, 4.0])
array([3.])
)doc")
      .def(py::init(&projection), py::arg("phi"), py::arg("q"))
      .def(
          "coefficients",
          [](const Projection& p, const Doubles& values) {
            return array_of(p.coefficients(values_of(p, values)));
          },
          py::arg("values"), "The theta for which phi @ theta is the projection.")
      .def(
          "__call__",
          [](const Projection& p, const Doubles& values) {
            return array_of(p(values_of(p, values)));
          },
          py::arg("values"), "The projection of these values.")
      .def_property_readonly(
          "phi",
          [](const py::object& self) { return view(self.cast<const Projection&>().phi(), self); })
      .def_property_readonly(
          "q",
          [](const py::object& self) { return view(self.cast<const Projection&>().q(), self); })
      .def_property_readonly("states", &Projection::states)
      .def_property_readonly("dimension", &Projection::dimension)
      .def_property_readonly(
          "condition", &Projection::condition,
          "An estimate of the condition number, with columns scaled to norm one.")
      .def_property_readonly("singular_range", &singular_range,
                             "The smallest and largest singular value of diag(sqrt(q)) phi.")
      .def("__repr__", [](const Projection& self) { return repr(self); });
  theory.def("dependent_features", &dependent_features, py::arg("phi"), py::arg("q"), R"doc(
The columns of phi that are linear combinations of others in the q-norm, as (column, [others]). An
empty list of others means that the column is zero wherever q is not. The result is empty if phi has
full rank.

Examples
--------
>>> sf.theory.dependent_features([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]], [0.5, 0.5])
[(2, [0])]
)doc");
  theory.def("features_assumption", &features_assumption, py::arg("phi"), py::arg("q"),
             "Whether the features are bounded and linearly independent, as an `Assumption`.");
  theory.def("q_inner", &q_inner, py::arg("v"), py::arg("w"), py::arg("q"), "sum_x q(x) v(x) w(x)");
  theory.def("q_norm", &q_norm, py::arg("v"), py::arg("q"), "sqrt(sum_x q(x) v(x)^2)");
}

namespace {

using theory::FixedPoint;
using theory::FixedPointOptions;
using theory::MeanField;

MeanField mean_field(const Chain& chain, const LossArgument& loss, double gamma, const Doubles& phi,
                     const Doubles& q) {
  return MeanField(chain, loss.loss, gamma, matrix_of(phi, "phi"), vector_span(q, "q"));
}

Eigen::Map<const Eigen::VectorXd> theta_of(const MeanField& field, const Doubles& theta) {
  const auto found = vector_of(theta, "theta");
  if (found.size() == field.projection().dimension()) return found;
  throw InvalidInput(fmt::format("theta has {} entries; accepted: {}, one per feature",
                                 found.size(), field.projection().dimension()));
}

py::array_t<double> drift(const MeanField& field, const Doubles& theta) {
  const auto at = theta_of(field, theta);
  return array_of(without_interpreter([&] { return field.drift(at); }));
}

py::array_t<double> jacobian(const MeanField& field, const Doubles& theta) {
  const auto at = theta_of(field, theta);
  return array_of(without_interpreter([&] { return field.jacobian(at); }));
}

FixedPoint projected_fixed_point(const MeanField& field, double tolerance, int max_iterations,
                                 const std::optional<Doubles>& start) {
  FixedPointOptions options{.tolerance = tolerance, .max_iterations = max_iterations};
  if (start) options.start = vector_of(*start, "start");
  return without_interpreter([&] { return theory::projected_fixed_point(field, options); });
}

std::string repr(const MeanField& field) {
  return fmt::format("MeanField({} with gamma {}, {} states, {} features)",
                     field.loss().to_string(), field.gamma(), field.projection().states(),
                     field.projection().dimension());
}

std::string repr(const FixedPoint& found) {
  const bool is_certified = std::isfinite(found.error_bound);
  return fmt::format("FixedPoint({}, {} features, {} {}, {} iterations)", to_string(found.status),
                     found.theta.size(), is_certified ? "within" : "estimated within",
                     bound_text(is_certified ? found.error_bound : found.error_estimate),
                     found.iterations);
}

void bind_field(py::module_& theory) {
  py::class_<MeanField>(theory, "MeanField", R"doc(
The average update of temporal-difference learning, with states drawn from a distribution q:

    h(theta) = sum_x q(x) phi(x) E loss((gamma phi(X') - phi(x))' theta + cost),

the right-hand side of its ODE. For an ergodic chain, q is the stationary distribution. For a chain
that ends, q is the long-run distribution of the states in which updates are made. A terminal state
has value 0, whatever its row of phi contains.

Examples
--------
>>> found = sf.library.counterexample(0.9)
>>> field = sf.theory.MeanField(found.model.under_policy(), found.loss, found.gamma,
...                             found.features, [0.5, 0.5])
>>> bool(abs(field.drift([1.0])[0]) < 1e-15)
True
>>> field.monotonicity < 0
True
)doc")
      .def(py::init(&mean_field), py::arg("chain"), py::arg("loss"), py::arg("gamma"),
           py::arg("phi"), py::arg("q"), py::keep_alive<1, 2>())
      .def("drift", &drift, py::arg("theta"), "h(theta)")
      .def("jacobian", &jacobian, py::arg("theta"),
           "The derivative of h, with left slopes at kinks of the loss.")
      .def_property_readonly("chain", &MeanField::chain)
      .def_property_readonly("loss", [](const MeanField& field) { return field.loss(); })
      .def_property_readonly("gamma", &MeanField::gamma)
      .def_property_readonly(
          "projection", &MeanField::projection,
          "The projection onto the features, with zero rows for terminal states.")
      .def_property_readonly(
          "effective_gamma", &MeanField::effective_gamma,
          "The effective discount in the q-norm; equal to gamma if q is stationary.")
      .def_property_readonly("monotonicity", &MeanField::monotonicity, R"doc(
The monotonicity of the loss at `effective_gamma`. If positive, h has exactly one root, which is
stable.
)doc")
      .def("__repr__", [](const MeanField& self) { return repr(self); });
}

void bind_fixed_point(py::module_& theory) {
  py::class_<FixedPoint>(theory, "FixedPoint", R"doc(
The result of `projected_fixed_point`. `status` is 'converged', 'not-isolated', 'precision-limit',
'iteration-limit' or 'diverged'.
)doc")
      .def_property_readonly("status",
                             [](const FixedPoint& found) { return to_string(found.status); })
      .def_property_readonly("theta",
                             [](const py::object& self) {
                               return view(span_of(self.cast<const FixedPoint&>().theta), self);
                             })
      .def_readonly("residual_norm", &FixedPoint::residual_norm,
                    "The q-norm of the projected residual at theta.")
      .def_readonly("error_bound", &FixedPoint::error_bound,
                    "Certified bound on the distance to the root in the q-norm; inf if the "
                    "monotonicity is not positive.")
      .def_readonly("error_estimate", &FixedPoint::error_estimate,
                    "The length of the next Newton step, in the same norm.")
      .def_readonly("iterations", &FixedPoint::iterations)
      .def("__repr__", [](const FixedPoint& self) { return repr(self); });
  const FixedPointOptions defaults;
  theory.def("projected_fixed_point", &projected_fixed_point, py::arg("field"), py::kw_only(),
             py::arg("tolerance") = defaults.tolerance,
             py::arg("max_iterations") = defaults.max_iterations, py::arg("start") = py::none(),
             R"doc(
The root of the drift, which is the limit of temporal-difference learning, by Newton's method from
`start` (None: zeros). `tolerance` bounds the error in the q-norm.

Examples
--------
>>> drawn = sf.library.random_mdp(features=5, seed=1)
>>> chain = drawn.model.under_policy(drawn.policy)
>>> q = sf.theory.stationary_law(chain).probability
>>> field = sf.theory.MeanField(chain, "expectile:0.6", 0.5, drawn.features, q)
>>> found = sf.theory.projected_fixed_point(field)
>>> found.status, bool(np.abs(field.drift(found.theta)).max() < 1e-9)
('converged', True)
)doc");
}

}  // namespace

void bind_mean_field(py::module_& theory) {
  bind_field(theory);
  bind_fixed_point(theory);
}

}  // namespace shortfall::python
