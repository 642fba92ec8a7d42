#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shortfall/inventory/fit/records.hpp"

namespace shortfall::inventory::detail {

/// One term of a log likelihood, and its derivatives.
struct LikelihoodTerm {
  double value = 0.0;
  double by_log_mean = 0.0;
  double by_dispersion = 0.0;

  LikelihoodTerm& add(double weight, const LikelihoodTerm& other) {
    value += weight * other.value;
    by_log_mean += weight * other.by_log_mean;
    by_dispersion += weight * other.by_dispersion;
    return *this;
  }
};

/// The laws of demand as functions of the mean μ and the dispersion α = 1/n: variance μ + αμ²,
///
///   log P(D = k) = Σ_{j<k} log(1 + jα) + k log μ - log k! - (k + 1/α) log(1 + αμ).
///
/// In this form the Poisson law is α = 0 and no limit: (1/α) log(1 + αμ) is μ there. Check: α = 1
/// is geometric; ∂/∂log μ = (k - μ) / (1 + αμ).
///
/// The tail P(D ≥ k) comes from sums over both sides of k, relative to P(D = k): U upwards, with k,
/// and L downwards. It is U / (L + U), or P(D = k) U if it is short; where U has too many terms,
/// because αμ is large, it is 1 - P(D = k) L unless that loses more than three digits. Its
/// derivative by α is such a sum as well, as Σ_j ∂P(D = j)/∂α = 0; that by log μ is k P(D = k) for
/// both laws. Check: the tail is I_x(k, 1/α) with x = αμ / (1 + αμ), or for α = 0 the regularised
/// gamma function P(k, μ).
class DemandTerms {
 public:
  /// For k = 0..largest. α ≥ 0.
  DemandTerms(double dispersion, std::size_t largest);

  /// log P(D = k), log P(D ≥ k) for μ > 0.
  LikelihoodTerm exactly(std::size_t k, double mean) const;
  LikelihoodTerm at_least(std::size_t k, double mean) const;

 private:
  /// Sums of P(D = j) and of their derivatives by α, divided by P(D = k).
  struct Side {
    double total = 0.0;
    double by_dispersion = 0.0;
  };
  Side below(std::size_t k, double mean) const;
  Side from(std::size_t k, double mean) const;
  /// P(D = j+1) / P(D = j).
  double ratio(std::size_t j, double mean) const;
  /// ∂ log P(D = k) / ∂α, from the part of the factors 1 + jα.
  double by_dispersion(double units, double of_factors, double mean) const;

  double dispersion_;
  std::vector<double> constant_;       // Σ_{j<k} log(1 + jα) - log k!
  std::vector<double> by_dispersion_;  // Σ_{j<k} j / (1 + jα)
};

/// The demand of some days, as far as likelihoods depend on it: on how many days it was k, and on
/// how many at least k, because the stock ran out.
class DemandCounts {
 public:
  void add(const DayRecord& day);
  void add(const DemandCounts& other);

  const std::vector<std::uint32_t>& exactly() const { return exactly_; }    ///< by k
  const std::vector<std::uint32_t>& at_least() const { return at_least_; }  ///< by k
  std::size_t largest() const { return exactly_.empty() ? 0 : exactly_.size() - 1; }
  std::size_t known_days() const { return known_days_; }  ///< with the demand itself
  std::size_t days() const { return known_days_ + stockouts_; }
  std::size_t stockouts() const { return stockouts_; }

  /// No day shows that demand can be above zero.
  bool is_zero() const;
  /// The mean as if demand had been what was recorded.
  double recorded_mean() const;
  /// The variance about the mean, of the days with known demand.
  double known_variance() const;

  /// ℓ(μ, α) = Σ_k exactly_k log P(D = k) + at_least_k log P(D ≥ k). For μ = 0, zero demand is
  /// certain and everything else impossible.
  LikelihoodTerm log_likelihood(double mean, const DemandTerms& terms) const;

 private:
  void make_room(std::size_t k);

  std::vector<std::uint32_t> exactly_;
  std::vector<std::uint32_t> at_least_;  // of the same size
  std::size_t known_days_ = 0;
  std::size_t stockouts_ = 0;
};

}  // namespace shortfall::inventory::detail
