#include "shortfall/inventory/demand.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "shortfall/error.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall::inventory {
namespace {

void check_mean(double mean) {
  if (std::isfinite(mean) && mean >= 0.0) return;
  throw InvalidInput(fmt::format("mean demand = {}; accepted: a number, at least 0", mean));
}

void check_largest(std::size_t max) {
  if (max <= largest_demand) return;
  throw InvalidInput(fmt::format("largest demand = {}; accepted: 0 to {}", max, largest_demand));
}

/// The law cut at `max`: below it from log P(D = 0) and log P(D = k+1) / P(D = k), since log Γ(n+k)
/// and log Γ(n) would cancel where n is large; and the rest of the mass there.
template <class LogRatio>
std::vector<double> cut(std::size_t max, double log_first, LogRatio&& log_ratio) {
  std::vector<double> law(max + 1);
  double log_probability = log_first;
  double below = 0.0;
  for (std::size_t k = 0; k < max; ++k) {
    law[k] = std::exp(log_probability);
    below += law[k];
    log_probability += log_ratio(static_cast<double>(k));
  }
  law[max] = std::max(0.0, 1.0 - below);
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
  if (!(std::isfinite(n) && n > 0.0)) {
    throw InvalidInput(fmt::format("n of the negative binomial = {}; accepted: above 0", n));
  }
  if (mean == 0.0) return no_demand(max);
  // log p and log(1-p), neither of which cancels.
  const double log_stop = -std::log1p(mean / n);
  const double log_go = -std::log1p(n / mean);
  return cut(max, n * log_stop, [&](double k) { return std::log((n + k) / (k + 1.0)) + log_go; });
}

std::vector<double> poisson_demand(double mean, std::size_t max) {
  check_mean(mean);
  check_largest(max);
  if (mean == 0.0) return no_demand(max);
  return cut(max, -mean, [&](double k) { return std::log(mean / (k + 1.0)); });
}

std::vector<double> empirical_demand(std::span<const double> probabilities) {
  if (probabilities.empty() || probabilities.size() > largest_demand + 1) {
    throw InvalidInput(fmt::format("{} demand probabilities; accepted: 1 to {}, of 0, 1, ..",
                                   probabilities.size(), largest_demand + 1));
  }
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (probabilities[k] >= 0.0) continue;
    throw InvalidInput(fmt::format("probability of demand {} = {}; accepted: a number, at least 0",
                                   k, probabilities[k]));
  }
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  if (!(std::abs(sum - 1.0) <= probability_tolerance)) {
    throw InvalidInput(fmt::format("demand probabilities sum to {}; accepted: 1 within {}", sum,
                                   probability_tolerance));
  }
  std::vector<double> law(probabilities.begin(), probabilities.end());
  for (double& p : law) p /= sum;
  return law;
}

}  // namespace shortfall::inventory
