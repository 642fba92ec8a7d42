#pragma once

#include <functional>
#include <span>
#include <vector>

namespace shortfall::inventory::detail {

/// The 0.95-quantile of χ² with one degree of freedom, and its root, that of the normal law.
inline constexpr double chi_square_95 = 3.841458820694124;
inline constexpr double normal_975 = 1.959963984540054;

/// -log 0.05: no event on n days has probability 0.05 if 3.0 are expected (the "rule of three").
inline constexpr double rule_of_three = 2.995732273553991;

/// P(χ² > x) with the given degrees of freedom, for x ≥ 0. Check: 3.8415 and 1 give 0.05.
double chi_square_tail(double x, double degrees);

/// P(F > x) for a ratio of mean squares with the given degrees of freedom. Check: 161.45 and 1, 1
/// give 0.05.
double f_tail(double x, double numerator, double denominator);

/// A function of θ that also writes its gradient.
using Objective = std::function<double(std::span<const double> theta, std::span<double> gradient)>;

struct Bounds {
  std::vector<double> low;
  std::vector<double> high;
};

struct Maximum {
  std::vector<double> theta;
  double value;
};

/// The maximum of a smooth function within bounds, from `start`, by sequential quadratic
/// programming (Kraft's SLSQP in NLopt). Coordinates with equal bounds stay fixed.
Maximum maximise(const Objective& objective, std::vector<double> start, const Bounds& bounds);

}  // namespace shortfall::inventory::detail
