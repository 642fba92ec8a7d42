#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace shortfall::inventory::detail
