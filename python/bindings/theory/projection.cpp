#include <fmt/format.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/theory/eigen_arrays.hpp"
#include "bindings/theory/theory_parts.hpp"
#include "errors/require.hpp"
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

}  // namespace shortfall::python
