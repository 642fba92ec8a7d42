#include "inventory/fit/empirical_law.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "inventory/fit/likelihood.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

/// The variance of the mean Σ_k P(D > k): Σ_k A_k² d_k / (Y_k (Y_k - d_k)), A_k = Σ_{j≥k} P(D > j).
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

namespace {

/// What one group expects at one k.
struct Hazard {
  std::size_t k;
  std::size_t group;
  double at_risk;
  double events;
  double hazard;
  double by_log_mean;
  double by_dispersion;
};

std::vector<Hazard> hazards_of(std::span<const DemandCounts> groups, const GroupedLaw& law) {
  std::vector<Hazard> result;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (law.mean[g] == 0.0) continue;
    const DemandTerms terms(law.dispersion_of(g), groups[g].largest());
    const std::vector<std::size_t> at_risk = days_at_risk(groups[g]);
    for (std::size_t k = 0; k < at_risk.size() && at_risk[k] > 0; ++k) {
      const LikelihoodTerm exact = terms.exactly(k, law.mean[g]);
      const LikelihoodTerm tail = terms.at_least(k, law.mean[g]);
      const double hazard = portable::exp(exact.value - tail.value);
      result.push_back({k, g, static_cast<double>(at_risk[k]),
                        static_cast<double>(groups[g].exactly()[k]), hazard,
                        hazard * (exact.by_log_mean - tail.by_log_mean),
                        hazard * (exact.by_dispersion - tail.by_dispersion)});
    }
  }
  return result;
}

/// The bin of each k: neighbours are joined until enough days are expected in all.
std::vector<std::size_t> bins_of(const std::vector<Hazard>& hazards) {
  std::vector<double> expected;
  for (const Hazard& h : hazards) {
    if (h.k >= expected.size()) expected.resize(h.k + 1);
    expected[h.k] += h.at_risk * h.hazard;
  }
  constexpr double least = 5.0;
  constexpr double most_bins = 12.0;
  double total = 0.0;
  for (const double e : expected) total += e;
  const double enough = std::max(least, total / most_bins);
  std::vector<std::size_t> bin(expected.size());
  std::size_t current = 0;
  double sum = 0.0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    bin[k] = current;
    sum += expected[k];
    total -= expected[k];
    if (sum < enough || total < enough) continue;
    ++current;
    sum = 0.0;
  }
  return bin;
}

/// Z' S⁻¹ Z over the directions in which S is not zero.
GoodnessOfFit quadratic_form(const Eigen::VectorXd& z, const Eigen::MatrixXd& s,
                             const Eigen::VectorXd& variance) {
  const Eigen::VectorXd scale = variance.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd correlation = scale.asDiagonal() * s * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(correlation);
  const Eigen::VectorXd along = eigen.eigenvectors().transpose() * (scale.asDiagonal() * z);
  GoodnessOfFit result;
  for (Eigen::Index i = 0; i < along.size(); ++i) {
    constexpr double zero = 1e-6;
    if (eigen.eigenvalues()[i] < zero) continue;
    result.statistic += along[i] * along[i] / eigen.eigenvalues()[i];
    ++result.degrees;
  }
  result.p = chi_square_tail(result.statistic, static_cast<double>(result.degrees));
  return result;
}

}  // namespace

std::optional<GoodnessOfFit> goodness_of_fit(std::span<const DemandCounts> groups,
                                             const GroupedLaw& law) {
  const std::vector<Hazard> hazards = hazards_of(groups, law);
  if (hazards.empty()) return std::nullopt;
  const std::vector<std::size_t> bin = bins_of(hazards);
  const std::size_t bins = bin.back() + 1;
  if (bins < 3) return std::nullopt;
  // A Poisson law has no parameter α.
  const std::size_t means = groups.size();
  const std::size_t parameters = means + (law.dispersion.front() > 0.0 ? law.dispersion.size() : 0);
  const auto b = static_cast<Eigen::Index>(bins);
  const auto p = static_cast<Eigen::Index>(parameters);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(b);
  Eigen::VectorXd variance = Eigen::VectorXd::Zero(b);
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(b, p);
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(p, p);
  for (const Hazard& h : hazards) {
    const auto i = static_cast<Eigen::Index>(bin[h.k]);
    const double spread = h.hazard * (1.0 - h.hazard);
    z[i] += h.events - h.at_risk * h.hazard;
    variance[i] += h.at_risk * spread;
    Eigen::VectorXd slope = Eigen::VectorXd::Zero(p);
    slope[static_cast<Eigen::Index>(h.group)] = h.by_log_mean;
    if (parameters > means) {
      slope[static_cast<Eigen::Index>(means + (law.dispersion.size() == 1 ? 0 : h.group))] =
          h.by_dispersion;
    }
    slopes.row(i) += h.at_risk * slope.transpose();
    if (spread > 0.0) information += h.at_risk / spread * slope * slope.transpose();
  }
  const Eigen::MatrixXd explained =
      slopes * information.completeOrthogonalDecomposition().solve(slopes.transpose());
  return quadratic_form(z, Eigen::MatrixXd(variance.asDiagonal()) - explained, variance);
}

}  // namespace shortfall::inventory::detail
