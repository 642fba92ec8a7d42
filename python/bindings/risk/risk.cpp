#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "bindings/callbacks.hpp"
#include "bindings/risk/loss_argument.hpp"
#include "bindings/risk/python_loss.hpp"
#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall::python {
namespace {

using CurvatureNames = std::pair<std::string, std::string>;

Curvature curvature_of(const std::string& word) {
  return value_named(word, curvature_names, "curvature");
}

CurvatureNames names_of(const HalfLineCurvature& curvature) {
  return {std::string(to_string(curvature.negative)), std::string(to_string(curvature.positive))};
}

void check_callable(const py::object& function, const char* name) {
  if (function.is_none() || PyCallable_Check(function.ptr()) != 0) return;
  throw py::type_error(
      fmt::format("{} must be a function, not {}", name, py::repr(function).cast<std::string>()));
}

AnyLoss custom(py::object function, py::object slope, py::object score,
               std::pair<double, double> slope_bounds, const CurvatureNames& curvature) {
  check_callable(function, "a loss");
  check_callable(slope, "slope");
  check_callable(score, "score");
  const auto [lower, upper] = slope_bounds;
  require(lower >= 0.0 && lower <= upper && upper > 0.0,
          "slope bounds ({}, {}); accepted: 0 <= lower <= upper, inf if unbounded", lower, upper);
  return CustomLoss(PythonLoss({std::move(function),
                                std::move(slope),
                                std::move(score),
                                {lower, upper},
                                {curvature_of(curvature.first), curvature_of(curvature.second)}}));
}

AnyLoss plain_custom(py::object function) {
  return custom(std::move(function), py::none(), py::none(),
                {0.0, std::numeric_limits<double>::infinity()}, {"mixed", "mixed"});
}

Piecewise piecewise(const std::vector<std::pair<double, double>>& points) {
  std::vector<Knot> knots;
  knots.reserve(points.size());
  for (const auto& [x, y] : points) knots.push_back({x, y});
  return Piecewise(knots);
}

/// Applies a function to a number, or to each number of an array.
template <class F>
py::object elementwise(const Doubles& x, const F& f) {
  if (x.ndim() == 0) return py::float_(f(*x.data()));
  py::array_t<double> result(std::vector<py::ssize_t>(x.shape(), x.shape() + x.ndim()));
  for (py::ssize_t i = 0; i < x.size(); ++i) result.mutable_data()[i] = f(x.data()[i]);
  return result;
}

const PythonLoss* python_loss(const AnyLoss& loss) {
  const auto* user = std::get_if<CustomLoss>(&loss.variant());
  return user == nullptr ? nullptr : user->target<PythonLoss>();
}

std::string repr(const AnyLoss& loss) {
  const PythonLoss* user = python_loss(loss);
  if (user == nullptr) return fmt::format("Loss('{}')", loss.to_string());
  return fmt::format("Loss({})", py::repr(user->functions().function).cast<std::string>());
}

py::tuple state_of(const AnyLoss& loss) {
  const PythonLoss* user = python_loss(loss);
  if (user == nullptr) return py::make_tuple(loss.to_string());
  const LossFunctions& f = user->functions();
  return py::make_tuple(f.function, f.slope, f.score,
                        std::pair(f.slope_bounds.lower, f.slope_bounds.upper),
                        names_of(f.curvature));
}

AnyLoss from_state(const py::tuple& state) {
  if (state.size() == 1) return AnyLoss::parse(state[0].cast<std::string>());
  return custom(state[0], state[1], state[2], state[3].cast<std::pair<double, double>>(),
                state[4].cast<CurvatureNames>());
}

double risk(const Doubles& values, const std::optional<Doubles>& probabilities,
            const LossArgument& loss, double start) {
  const auto atoms = vector_span(values, "values");
  std::vector<double> weights;
  if (probabilities) {
    const auto given = vector_span(*probabilities, "probabilities");
    validate({atoms, given});
    const double sum = compensated_sum(given);
    for (const double p : given) weights.push_back(p / sum);
  } else {
    weights.assign(atoms.size(), 1.0 / static_cast<double>(atoms.size()));
    validate({atoms, weights});
  }
  const double result = shortfall_risk(loss.loss, {atoms, weights}, start);
  if (!std::isfinite(result)) {
    throw std::overflow_error(
        "the risk exceeds the range of double precision; scale the numbers down");
  }
  return result;
}

void bind_loss(py::module_& core) {
  auto loss_class =
      py::class_<AnyLoss>(core, "Loss", R"doc(
A loss: continuous, strictly increasing, 0 at 0. It acts on costs: larger is worse.

Built from a name, as on the command line, or from your own function. A function that takes arrays
is called once per distribution; one that takes only numbers is called once per outcome. `slope`
(its derivative, the left one at kinks) and `score` (its integral from 0) are computed numerically
if not given. Solvers need `slope_bounds` to certify their error. `check` needs them and
`curvature`, below and above 0, to test for convergence. Without slope bounds, results are as
accurate but not certified: the status of a solution is then precision-limit, and its error bound is
inf.

The error bound of a solution with your own loss rests on your word: that `slope_bounds` and
`curvature` hold everywhere, and that the function is accurate to twelve units of 2**-53 of its
value. Wherever the loss is evaluated it is checked that bounds and curvature hold there;
`InvalidInput` is raised where they do not.

Examples
--------
>>> loss = sf.Loss("expectile:0.9")
>>> loss(np.array([-1.0, 2.0]))
array([-0.1,  1.8])
>>> loss.slope(np.array([-1.0, 2.0]))
array([0.1, 0.9])
>>> hyperbolic = sf.Loss(lambda x: 2 * x + np.sqrt(1 + x * x) - 1, slope_bounds=(1, 3),
...                      curvature=("convex", "convex"))
>>> round(sf.risk([0.0, 1.0], [0.5, 0.5], hyperbolic), 6)
0.559654
)doc")
          .def(py::init([](const std::string& word) { return AnyLoss::parse(word); }),
               py::arg("word"))
          .def(py::init(&custom), py::arg("function"), py::kw_only(), py::arg("slope") = py::none(),
               py::arg("score") = py::none(),
               py::arg("slope_bounds") = std::pair(0.0, std::numeric_limits<double>::infinity()),
               py::arg("curvature") = CurvatureNames("mixed", "mixed"))
          .def(
              "__call__",
              [](const AnyLoss& loss, const Doubles& x) {
                return elementwise(x, [&](double y) { return loss.at(y).value; });
              },
              py::arg("x"), "The loss at a number, or at each element of an array.")
          .def(
              "slope",
              [](const AnyLoss& loss, const Doubles& x) {
                return elementwise(x, [&](double y) { return loss.at(y).left_slope; });
              },
              py::arg("x"), "Its slope, the left one at kinks.")
          .def(
              "score",
              [](const AnyLoss& loss, const Doubles& x) {
                return elementwise(x, [&](double y) { return loss.score(y); });
              },
              py::arg("x"), "Its integral from 0: the risk of X minimises the mean score of X - m.")
          .def_property_readonly(
              "slope_bounds",
              [](const AnyLoss& loss) {
                return std::pair(loss.slope_bounds().lower, loss.slope_bounds().upper);
              },
              "The smallest and the largest slope; (0, inf) if unknown.")
          .def_property_readonly(
              "curvature", [](const AnyLoss& loss) { return names_of(loss.curvature()); },
              "On the negative and on the positive half-line: linear, convex, concave or mixed.")
          .def_property_readonly("word", &AnyLoss::to_string,
                                 "The name on the command line; 'custom' for your own function.")
          .def("__repr__", &repr)
          .def(
              "__eq__",
              [](const AnyLoss& loss, const AnyLoss& other) {
                return state_of(loss).equal(state_of(other));
              },
              py::is_operator())
          .def("__hash__", [](const AnyLoss& loss) { return py::hash(py::str(loss.to_string())); });
  define_pickling(loss_class, &state_of, &from_state);
}

void bind_named_losses(py::module_& core) {
  core.def(
      "mean", [] { return AnyLoss(Mean()); }, "The loss x, whose risk is the expected value.");
  core.def(
      "expectile", [](double tau) { return AnyLoss(Expectile(tau)); }, py::arg("tau"),
      "tau x above 0 and (1 - tau) x below. The risk is the expectile; 0.5 is the mean, larger is "
      "more risk-averse.");
  core.def(
      "entropic", [](double beta) { return AnyLoss(Entropic(beta)); }, py::arg("beta"),
      "exp(beta x) - 1, whose risk is log(E exp(beta X)) / beta.");
  core.def(
      "truncated_entropic",
      [](double beta, double bound) { return AnyLoss(TruncatedEntropic(beta, bound)); },
      py::arg("beta"), py::arg("bound"),
      "exp(beta x) - 1 on [-bound, bound] and linear beyond, so that slopes are bounded.");
  core.def(
      "soft_quantile", [](double mu, double kappa) { return AnyLoss(SoftQuantile(mu, kappa)); },
      py::arg("mu"), py::arg("kappa"),
      "Four linear pieces around 0. The risk is a smoothed quantile of level mu.");
  core.def(
      "piecewise",
      [](const std::vector<std::pair<double, double>>& points) {
        return AnyLoss(piecewise(points));
      },
      py::arg("points"), "Straight lines through the points (x, y), extended beyond them.");
}

}  // namespace

AnyLoss loss_of(py::handle object) {
  if (py::isinstance<AnyLoss>(object)) return object.cast<AnyLoss>();
  if (py::isinstance<py::str>(object)) return AnyLoss::parse(object.cast<std::string>());
  if (PyCallable_Check(object.ptr()) != 0) {
    return plain_custom(py::reinterpret_borrow<py::object>(object));
  }
  throw py::type_error(
      fmt::format("a loss must be a Loss, a name such as 'expectile:0.9' or a function, not {}",
                  py::repr(object).cast<std::string>()));
}

void bind_risk(py::module_& core) {
  bind_loss(core);
  bind_named_losses(core);
  core.def("risk", &risk, py::arg("values"), py::arg("probabilities"), py::arg("loss"),
           py::kw_only(), py::arg("start") = no_start, R"doc(
The shortfall risk of a discrete distribution: the m for which the expected loss of X - m is 0.

If `probabilities` is None, all values are equally likely. `start` is a starting value that saves
steps, such as the risk of a similar distribution.

Examples
--------
>>> sf.risk([0.0, 1.0], [0.5, 0.5], "expectile:0.9")
0.9
>>> sf.risk([3.0, 5.0], None, sf.mean())
4.0
)doc");
}

}  // namespace shortfall::python
