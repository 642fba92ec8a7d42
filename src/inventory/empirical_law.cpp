#include "inventory/empirical_law.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "inventory/chi_square.hpp"
#include "shortfall/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

/// Of the mean Σ_k P(D > k): Σ_k A_k² d_k / (Y_k (Y_k - d_k)), A_k = Σ_{j≥k} P(D > j).
double greenwood_variance(const DemandCounts& counts, const std::vector<std::size_t>& at_risk,
                          const std::vector<double>& above) {
  double variance = 0.0;
  double area = 0.0;
  for (std::size_t k = at_risk.size(); k-- > 0;) {
    area += above[k];
    const double events = counts.exactly()[k];
    const auto risk = static_cast<double>(at_risk[k]);
    if (events > 0.0 && events < risk) variance += area * area * events / (risk * (risk - events));
  }
  return variance;
}

double log_likelihood_of(const DemandCounts& counts, const std::vector<double>& probabilities) {
  double sum = 0.0;
  double tail = 0.0;
  for (std::size_t k = probabilities.size(); k-- > 0;) {
    tail += probabilities[k];
    if (counts.exactly()[k] > 0) sum += counts.exactly()[k] * portable::log(probabilities[k]);
    if (counts.at_least()[k] > 0) sum += counts.at_least()[k] * portable::log(std::min(tail, 1.0));
  }
  return sum;
}

}  // namespace

std::vector<std::size_t> days_at_risk(const DemandCounts& counts) {
  std::vector<std::size_t> at_risk(counts.exactly().size());
  std::size_t later = 0;
  for (std::size_t k = at_risk.size(); k-- > 0;) {
    later += counts.exactly()[k];
    at_risk[k] = later;
    later += counts.at_least()[k];  // known to be at least k, hence above k - 1
  }
  return at_risk;
}

EmpiricalLaw empirical_law(const DemandCounts& counts) {
  const std::vector<std::size_t> at_risk = days_at_risk(counts);
  EmpiricalLaw law{std::vector<double>(at_risk.size()), 0.0, {}, 0.0, 0, 0.0};
  std::vector<double> above(at_risk.size());  // P(D > k)
  double tail = 1.0;
  for (std::size_t k = 0; k < at_risk.size(); ++k) {
    const double hazard = at_risk[k] == 0 ? 0.0
                                          : static_cast<double>(counts.exactly()[k]) /
                                                static_cast<double>(at_risk[k]);
    law.probabilities[k] = tail * hazard;
    if (law.probabilities[k] > 0.0) ++law.parameters;
    if (at_risk[k] > 0) {
      tail *=
          static_cast<double>(at_risk[k] - counts.exactly()[k]) / static_cast<double>(at_risk[k]);
    }
    above[k] = tail;
  }
  law.unknown_mass = tail;
  if (tail > 0.0) {
    if (law.probabilities.back() == 0.0) ++law.parameters;
    law.probabilities.back() += tail;
    above.back() = 0.0;
  }
  if (law.parameters > 0) --law.parameters;
  for (const double p : above) law.mean += p;
  law.log_likelihood = log_likelihood_of(counts, law.probabilities);
  const auto days = static_cast<double>(counts.days());
  const double variance =
      greenwood_variance(counts, at_risk, above) * (days > 1.0 ? days / (days - 1.0) : 1.0);
  const double error =
      variance > 0.0
          ? boost::math::quantile(boost::math::students_t(days - 1.0), 0.975) * std::sqrt(variance)
          : -portable::expm1(-rule_of_three / days) * std::max(law.mean, 1.0);
  law.mean_interval = {std::max(law.mean - error, 0.0), law.mean + error};
  return law;
}

}  // namespace shortfall::inventory::detail
