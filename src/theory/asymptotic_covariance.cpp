#include "shortfall/theory/asymptotic_covariance.hpp"

#include <Eigen/LU>
#include <cmath>
#include <cstddef>

#include "errors/require.hpp"

namespace shortfall::theory {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd transition_matrix(const Chain& chain) {
  const auto n = static_cast<Index>(chain.states());
  MatrixXd p = MatrixXd::Zero(n, n);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    const Outcomes::Row law = chain.law(x);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      p(static_cast<Index>(x), law.next[i]) += law.probability[i];
    }
  }
  return p;
}

/// Moments of ℓ(δ) at θ in each state.
struct ScoreMoments {
  VectorXd mean;
  VectorXd square;
  MatrixXd by_next;  ///< E[ℓ; X' = x' | x]
};

ScoreMoments score_moments(const MeanField& field, const VectorXd& value) {
  const Chain& chain = field.chain();
  const Index n = value.size();
  ScoreMoments moments{VectorXd::Zero(n), VectorXd::Zero(n), MatrixXd::Zero(n, n)};
  for (std::size_t state = 0; state < chain.states(); ++state) {
    const auto x = static_cast<Index>(state);
    const Outcomes::Row law = chain.law(state);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const double delta = law.cost[i] + field.gamma() * value[law.next[i]] - value[x];
      const double loss = field.loss().at(delta).value;
      moments.mean[x] += law.probability[i] * loss;
      moments.square[x] += law.probability[i] * loss * loss;
      moments.by_next(x, law.next[i]) += law.probability[i] * loss;
    }
  }
  return moments;
}

}  // namespace

AsymptoticCovariance asymptotic_covariance(const MeanField& field,
                                           const Eigen::Ref<const VectorXd>& theta) {
  const MatrixXd& phi = field.projection().phi();
  require(theta.size() == phi.cols(), "theta has {} weights; accepted: one for each of {} features",
          theta.size(), phi.cols());
  const VectorXd q = Eigen::Map<const VectorXd>(field.projection().q().data(), phi.rows());
  const MatrixXd p = transition_matrix(field.chain());
  const double change = (p.transpose() * q - q).cwiseAbs().maxCoeff();
  require(change <= 1e-9, "one step of the chain changes q by {}; accepted: its stationary law",
          change);
  const ScoreMoments moments = score_moments(field, phi * theta);
  const MatrixXd weighted = q.asDiagonal() * phi;
  const MatrixXd poisson =
      MatrixXd::Identity(p.rows(), p.cols()) - p + VectorXd::Ones(p.rows()) * q.transpose();
  const MatrixXd future = poisson.partialPivLu().solve(moments.mean.asDiagonal() * phi);  // f
  const MatrixXd later = weighted.transpose() * moments.by_next * future;
  AsymptoticCovariance found;
  found.jacobian = field.jacobian(theta);
  found.score_covariance = weighted.transpose() * moments.square.asDiagonal() * phi;
  found.long_run_covariance = found.score_covariance + later + later.transpose();
  const Eigen::FullPivLU<MatrixXd> a(found.jacobian);
  require(a.isInvertible(),
          "the Jacobian of the drift at theta is singular; accepted: a regular one");
  const MatrixXd half = a.solve(found.long_run_covariance);
  found.covariance = a.solve(half.transpose());
  return found;
}

}  // namespace shortfall::theory
