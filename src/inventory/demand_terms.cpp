#include "inventory/demand_terms.hpp"

#include "shortfall/portable_math.hpp"

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

DemandTerms::Side DemandTerms::below(std::size_t k, double mean, double at_k) const {
  Side side;
  double probability = at_k;
  for (std::size_t j = k; j-- > 0;) {
    probability /= ratio(j, mean);
    if (probability <= 1e-18 * side.total) break;  // once terms fall, the rest is negligible
    side.total += probability;
    side.by_dispersion +=
        probability * by_dispersion(static_cast<double>(j), by_dispersion_[j], mean);
  }
  return side;
}

DemandTerms::Side DemandTerms::from(std::size_t k, double mean) const {
  Side side;
  double relative = 1.0;  // P(D = j) / P(D = k)
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
  constexpr double short_tail = 1e-3;    // below it, 1 minus the other side loses too many digits
  constexpr double underflows = -700.0;  // exp of less is not a normal number
  const LikelihoodTerm edge = exactly(k, mean);
  const bool is_far_above = edge.value < underflows && ratio(k, mean) < 1.0;
  const Side lower = is_far_above ? Side{.total = 1.0} : below(k, mean, portable::exp(edge.value));
  const double p = 1.0 - lower.total;
  LikelihoodTerm term;
  if (p > short_tail) {
    term.value = portable::log1p(-lower.total);
    term.by_dispersion = -lower.by_dispersion / p;
  } else {
    const Side upper = from(k, mean);
    term.value = edge.value + portable::log(upper.total);
    term.by_dispersion = upper.by_dispersion / upper.total;
  }
  term.by_log_mean = static_cast<double>(k) * portable::exp(edge.value - term.value);
  return term;
}

}  // namespace shortfall::inventory::detail
