#include "inventory/fit/demand_counts.hpp"

#include <algorithm>

#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

/// (log(1 + x) - x / (1 + x)) / x², which cancels for small x: 1/2 - 2/3 x + 3/4 x² - ..
double second_order(double x) {
  if (x > 0.01) return (portable::log1p(x) - x / (1.0 + x)) / (x * x);
  double sum = 0.0;
  for (int m = 9; m >= 0; --m) sum = (m + 1.0) / (m + 2.0) - x * sum;
  return sum;
}

}  // namespace

DemandTerms::DemandTerms(double dispersion, std::size_t largest) : dispersion_(dispersion) {
  double constant = 0.0;
  double by_dispersion = 0.0;
  for (std::size_t k = 0; k <= largest; ++k) {
    constant_.push_back(constant);
    by_dispersion_.push_back(by_dispersion);
    const auto j = static_cast<double>(k);
    constant += portable::log1p(j * dispersion) - portable::log(j + 1.0);
    by_dispersion += j / (1.0 + j * dispersion);
  }
}

LikelihoodTerm DemandTerms::exactly(std::size_t k, double mean) const {
  const auto units = static_cast<double>(k);
  const double x = dispersion_ * mean;
  const double rate = dispersion_ > 0.0 ? portable::log1p(x) / dispersion_ : mean;
  return {.value = constant_[k] + units * (portable::log(mean) - portable::log1p(x)) - rate,
          .by_log_mean = (units - mean) / (1.0 + x),
          .by_dispersion = by_dispersion(units, by_dispersion_[k], mean)};
}

double DemandTerms::by_dispersion(double units, double of_factors, double mean) const {
  const double x = dispersion_ * mean;
  return of_factors + mean * mean * second_order(x) - units * mean / (1.0 + x);
}

double DemandTerms::ratio(std::size_t j, double mean) const {
  const auto units = static_cast<double>(j);
  return mean * (1.0 + units * dispersion_) / ((units + 1.0) * (1.0 + dispersion_ * mean));
}

DemandTerms::Side DemandTerms::below(std::size_t k, double mean) const {
  Side side;
  double relative = 1.0;
  for (std::size_t j = k; j-- > 0;) {
    relative /= ratio(j, mean);
    if (relative <= 1e-18 * side.total) break;  // once terms fall, the rest is negligible
    side.total += relative;
    side.by_dispersion += relative * by_dispersion(static_cast<double>(j), by_dispersion_[j], mean);
  }
  return side;
}

DemandTerms::Side DemandTerms::from(std::size_t k, double mean) const {
  Side side;
  double relative = 1.0;
  double of_factors = by_dispersion_[k];
  for (std::size_t j = k; relative > 1e-17 * side.total; ++j) {
    const auto units = static_cast<double>(j);
    side.total += relative;
    side.by_dispersion += relative * by_dispersion(units, of_factors, mean);
    of_factors += units / (1.0 + units * dispersion_);
    relative *= ratio(j, mean);
  }
  return side;
}

LikelihoodTerm DemandTerms::at_least(std::size_t k, double mean) const {
  if (k == 0) return {};
  constexpr double short_tail = 1e-3;
  constexpr double underflows = -700.0;  // exp of less is not a normal number
  constexpr double long_sum = 4.0;       // of αμ: upwards there are about 40 αμ terms
  const LikelihoodTerm edge = exactly(k, mean);
  const bool is_far_above = edge.value < underflows && ratio(k, mean) < 1.0;
  const Side lower = is_far_above ? Side{} : below(k, mean);
  const double at_k = portable::exp(edge.value);
  const double p = is_far_above ? 0.0 : 1.0 - at_k * lower.total;
  const bool is_short = p <= short_tail;
  LikelihoodTerm term;
  if (is_short || dispersion_ * mean <= long_sum) {
    const Side upper = from(k, mean);
    term.value = is_short ? edge.value + portable::log(upper.total)
                          : -portable::log1p(lower.total / upper.total);
    term.by_dispersion = upper.by_dispersion / upper.total;
  } else {
    term.value = portable::log1p(-at_k * lower.total);
    term.by_dispersion = -at_k * lower.by_dispersion / p;
  }
  term.by_log_mean = static_cast<double>(k) * portable::exp(edge.value - term.value);
  return term;
}

void DemandCounts::make_room(std::size_t k) {
  if (k < exactly_.size()) return;
  exactly_.resize(k + 1);
  at_least_.resize(k + 1);
}

void DemandCounts::add(const DayRecord& day) {
  make_room(day.demand);
  ++(day.stockout ? at_least_ : exactly_)[day.demand];
  ++(day.stockout ? stockouts_ : known_days_);
}

void DemandCounts::add(const DemandCounts& other) {
  if (other.days() == 0) return;
  make_room(other.largest());
  for (std::size_t k = 0; k <= other.largest(); ++k) {
    exactly_[k] += other.exactly_[k];
    at_least_[k] += other.at_least_[k];
  }
  known_days_ += other.known_days_;
  stockouts_ += other.stockouts_;
}

bool DemandCounts::is_zero() const {
  const auto positive = [](const std::vector<std::uint32_t>& counts) {
    return std::ranges::any_of(counts.begin() + (counts.empty() ? 0 : 1), counts.end(),
                               [](std::uint32_t days) { return days > 0; });
  };
  return !positive(exactly_) && !positive(at_least_);
}

double DemandCounts::recorded_mean() const {
  double units = 0.0;
  for (std::size_t k = 0; k < exactly_.size(); ++k) {
    units += static_cast<double>(k) * static_cast<double>(exactly_[k] + at_least_[k]);
  }
  return days() == 0 ? 0.0 : units / static_cast<double>(days());
}

double DemandCounts::known_variance() const {
  if (known_days_ < 2) return 0.0;
  double mean = 0.0;
  for (std::size_t k = 0; k < exactly_.size(); ++k) mean += static_cast<double>(k) * exactly_[k];
  mean /= static_cast<double>(known_days_);
  double sum = 0.0;
  for (std::size_t k = 0; k < exactly_.size(); ++k) {
    sum += (static_cast<double>(k) - mean) * (static_cast<double>(k) - mean) * exactly_[k];
  }
  return sum / static_cast<double>(known_days_ - 1);
}

LikelihoodTerm DemandCounts::log_likelihood(double mean, const DemandTerms& terms) const {
  LikelihoodTerm sum;
  if (mean == 0.0) {
    sum.value = is_zero() ? 0.0 : -infinity;
    return sum;
  }
  for (std::size_t k = 0; k < exactly_.size(); ++k) {
    if (exactly_[k] > 0) sum.add(exactly_[k], terms.exactly(k, mean));
    if (at_least_[k] > 0) sum.add(at_least_[k], terms.at_least(k, mean));
  }
  return sum;
}

}  // namespace shortfall::inventory::detail
