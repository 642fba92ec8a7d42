#include "inventory/goodness_of_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "inventory/chi_square.hpp"
#include "inventory/empirical_law.hpp"
#include "shortfall/portable_math.hpp"

namespace shortfall::inventory::detail {
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
