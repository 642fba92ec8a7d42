#include "inventory/demand_terms.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include "shortfall/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

/// An inaccurate last digit is better than an exception, zero than an underflow error, and double
/// than extended precision, which is ten times slower.
using LenientTail = boost::math::policies::policy<
    boost::math::policies::promote_double<false>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>>;

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

double DemandTerms::tail(std::size_t k, double mean) const {
  const auto units = static_cast<double>(k);
  if (dispersion_ == 0.0) return boost::math::gamma_p(units, mean, LenientTail());
  const double x = dispersion_ * mean;
  return boost::math::ibeta(units, 1.0 / dispersion_, x / (1.0 + x), LenientTail());
}

double DemandTerms::ratio(std::size_t j, double mean) const {
  const auto units = static_cast<double>(j);
  return mean * (1.0 + units * dispersion_) / ((units + 1.0) * (1.0 + dispersion_ * mean));
}

LikelihoodTerm DemandTerms::at_least(std::size_t k, double mean) const {
  if (k == 0) return {};
  constexpr double short_tail = 1e-3;  // below it, sums over the other side cancel
  const LikelihoodTerm edge = exactly(k, mean);
  const double p = tail(k, mean);
  LikelihoodTerm term;
  if (p > short_tail) {
    double below = portable::exp(edge.value);  // P(D = j)
    double sum = 0.0;
    for (std::size_t j = k; j-- > 0;) {
      below /= ratio(j, mean);
      if (below <= 1e-18 * p) break;
      sum += below * by_dispersion(static_cast<double>(j), by_dispersion_[j], mean);
    }
    term.value = portable::log(p);
    term.by_dispersion = -sum / p;
  } else {
    double above = 1.0;  // P(D = j) / P(D = k)
    double total = 0.0;
    double sum = 0.0;
    double of_factors = by_dispersion_[k];
    for (std::size_t j = k; above > 1e-17 * total; ++j) {
      const auto units = static_cast<double>(j);
      total += above;
      sum += above * by_dispersion(units, of_factors, mean);
      of_factors += units / (1.0 + units * dispersion_);
      above *= ratio(j, mean);
    }
    term.value = edge.value + portable::log(total);
    term.by_dispersion = sum / total;
  }
  term.by_log_mean = static_cast<double>(k) * portable::exp(edge.value - term.value);
  return term;
}

}  // namespace shortfall::inventory::detail
