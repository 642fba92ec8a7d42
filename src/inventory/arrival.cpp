#include "shortfall/inventory/arrival.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "shortfall/error.hpp"

namespace shortfall::inventory {
namespace {

void check_coefficients(const char* name, const std::vector<double>& c, std::size_t shelf_life) {
  if (c.size() + 1 != shelf_life) {
    throw InvalidInput(fmt::format("{} has {} entries; accepted: {}, for 2 to {} periods left",
                                   name, c.size(), shelf_life - 1, shelf_life));
  }
  for (const double value : c) {
    if (!std::isfinite(value)) throw InvalidInput(fmt::format("{} must be finite", name));
  }
}

}  // namespace

Arrival Arrival::fresh(std::size_t shelf_life) {
  if (shelf_life < 1) throw InvalidInput("shelf life = 0; accepted: at least 1");
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

/// In extended precision, since an error of a logit is a factor of a probability. Relative to their
/// maximum none overflows.
std::vector<long double> Arrival::log_probabilities(std::size_t order) const {
  std::vector<long double> logs(shelf_life_, 0.0L);
  for (std::size_t i = 1; i < shelf_life_; ++i) {
    logs[i] = c0_[i - 1] + static_cast<long double>(c1_[i - 1]) * static_cast<long double>(order);
  }
  const long double top = *std::max_element(logs.begin(), logs.end());
  long double sum = 0.0L;
  for (long double& value : logs) sum += std::exp(value -= top);
  for (long double& value : logs) value -= std::log(sum);
  return logs;
}

std::vector<double> Arrival::probabilities(std::size_t order) const {
  std::vector<double> p(shelf_life_, 0.0);
  if (is_fresh()) {
    p.back() = 1.0;
    return p;
  }
  const std::vector<long double> logs = log_probabilities(order);
  for (std::size_t i = 0; i < shelf_life_; ++i) p[i] = static_cast<double>(std::exp(logs[i]));
  return p;
}

Arrival::Accuracy Arrival::accuracy(std::size_t order) const {
  if (is_fresh()) return {0.0, 0.0};
  const std::vector<long double> logs = log_probabilities(order);
  const auto least = static_cast<double>(*std::min_element(logs.begin(), logs.end()));
  double terms = 0.0;  // of the largest logit, each of which is rounded
  for (std::size_t i = 0; i + 1 < shelf_life_; ++i) {
    const double slope = std::abs(c1_[i]) * static_cast<double>(order);
    terms = std::max(terms, std::abs(c0_[i]) + slope);
  }
  constexpr double unit = std::numeric_limits<long double>::epsilon();
  return {std::numeric_limits<double>::epsilon() + 8.0 * unit * (terms + std::abs(least)), least};
}

}  // namespace shortfall::inventory
