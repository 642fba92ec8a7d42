#include "bindings/risk/python_loss.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/risk/shortfall_risk.hpp"

namespace shortfall::python {
namespace {

namespace py = pybind11;
using Array = py::array_t<double>;

/// The points at which a new loss is tested, in increasing order.
constexpr double test_points[] = {-100.0, -10.0, -1.0, -0.1, 0.0, 0.1, 1.0, 10.0, 100.0};

/// What slopes may be off by: a difference quotient has about eight digits.
constexpr double margin = 1e-6;

/// The step of a one-sided difference quotient that balances its error and rounding.
double difference_step(double x) {
  return std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::abs(x));
}

std::shared_ptr<const LossFunctions> shared(LossFunctions functions) {
  // The last copy may be destroyed in a thread that does not hold the interpreter lock.
  return {new LossFunctions(std::move(functions)), [](const LossFunctions* last) {
            const py::gil_scoped_acquire interpreter;
            delete last;
          }};
}

bool returns_an_array_for(const py::object& function, const Array& x) {
  try {
    const py::object result = function(x);
    return py::isinstance<py::array>(result) && py::array(result).ndim() == 1 &&
           py::array(result).size() == x.size();
  } catch (const py::error_already_set& error) {
    if (error.matches(PyExc_Exception)) return false;  // the call with a number will report it
    throw;
  }
}

[[noreturn]] void reject(const py::object& result) {
  PyErr_Clear();
  throw InvalidInput(
      fmt::format("the loss returned {}; accepted: numbers", py::repr(result).cast<std::string>()));
}

/// Converts the result of a function of one number.
double number_of(const py::object& result) {
  const double value = PyFloat_AsDouble(result.ptr());
  if (value == -1.0 && PyErr_Occurred() != nullptr) reject(result);
  return value;
}

/// ∫ f by adaptive Simpson's rule, with at most the given number of evaluations of f.
template <class F>
class Integral {
 public:
  Integral(F f, int evaluations) : f_(std::move(f)), left_(evaluations) {}

  double operator()(double a, double b) { return over(a, b, f_(a), f_(0.5 * (a + b)), f_(b)); }

 private:
  double over(double a, double b, double fa, double fm, double fb) {
    constexpr double accuracy = 1e-12;
    const double m = 0.5 * (a + b);
    const double left_middle = f_(0.5 * (a + m));
    const double right_middle = f_(0.5 * (m + b));
    left_ -= 2;
    const double whole = (b - a) / 6.0 * (fa + 4.0 * fm + fb);
    const double halves =
        (b - a) / 12.0 * (fa + 4.0 * left_middle + 2.0 * fm + 4.0 * right_middle + fb);
    const bool exact = std::abs(halves - whole) <= 15.0 * accuracy * std::abs(halves);
    if (!std::isfinite(halves)) return halves;
    if (exact || left_ <= 0) return halves + (halves - whole) / 15.0;
    return over(a, m, fa, left_middle, fm) + over(m, b, fm, right_middle, fb);
  }

  F f_;
  int left_;
};

}  // namespace

PythonLoss::PythonLoss(LossFunctions functions) : functions_(shared(std::move(functions))) {
  const Array x(std::size(test_points), test_points);
  takes_arrays_ = returns_an_array_for(functions_->function, x) &&
                  (functions_->slope.is_none() || returns_an_array_for(functions_->slope, x));
  if (const double origin = call(functions_->function, 0.0); origin != 0.0) {
    throw InvalidInput(fmt::format("the loss is {} at 0; accepted: exactly 0", origin));
  }
  for (std::size_t i = 1; i < std::size(test_points); ++i) {
    const double before = call(functions_->function, test_points[i - 1]);
    const double after = call(functions_->function, test_points[i]);
    // A function that overflows, such as an exponential, still counts as increasing.
    if (after > before || (std::isinf(after) && after > 0.0)) continue;
    if (std::isinf(before) && before < 0.0) continue;
    throw InvalidInput(
        fmt::format("the loss is {} at {} and {} at {}; accepted: an increasing "
                    "function",
                    before, test_points[i - 1], after, test_points[i]));
  }
}

double PythonLoss::call(const py::object& function, double x) const {
  if (takes_arrays_) return call(function, Array(1, &x)).at(0);
  return number_of(function(x));
}

py::array_t<double> PythonLoss::call(const py::object& function, const Array& x) const {
  const py::object result = function(x);
  const auto values = py::array_t<double, py::array::c_style>::ensure(result);
  if (!values || values.ndim() != 1) reject(result);
  require(values.size() == x.size(), "the loss returned {} numbers for {}; accepted: one for each",
          values.size(), x.size());
  return values;
}

LossPoint PythonLoss::at(double x) const {
  const py::gil_scoped_acquire interpreter;
  const double value = call(functions_->function, x);
  const LossPoint point{value, functions_->slope.is_none() ? difference_quotient(x, value)
                                                           : call(functions_->slope, x)};
  check(x, point);
  return point;
}

/// To the left. Just above 0 that would be the slope below 0: if there is a kink, that of the
/// right is returned.
double PythonLoss::difference_quotient(double x, double value) const {
  const auto quotient = [&](double other) {
    return (value - call(functions_->function, other)) / (x - other);
  };
  const double step = difference_step(x);
  const double left = quotient(x - step);
  if (!(x > 0.0 && x < step)) return left;
  const double right = quotient(x + step);
  return std::abs(right - left) > margin * std::abs(left) ? right : left;
}

/// NaN fulfils nothing and violates nothing: what overflows is found by those who call the loss.
void PythonLoss::check(double x, const LossPoint& point) const {
  constexpr double least_chord = 1e-3;  // closer to 0 the loss may have lost its digits
  const auto [lower, upper] = functions_->slope_bounds;
  const double noise =
      16.0 * std::numeric_limits<double>::epsilon() * std::abs(point.value) / difference_step(x);
  const auto check_slope = [&](double slope, const char* where) {
    require(!(slope < lower * (1.0 - margin) - noise || slope > upper * (1.0 + margin) + noise),
            "the loss has the slope {:.6g} {} {:.6g}, outside its slope bounds ({}, {}); accepted: "
            "bounds that hold everywhere, since error bounds rest on them",
            slope, where, x, lower, upper);
  };
  check_slope(point.left_slope, "at");
  if (std::abs(x) < least_chord) return;
  const double chord = point.value / x;
  check_slope(chord, "between 0 and");
  // A convex function has its tangents below the origin, and a concave one above.
  const Curvature curvature =
      x < 0.0 ? functions_->curvature.negative : functions_->curvature.positive;
  const double excess = (point.left_slope - chord) * (x < 0.0 ? -1.0 : 1.0);
  const double allowed = margin * std::abs(chord) + noise;
  require(
      !(is_convex(curvature) && excess < -allowed) && !(is_concave(curvature) && excess > allowed),
      "between 0 and {:.6g} the loss is not {}, as its curvature says; accepted: a curvature "
      "that holds everywhere, since error bounds rest on it, or mixed",
      x, to_string(curvature));
}

double PythonLoss::score(double x) const {
  const py::gil_scoped_acquire interpreter;
  if (!functions_->score.is_none()) return number_of(functions_->score(x));
  constexpr int most_evaluations = 10'000;
  Integral integral([this](double y) { return call(functions_->function, y); }, most_evaluations);
  return x == 0.0 ? 0.0 : integral(0.0, x);
}

LossPoint expected_loss(const PythonLoss& loss, const Law& law, double m) {
  if (!loss.takes_arrays_) return shortfall::expected_loss<PythonLoss>(loss, law, m);
  const py::gil_scoped_acquire interpreter;
  const auto count = static_cast<py::ssize_t>(law.atoms.size());
  Array x(count);
  Array left(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    x.mutable_at(i) = law.atoms[static_cast<std::size_t>(i)] - m;
    left.mutable_at(i) = x.at(i) - difference_step(x.at(i));
  }
  const LossFunctions& functions = loss.functions();
  const Array values = loss.call(functions.function, x);
  const bool has_slope = !functions.slope.is_none();
  const Array other =
      has_slope ? loss.call(functions.slope, x) : loss.call(functions.function, left);
  LossPoint sum{0.0, 0.0};
  for (py::ssize_t i = 0; i < count; ++i) {
    const double p = law.probabilities[static_cast<std::size_t>(i)];
    if (p == 0.0) continue;
    const double slope =
        has_slope ? other.at(i) : (values.at(i) - other.at(i)) / (x.at(i) - left.at(i));
    loss.check(x.at(i), {values.at(i), slope});
    sum.value += p * values.at(i);
    sum.left_slope += p * slope;
  }
  return sum;
}

}  // namespace shortfall::python
