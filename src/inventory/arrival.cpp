#include "shortfall/inventory/arrival.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

std::vector<double> Arrival::probabilities(std::size_t order) const {
  std::vector<double> p(shelf_life_, 0.0);
  if (is_fresh()) {
    p.back() = 1.0;
    return p;
  }
  // p holds the logits first; relative to their maximum none overflows.
  for (std::size_t i = 1; i < shelf_life_; ++i) {
    p[i] = c0_[i - 1] + c1_[i - 1] * static_cast<double>(order);
  }
  const double top = *std::max_element(p.begin(), p.end());
  double sum = 0.0;
  for (double& value : p) sum += value = std::exp(value - top);
  for (double& value : p) value /= sum;
  return p;
}

}  // namespace shortfall::inventory
