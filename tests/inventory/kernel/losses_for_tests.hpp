#pragma once

#include <cmath>
#include <limits>

#include "shortfall/risk/loss.hpp"

namespace shortfall::testing {

/// A user-defined loss: x + sin(x) / 2, slopes between 1/2 and 3/2.
struct Wavy {
  LossPoint at(double x) const { return {x + 0.5 * std::sin(x), 1.0 + 0.5 * std::cos(x)}; }
  double score(double x) const { return 0.5 * x * x + 0.5 * (1.0 - std::cos(x)); }
  SlopeBounds slope_bounds() const { return {0.5, 1.5}; }
  HalfLineCurvature curvature() const { return {Curvature::mixed, Curvature::mixed}; }
};

/// A loss without bounded slopes, sinh, which overflows for costs that are not small.
struct Steep {
  LossPoint at(double x) const { return {std::sinh(x), std::cosh(x)}; }
  double score(double x) const { return std::cosh(x) - 1.0; }
  SlopeBounds slope_bounds() const { return {1.0, std::numeric_limits<double>::infinity()}; }
  HalfLineCurvature curvature() const { return {Curvature::concave, Curvature::convex}; }
};

}  // namespace shortfall::testing
