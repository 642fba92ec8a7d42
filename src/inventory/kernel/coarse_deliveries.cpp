#include "inventory/kernel/coarse_deliveries.hpp"

#include <cmath>

#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory {
namespace {

/// The additive recurrence u_k = 1/2 + k (1/g, 1/g², ..) mod 1, where g > 1 solves
/// g^(d+1) = g + 1: of all such sequences in dimension d it is among the most even (the golden
/// ratio for d = 1).
std::vector<double> recurrence_steps(std::size_t dimension) {
  double g = 2.0;
  for (int i = 0; i < 100; ++i)
    g = portable::pow(1.0 + g, 1.0 / static_cast<double>(dimension + 1));
  std::vector<double> steps(dimension);
  double power = 1.0;
  for (double& step : steps) step = power /= g;
  return steps;
}

/// The smallest value whose distribution function reaches u.
std::size_t quantile(const NestedBinomials::Weights& weights, double u) {
  double sum = 0.0;
  for (std::size_t value = weights.first; value < weights.last; ++value) {
    sum += weights.at_first[value - weights.first];
    if (u <= sum) return value;
  }
  return weights.last;
}

/// The delivery of z units at a point of the unit cube.
CoarseDeliveries::Point delivery_at(const NestedBinomials& arrivals, std::size_t shelf_life,
                                    std::size_t z, std::span<const double> u) {
  CoarseDeliveries::Point sums{};
  std::size_t r = z;  // units up to age i
  for (std::size_t i = shelf_life; i >= 3; --i) {
    r -= quantile(arrivals.weights(z, i, r), u[shelf_life - i]);
    sums[i - 2] = static_cast<std::uint8_t>(r);
  }
  sums[0] = static_cast<std::uint8_t>(quantile(arrivals.weights(z, 2, r), u[shelf_life - 2]));
  return sums;
}

}  // namespace

CoarseDeliveries::CoarseDeliveries(const NestedBinomials& arrivals, std::size_t shelf_life) {
  const std::vector<double> steps = recurrence_steps(shelf_life - 1);
  std::vector<double> u(steps.size());
  begin_.push_back(0);
  for (std::size_t z = 0; z <= arrivals.max_order(); ++z) {
    if (shelf_life >= 3 && arrivals.deliveries(z) > least_saving * points_per_order) {
      for (std::size_t k = 1; k <= points_per_order; ++k) {
        for (std::size_t j = 0; j < u.size(); ++j) {
          const double at = 0.5 + static_cast<double>(k) * steps[j];
          u[j] = at - std::floor(at);
        }
        points_.push_back(delivery_at(arrivals, shelf_life, z, u));
      }
    }
    begin_.push_back(points_.size());
  }
}

}  // namespace shortfall::inventory
