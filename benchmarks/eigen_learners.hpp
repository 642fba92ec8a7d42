#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstddef>
#include <span>

/// A straightforward Eigen version of the learners, for the expectile: the same recursions as
/// learn/td.hpp and learn/newton.hpp, without their checks, fused passes and drift correction.
namespace shortfall::benchmarks {

using Features = Eigen::Map<const Eigen::VectorXd>;

inline Features as_eigen(std::span<const double> phi) {
  return {phi.data(), static_cast<Eigen::Index>(phi.size())};
}

struct PlainExpectile {
  double tau;
  double slope(double x) const { return x > 0.0 ? tau : 1.0 - tau; }
};

struct EigenTd {
  PlainExpectile loss;
  double gamma;
  Eigen::VectorXd theta;
  double n = 0.0;

  EigenTd(std::size_t dimension, double tau, double discount)
      : loss{tau},
        gamma(discount),
        theta(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dimension))) {}

  int update(std::span<const double> now, double cost, std::span<const double> next) {
    const Features phi = as_eigen(now);
    const double delta = cost + gamma * as_eigen(next).dot(theta) - phi.dot(theta);
    const double eta = 2.0 / std::pow(n + 100.0, 2.0 / 3.0);
    theta += eta * loss.slope(delta) * delta * phi;
    n += 1.0;
    return 0;
  }
};

struct EigenNewton {
  PlainExpectile loss;
  double gamma;
  double warmup;
  Eigen::VectorXd theta, theta_sum, loss_sum, z, u, v;
  Eigen::MatrixXd sum, inverse;
  double n = 0.0;

  EigenNewton(std::size_t dimension, double tau, double discount, std::size_t samples)
      : loss{tau}, gamma(discount), warmup(static_cast<double>(samples)) {
    const auto d = static_cast<Eigen::Index>(dimension);
    theta = theta_sum = loss_sum = z = u = v = Eigen::VectorXd::Zero(d);
    sum = inverse = Eigen::MatrixXd::Zero(d, d);
  }

  int update(std::span<const double> now, double cost, std::span<const double> next) {
    const Features x = as_eigen(now);
    z = gamma * as_eigen(next) - x;
    const double delta = cost + z.dot(theta);
    const double slope = loss.slope(delta);
    n += 1.0;
    theta_sum += theta;
    loss_sum += slope * delta * x;
    if (n <= warmup) {
      sum.noalias() += slope * x * z.transpose();
      if (n == warmup) inverse = sum.inverse();
      return 0;
    }
    u.noalias() = inverse * x;
    v.noalias() = inverse.transpose() * z;
    inverse.noalias() -= (slope / (1.0 + slope * z.dot(u))) * u * v.transpose();
    theta = theta_sum / n;
    theta.noalias() -= inverse * loss_sum;
    return 0;
  }
};

}  // namespace shortfall::benchmarks
