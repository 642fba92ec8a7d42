// The covariance of online estimates: by hand, and by summing autocovariances one by one.
#include "shortfall/theory/asymptotic_covariance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/theory/fixed_point.hpp"
#include "tests/theory/random_instances.hpp"

namespace shortfall::theory {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::chain_of;
using testing::ErgodicChain;
using testing::random_matrix;

/// Two states, left with probability `leave`, with costs 1 and -1.
Chain two_states(double leave) {
  return chain_of(
      {{{1.0 - leave, 0, 1.0}, {leave, 1, 1.0}}, {{leave, 0, -1.0}, {1.0 - leave, 1, -1.0}}});
}

TEST(AsymptoticCovariance, OfTwoStatesIsTheOneComputedByHand) {
  const std::vector<double> q{0.5, 0.5};
  for (const double leave : {0.1, 0.25, 0.5, 0.9}) {
    for (const double gamma : {0.0, 0.5, 0.9}) {
      const Chain chain = two_states(leave);
      const MeanField field(chain, AnyLoss(Mean()), gamma, MatrixXd::Ones(2, 1), q);
      const AsymptoticCovariance found = asymptotic_covariance(field, VectorXd::Zero(1));
      const double memory = 1.0 - 2.0 * leave;  // C_k = memoryᵏ
      EXPECT_NEAR(found.jacobian(0, 0), gamma - 1.0, 1e-14);
      EXPECT_NEAR(found.score_covariance(0, 0), 1.0, 1e-14);
      const double noise = (1.0 + memory) / (1.0 - memory);
      EXPECT_NEAR(found.long_run_covariance(0, 0), noise, 1e-12);
      EXPECT_NEAR(found.covariance(0, 0), noise / ((1.0 - gamma) * (1.0 - gamma)), 1e-10);
    }
  }
}

/// Γ as the sum of C_k up to k = `lags`, each from the joint law of X_0, X_1 and X_k.
MatrixXd summed(const MeanField& field, const VectorXd& theta, int lags) {
  const MatrixXd& phi = field.projection().phi();
  const Chain& chain = field.chain();
  const VectorXd value = phi * theta;
  const Index n = phi.rows();
  MatrixXd p = MatrixXd::Zero(n, n);
  MatrixXd from = MatrixXd::Zero(phi.cols(), n);  // E[s_0; X_1 = x']
  VectorXd mean = VectorXd::Zero(n);
  MatrixXd sum = MatrixXd::Zero(phi.cols(), phi.cols());
  for (Index x = 0; x < n; ++x) {
    const double mass = field.projection().q()[static_cast<std::size_t>(x)];
    const Outcomes::Row law = chain.law(static_cast<std::size_t>(x));
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const double loss =
          field.loss().at(law.cost[i] + field.gamma() * value[law.next[i]] - value[x]).value;
      p(x, law.next[i]) += law.probability[i];
      mean[x] += law.probability[i] * loss;
      from.col(law.next[i]) += mass * law.probability[i] * loss * phi.row(x).transpose();
      sum += mass * law.probability[i] * loss * loss * phi.row(x).transpose() * phi.row(x);
    }
  }
  const MatrixXd scores = mean.asDiagonal() * phi;
  for (int k = 1; k <= lags; ++k) {
    const MatrixXd covariance = from * scores;
    sum += covariance + covariance.transpose();
    from = from * p;
  }
  return sum;
}

TEST(AsymptoticCovariance, HasTheSumOfAllAutocovariances) {
  pcg64 bits(3);
  int compared = 0;
  for (int draw = 0; draw < 40; ++draw) {
    const ErgodicChain c(bits);
    const Index d = std::min<Index>(2, static_cast<Index>(c.chain.states()));
    const MatrixXd phi = random_matrix(bits, static_cast<Index>(c.chain.states()), d);
    const MeanField field(c.chain, AnyLoss(Expectile(0.6)), 0.5, phi, c.q);
    const FixedPoint root = projected_fixed_point(field);
    if (root.status != FixedPointStatus::converged) continue;
    const AsymptoticCovariance found = asymptotic_covariance(field, root.theta);
    const MatrixXd plain = summed(field, root.theta, 20000);
    const double scale = found.score_covariance.norm();
    EXPECT_LE((found.long_run_covariance - plain).norm(), 1e-7 * scale) << draw;
    const MatrixXd back =
        found.jacobian * found.covariance * found.jacobian.transpose() - found.long_run_covariance;
    EXPECT_LE(back.norm(), 1e-9 * scale) << draw;
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

TEST(AsymptoticCovariance, HasNoAutocovariancesWhereFeaturesHoldTheValue) {
  const Chain chain = two_states(0.25);
  const std::vector<double> q{0.5, 0.5};
  const MeanField field(chain, AnyLoss(Expectile(0.8)), 0.9, MatrixXd::Identity(2, 2), q);
  const FixedPoint root = projected_fixed_point(field);
  ASSERT_EQ(root.status, FixedPointStatus::converged);
  const AsymptoticCovariance found = asymptotic_covariance(field, root.theta);
  EXPECT_LE((found.long_run_covariance - found.score_covariance).norm(), 1e-8);
  EXPECT_GT(found.score_covariance.norm(), 0.01);
}

TEST(AsymptoticCovariance, RejectsWhatHasNone) {
  const Chain chain = two_states(0.25);
  const std::vector<double> q{0.5, 0.5};
  const MeanField field(chain, AnyLoss(Mean()), 0.5, MatrixXd::Ones(2, 1), q);
  EXPECT_THROW((void)asymptotic_covariance(field, VectorXd::Zero(2)), InvalidInput);
  const std::vector<double> other{0.4, 0.6};
  const MeanField of_other(chain, AnyLoss(Mean()), 0.5, MatrixXd::Ones(2, 1), other);
  EXPECT_THROW((void)asymptotic_covariance(of_other, VectorXd::Zero(1)), InvalidInput);
  const MeanField undiscounted(chain, AnyLoss(Mean()), 1.0, MatrixXd::Ones(2, 1), q);
  EXPECT_THROW((void)asymptotic_covariance(undiscounted, VectorXd::Zero(1)), InvalidInput);
}

}  // namespace
}  // namespace shortfall::theory
