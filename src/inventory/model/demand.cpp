#include "shortfall/inventory/model/demand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/risk/compensated_sum.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall::inventory {
namespace {

void check_mean(double mean) {
  require(std::isfinite(mean) && mean >= 0.0, "mean demand = {}; accepted: a number, at least 0",
          mean);
}

void check_largest(std::size_t max) {
  require(max <= largest_demand, "largest demand = {}; accepted: 0 to {}", max, largest_demand);
}

/// Extended precision, so that the stored results are essentially rounded once.
using Extended = long double;
constexpr Extended negligible = std::numeric_limits<Extended>::epsilon();
static_assert(std::numeric_limits<Extended>::digits >= 64, "needs an extended long double");

/// Boost's defaults, except that a result that is not fully accurate is better than an exception.
using Lenient = boost::math::policies::policy<
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>>;

/// A probability that underflows is kept as the smallest positive one, so that bounds take it
/// into account.
double stored(Extended probability) {
  return std::max(static_cast<double>(probability), std::numeric_limits<double>::denorm_min());
}

/// The law truncated at `max`: from P(D = 0) and the ratios P(D = k+1) / P(D = k), with all the
/// remaining mass at `max`. That tail may be far below the rounding error of one, but risk-averse
/// losses still depend on it. It is computed as a difference from one only if that cannot cancel,
/// otherwise as the sum of its terms, or as `survival(max)` if there are too many terms to keep
/// their digits.
template <class Ratio, class Survival>
std::vector<double> cut(std::size_t max, Extended first, Ratio&& ratio, Survival&& survival) {
  constexpr std::size_t max_terms = 16384;
  std::vector<double> law(max + 1);
  Extended probability = first;
  Extended below = 0;
  for (std::size_t k = 0; k < max; ++k) {
    law[k] = stored(probability);
    below += probability;
    probability *= ratio(static_cast<Extended>(k));
  }
  if (2 * below <= 1) {
    law[max] = stored(1 - below);
    return law;
  }
  Extended tail = 0;
  for (std::size_t k = max; k < max + max_terms; ++k) {
    tail += probability;
    const Extended next = ratio(static_cast<Extended>(k));
    // Ratios decrease, or increase to a limit: the rest is at most a geometric series with the
    // larger of the two.
    const Extended largest = std::max(next, ratio(std::numeric_limits<Extended>::max()));
    if (largest < 1 && probability * next <= negligible * (1 - largest) * tail) {
      law[max] = stored(tail);
      return law;
    }
    probability *= next;
  }
  law[max] = stored(survival(static_cast<Extended>(max)));
  return law;
}

std::vector<double> no_demand(std::size_t max) {
  std::vector<double> law(max + 1, 0.0);
  law[0] = 1.0;
  return law;
}

}  // namespace

std::vector<double> negative_binomial_demand(double n, double mean, std::size_t max) {
  check_mean(mean);
  check_largest(max);
  require(std::isfinite(n) && n > 0.0, "n of the negative binomial = {}; accepted: above 0", n);
  if (mean == 0.0) return no_demand(max);
  const Extended size = n;
  const Extended stop = size / (size + mean);  // p
  const Extended go = mean / (size + mean);    // 1 - p
  return cut(
      max, std::exp(-size * std::log1p(mean / size)),
      [&](Extended k) { return (size / (k + 1) + k / (k + 1)) * go; },
      // P(D ≥ k) = I_go(k, n), from whichever of the two probabilities is not near one.
      [&](Extended k) {
        return go < stop ? boost::math::ibeta(k, size, go, Lenient())
                         : boost::math::ibetac(size, k, stop, Lenient());
      });
}

std::vector<double> poisson_demand(double mean, std::size_t max) {
  check_mean(mean);
  check_largest(max);
  if (mean == 0.0) return no_demand(max);
  const Extended rate = mean;
  return cut(
      max, std::exp(-rate), [&](Extended k) { return rate / (k + 1); },
      [&](Extended k) { return boost::math::gamma_p(k, rate, Lenient()); });
}

std::vector<double> empirical_demand(std::span<const double> probabilities) {
  require(!probabilities.empty() && probabilities.size() <= largest_demand + 1,
          "{} demand probabilities; accepted: 1 to {}, of 0, 1, ..", probabilities.size(),
          largest_demand + 1);
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (probabilities[k] >= 0.0) continue;
    throw InvalidInput(fmt::format("probability of demand {} = {}; accepted: a number, at least 0",
                                   k, probabilities[k]));
  }
  const double sum = compensated_sum(probabilities);
  require(std::abs(sum - 1.0) <= probability_tolerance,
          "demand probabilities sum to {}; accepted: 1 within {}", sum, probability_tolerance);
  std::vector<double> law(probabilities.begin(), probabilities.end());
  for (double& p : law) p /= sum;
  return law;
}

}  // namespace shortfall::inventory
