#include "shortfall/risk/entropic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall {
namespace {

double checked_positive(const char* what, double value) {
  require(value > 0.0 && value < infinity, "{} = {}; accepted: a number > 0", what, value);
  return value;
}

/// (e^{βx} - 1 - βx) / β without cancellation near 0. There a factor βx is divided by β at once:
/// its square may be too small for a double where the quotient is not.
double integral_of(double beta, double x) {
  const double u = beta * x;
  if (std::abs(u) > 1e-2) return (portable::expm1(u) - u) / beta;
  return x * (u * (1.0 / 2 + u * (1.0 / 6 + u * (1.0 / 24 + u * (1.0 / 120 + u / 720)))));
}

/// e^{βx} - 1 and its slope. In double, rounding β x alone would cost as many units as the size of
/// β x, and the tangents of a loss extend it that far.
LossPoint end_of(double beta, double x) {
  static_assert(std::numeric_limits<long double>::digits >= 64, "needs an extended long double");
  const long double exponent = static_cast<long double>(beta) * x;
  return {static_cast<double>(std::expm1(exponent)),
          static_cast<double>(beta * std::exp(exponent))};
}

}  // namespace

Entropic::Entropic(double beta) : beta_(checked_positive("entropic beta", beta)) {}

LossPoint Entropic::at(double x) const {
  return {portable::expm1(beta_ * x), beta_ * portable::exp(beta_ * x)};
}

double Entropic::score(double x) const {
  return integral_of(beta_, x);
}

SlopeBounds Entropic::slope_bounds() const {
  return {0.0, infinity};
}

HalfLineCurvature Entropic::curvature() const {
  return {Curvature::convex, Curvature::convex};
}

TruncatedEntropic::TruncatedEntropic(double beta, double bound)
    : beta_(checked_positive("truncated-entropic beta", beta)),
      bound_(checked_positive("truncated-entropic bound", bound)),
      lower_end_(end_of(beta, -bound)),
      upper_end_(end_of(beta, bound)) {
  require(
      upper_end_.left_slope < infinity &&
          lower_end_.left_slope >= std::numeric_limits<double>::min(),
      "truncated-entropic beta * bound = {} leaves no usable slopes; accepted: at most about 700",
      beta * bound);
}

LossPoint TruncatedEntropic::at(double x) const {
  if (x > bound_) {
    return {upper_end_.value + upper_end_.left_slope * (x - bound_), upper_end_.left_slope};
  }
  if (x < -bound_) {
    return {lower_end_.value + lower_end_.left_slope * (x + bound_), lower_end_.left_slope};
  }
  return {portable::expm1(beta_ * x), beta_ * portable::exp(beta_ * x)};
}

double TruncatedEntropic::score(double x) const {
  const double inside = std::clamp(x, -bound_, bound_);
  const auto [value, slope] = at(inside);
  const double beyond = x - inside;
  return integral_of(beta_, inside) + beyond * (value + 0.5 * slope * beyond);
}

SlopeBounds TruncatedEntropic::slope_bounds() const {
  return {lower_end_.left_slope, upper_end_.left_slope};
}

HalfLineCurvature TruncatedEntropic::curvature() const {
  return {Curvature::convex, Curvature::convex};
}

}  // namespace shortfall
