#include "shortfall/inventory/arrival.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "require.hpp"

namespace shortfall::inventory {
namespace {

void check_coefficients(const char* name, const std::vector<double>& c, std::size_t shelf_life) {
  require(c.size() + 1 == shelf_life, "{} has {} entries; accepted: {}, for 2 to {} periods left",
          name, c.size(), shelf_life - 1, shelf_life);
  for (const double value : c) {
    require(std::isfinite(value), "{} must be finite", name);
  }
}

}  // namespace

Arrival Arrival::fresh(std::size_t shelf_life) {
  require(shelf_life >= 1, "shelf life = 0; accepted: at least 1");
  return Arrival(shelf_life);
}

Arrival Arrival::logit(std::size_t shelf_life, std::vector<double> c0, std::vector<double> c1) {
  Arrival arrival = fresh(shelf_life);
  check_coefficients("c0", c0, shelf_life);
  check_coefficients("c1", c1, shelf_life);
  arrival.c0_ = std::move(c0);
  arrival.c1_ = std::move(c1);
  return arrival;
}

Arrival::Extended Arrival::extended_probabilities(std::size_t order) const {
  if (is_fresh()) {
    Extended fresh{std::vector<long double>(shelf_life_, 0.0L), 0.0, 0.0};
    fresh.probability.back() = 1.0L;
    return fresh;
  }
  // Logits first; relative to their maximum none overflows.
  std::vector<long double> p(shelf_life_, 0.0L);
  const auto units = static_cast<long double>(order);
  long double largest_terms = 0.0L;
  for (std::size_t i = 1; i < shelf_life_; ++i) {
    p[i] = c0_[i - 1] + c1_[i - 1] * units;
    largest_terms = std::max(largest_terms, std::abs(c0_[i - 1]) + std::abs(c1_[i - 1]) * units);
  }
  const long double top = *std::max_element(p.begin(), p.end());
  const long double lowest = *std::min_element(p.begin(), p.end()) - top;
  long double sum = 0.0L;
  for (long double& value : p) sum += value = std::exp(value - top);
  for (long double& value : p) value /= sum;
  constexpr long double unit = std::numeric_limits<long double>::epsilon();
  const long double error = 4.0L * unit * (largest_terms - lowest + 4.0L);
  return {std::move(p), static_cast<double>(error), static_cast<double>(lowest - std::log(sum))};
}

std::vector<double> Arrival::probabilities(std::size_t order) const {
  const Extended extended = extended_probabilities(order);
  return {extended.probability.begin(), extended.probability.end()};
}

}  // namespace shortfall::inventory
