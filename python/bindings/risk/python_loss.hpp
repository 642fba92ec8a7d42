#pragma once

#include <pybind11/numpy.h>

#include <memory>

#include "shortfall/risk/law.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::python {

/// A loss as given in Python. `slope` and `score` may be None.
struct LossFunctions {
  pybind11::object function;
  pybind11::object slope;
  pybind11::object score;
  SlopeBounds slope_bounds;
  HalfLineCurvature curvature;
};

/// A loss that is a Python function, ℓ(x). A function that takes arrays is called once per
/// distribution, with all outcomes; one that takes only numbers is called once per outcome. A
/// missing slope is replaced by a left difference quotient, accurate to about eight digits. This is
/// enough, because slopes only guide the iterations. A missing score ψ(x) = ∫₀ˣ ℓ is integrated
/// numerically.
///
/// Error bounds rest on its slope bounds and curvature, which nobody can verify for a function.
/// Wherever the loss is evaluated it is checked that they hold there, and between there and the
/// origin.
///
/// Solvers copy and call it from their own threads: it takes the interpreter lock for each call.
class PythonLoss {
 public:
  /// Throws InvalidInput unless ℓ(0) = 0 and ℓ increases along a few test points.
  explicit PythonLoss(LossFunctions functions);

  /// Throws InvalidInput if the slope bounds or the curvature are seen not to hold.
  LossPoint at(double x) const;
  double score(double x) const;
  SlopeBounds slope_bounds() const { return functions_->slope_bounds; }
  HalfLineCurvature curvature() const { return functions_->curvature; }
  const LossFunctions& functions() const { return *functions_; }

  /// E ℓ(X - m) and its slope. CustomLoss calls this instead of the plain template.
  friend LossPoint expected_loss(const PythonLoss& loss, const Law& law, double m);

 private:
  double difference_quotient(double x, double value) const;
  void check(double x, const LossPoint& point) const;
  double call(const pybind11::object& function, double x) const;
  pybind11::array_t<double> call(const pybind11::object& function,
                                 const pybind11::array_t<double>& x) const;

  std::shared_ptr<const LossFunctions> functions_;
  bool takes_arrays_ = false;
};

}  // namespace shortfall::python
