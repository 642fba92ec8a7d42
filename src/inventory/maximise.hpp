#pragma once

#include <functional>
#include <span>
#include <vector>

namespace shortfall::inventory::detail {

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
