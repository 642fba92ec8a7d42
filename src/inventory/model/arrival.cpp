#include "shortfall/inventory/model/arrival.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall::inventory {
namespace {

void check_coefficients(const char* name, const std::vector<double>& c, std::size_t shelf_life) {
  require(c.size() + 1 == shelf_life, "{} has {} entries; accepted: {}, for 2 to {} periods left",
          name, c.size(), shelf_life - 1, shelf_life);
  for (const double value : c) {
    require(std::isfinite(value), "{} is not finite; accepted: a finite number", name);
  }
}

constexpr long double unit = std::numeric_limits<long double>::epsilon();

}  // namespace

Arrival Arrival::fresh(std::size_t shelf_life) {
  require(shelf_life >= 1, "shelf life = 0; accepted: at least 1");
  return Arrival(shelf_life);
}

Arrival Arrival::shares(std::vector<double> p) {
  require(!p.empty(), "no shares on arrival; accepted: one for each number of periods left");
  Arrival arrival = fresh(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    require(p[i] >= 0.0, "share of units with {} periods left = {}; accepted: a number, at least 0",
            i + 1, p[i]);
  }
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  require(std::abs(sum - 1.0) <= probability_tolerance,
          "shares on arrival sum to {}; accepted: 1 within {}", sum, probability_tolerance);
  if (p.back() < sum) arrival.shares_ = std::move(p);  // otherwise all are fresh
  return arrival;
}

Arrival Arrival::logit(std::size_t shelf_life, std::vector<double> c0, std::vector<double> c1) {
  Arrival arrival = fresh(shelf_life);
  check_coefficients("c0", c0, shelf_life);
  check_coefficients("c1", c1, shelf_life);
  arrival.c0_ = std::move(c0);
  arrival.c1_ = std::move(c1);
  return arrival;
}

std::size_t Arrival::possible_ages() const {
  if (is_fresh()) return 1;
  if (depends_on_order()) return shelf_life_;
  return static_cast<std::size_t>(
      std::count_if(shares_.begin(), shares_.end(), [](double p) { return p > 0.0; }));
}

Arrival::Extended Arrival::extended_probabilities(std::size_t order) const {
  if (is_fresh()) {
    Extended fresh{std::vector<long double>(shelf_life_, 0.0L), 0.0, 0.0};
    fresh.probability.back() = 1.0L;
    return fresh;
  }
  return shares_.empty() ? extended_logits(order) : extended_shares();
}

/// The sum is off by less than a unit for each term, and a quotient by one more.
Arrival::Extended Arrival::extended_shares() const {
  const long double sum = std::accumulate(shares_.begin(), shares_.end(), 0.0L);
  Extended result{{}, static_cast<double>(unit * static_cast<long double>(shelf_life_ + 1)), 0.0};
  for (const double share : shares_) {
    const long double p = share / sum;
    result.probability.push_back(p);
    if (p > 0.0L) result.least_log = std::min(result.least_log, static_cast<double>(std::log(p)));
  }
  return result;
}

Arrival::Extended Arrival::extended_logits(std::size_t order) const {
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
  const long double error = 4.0L * unit * (largest_terms - lowest + 4.0L);
  return {std::move(p), static_cast<double>(error), static_cast<double>(lowest - std::log(sum))};
}

std::vector<double> Arrival::probabilities(std::size_t order) const {
  const Extended extended = extended_probabilities(order);
  return {extended.probability.begin(), extended.probability.end()};
}

}  // namespace shortfall::inventory
