#pragma once

#include <Eigen/Core>
#include <cmath>

#include "tests/theory/random_instances.hpp"

namespace shortfall::testing {

/// Random rows ≥ 0 with sums of 1 up to rounding, or in [0.3, 1]. About a third of the entries are
/// 0, so that supports differ.
enum class Sums { one, at_most_one };
inline Eigen::MatrixXd random_averager(pcg64& generator, Eigen::Index states, Eigen::Index cells,
                                       Sums sums = Sums::one) {
  Eigen::MatrixXd phi(states, cells);
  for (Eigen::Index x = 0; x < states; ++x) {
    for (Eigen::Index i = 0; i < cells; ++i) {
      phi(x, i) = one_of(generator, 3) == 0 ? 0.0 : uniform(generator, 0.01, 1.0);
    }
    phi(x, static_cast<Eigen::Index>(one_of(generator, static_cast<std::size_t>(cells)))) += 0.5;
    for (Eigen::Index i = x; i < cells; i += states) phi(x, i) += 0.2;  // every cell has a state
    phi.row(x) /= phi.row(x).sum();
    if (sums == Sums::at_most_one) phi.row(x) *= uniform(generator, 0.3, 1.0);
  }
  return phi;
}

/// Every state in one cell, and every cell with a state if there are enough.
inline Eigen::MatrixXd random_aggregation(pcg64& generator, Eigen::Index states,
                                          Eigen::Index cells) {
  Eigen::MatrixXd phi = Eigen::MatrixXd::Zero(states, cells);
  for (Eigen::Index x = 0; x < states; ++x) {
    const auto any = static_cast<Eigen::Index>(one_of(generator, static_cast<std::size_t>(cells)));
    phi(x, x < cells ? x : any) = 1.0;
  }
  return phi;
}

/// ℓ of the built-in losses, written down a second time, in extended precision.
class ExtendedLoss {
 public:
  explicit ExtendedLoss(const std::string& spec) : kind_(spec.substr(0, spec.find(':'))) {
    for (std::size_t at = spec.find(':'); at != std::string::npos;
         at = spec.find_first_of(":,", at)) {
      p_.push_back(static_cast<long double>(std::stod(spec.substr(++at))));
    }
  }

  long double operator()(long double x) const {
    if (kind_ == "mean") return x;
    if (kind_ == "expectile") return x > 0 ? p_[0] * x : (1 - p_[0]) * x;
    if (kind_ == "entropic") return std::expm1(p_[0] * x);
    if (kind_ == "truncated-entropic") {
      const long double t = x > p_[1] ? p_[1] : x < -p_[1] ? -p_[1] : x;
      return std::expm1(p_[0] * t) + p_[0] * std::exp(p_[0] * t) * (x - t);
    }
    if (kind_ == "soft-quantile") {
      const long double mu = p_[0], k = p_[1];
      if (x < -k) return (1 - mu) * (k * x + k * k - 1);
      if (x < k) return (x < 0 ? 1 - mu : mu) * x / k;
      return mu * (k * x - k * k + 1);
    }
    // Piecewise: the polygon through its knots, which all of `loss_specs` lead through the origin.
    std::size_t j = 2;
    while (j + 2 < p_.size() && x > p_[j]) j += 2;
    return p_[j - 1] + (p_[j + 1] - p_[j - 1]) * (x - p_[j - 2]) / (p_[j] - p_[j - 2]);
  }

 private:
  std::string kind_;
  std::vector<long double> p_;
};

}  // namespace shortfall::testing
