// The drift of temporal-difference learning and its Jacobian.
#include "shortfall/theory/mean_field.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"
#include "tests/theory/random_instances.hpp"

namespace shortfall::theory {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using library::DeltaRoot;
using testing::ErgodicChain;
using testing::random_vector;

/// The only action, in every state of the counterexample.
Chain only_chain(const Mdp& model) {
  return under_policy(model, Policy(model.states(), 0));
}

class Counterexample : public ::testing::TestWithParam<DeltaRoot> {
 protected:
  double drift(double p, double theta) const {
    const library::Counterexample example = library::counterexample(p, GetParam());
    const Chain chain = only_chain(example.model);
    const std::vector<double> q{0.5, 0.5};
    const MeanField field(chain, example.loss, example.gamma, example.features, q);
    return field.drift(VectorXd::Constant(1, theta))[0];
  }
};
INSTANTIATE_TEST_SUITE_P(BothDeltas, Counterexample,
                         ::testing::Values(DeltaRoot::smaller, DeltaRoot::larger));

TEST_P(Counterexample, HasNoDriftAnywhereToTheRightOfZeroAtNineTenths) {
  for (const double theta : {0.1, 1.0, 10.0}) EXPECT_NEAR(drift(0.9, theta), 0.0, 1e-12);
}

TEST_P(Counterexample, DriftsAwayFromZeroAboveNineTenths) {
  for (const double theta : {0.1, 1.0, 10.0}) EXPECT_GT(drift(0.95, theta), 1e-4 * theta);
}

TEST_P(Counterexample, DriftsBackToZeroBelowNineTenths) {
  for (const double theta : {0.1, 1.0, 10.0}) EXPECT_LT(drift(0.85, theta), -1e-4 * theta);
}

/// The definition, term by term.
VectorXd plain_drift(const ErgodicChain& c, const AnyLoss& loss, double gamma, const MatrixXd& phi,
                     const VectorXd& theta) {
  VectorXd sum = VectorXd::Zero(phi.cols());
  for (std::size_t x = 0; x < c.chain.states(); ++x) {
    const Outcomes::Row row = c.chain.law(x);
    const VectorXd now = phi.row(static_cast<Eigen::Index>(x)).transpose();
    for (std::size_t i = 0; i < row.next.size(); ++i) {
      const VectorXd next = phi.row(row.next[i]).transpose();
      const double difference = (gamma * next - now).dot(theta) + row.cost[i];
      sum += c.q[x] * row.probability[i] * loss.at(difference).value * now;
    }
  }
  return sum;
}

class MeanFieldOfEveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
};
INSTANTIATE_TEST_SUITE_P(MeanField, MeanFieldOfEveryLoss,
                         ::testing::ValuesIn(testing::bounded_loss_specs()));

TEST_P(MeanFieldOfEveryLoss, DriftIsItsDefinition) {
  pcg64 generator(1);
  for (int i = 0; i < 100; ++i) {
    const ErgodicChain c(generator);
    const MatrixXd phi = testing::random_matrix(generator, c.states(), 2);
    const double gamma = testing::uniform(generator, 0.0, 1.0);
    const VectorXd theta = random_vector(generator, 2, 10.0);
    const VectorXd drift = MeanField(c.chain, loss, gamma, phi, c.q).drift(theta);
    // Terms are at most L₁ (10 + 2·20), with a few dozen roundings in each sum.
    const double rounding = 1e-14 * 50.0 * loss.slope_bounds().upper;
    EXPECT_LE((drift - plain_drift(c, loss, gamma, phi, theta)).cwiseAbs().maxCoeff(), rounding);
  }
}

TEST_P(MeanFieldOfEveryLoss, JacobianIsTheDerivativeAwayFromKinks) {
  pcg64 generator(2);
  const double step = 1e-6;
  // Curvature of the truncated entropic losses here is at most β²e^{βb} < 32, twice over step².
  const double tolerance = 1e-8 * loss.slope_bounds().upper;
  int checked = 0;
  for (int i = 0; i < 100; ++i) {
    const ErgodicChain c(generator);
    const MatrixXd phi = testing::random_matrix(generator, c.states(), 2);
    const MeanField field(c.chain, loss, testing::uniform(generator, 0.0, 1.0), phi, c.q);
    const VectorXd theta = random_vector(generator, 2, 10.0);
    const MatrixXd jacobian = field.jacobian(theta);
    for (Eigen::Index j = 0; j < 2; ++j) {
      const VectorXd shift = step * VectorXd::Unit(2, j);
      // A kink in between shows as a jump of the Jacobian.
      const double jump =
          (field.jacobian(theta + shift) - field.jacobian(theta - shift)).cwiseAbs().maxCoeff();
      if (jump > 1e-3 * loss.slope_bounds().lower) continue;
      const VectorXd difference =
          (field.drift(theta + shift) - field.drift(theta - shift)) / (2 * step);
      EXPECT_LE((jacobian.col(j) - difference).cwiseAbs().maxCoeff(), tolerance + 0.5 * jump);
      ++checked;
    }
  }
  EXPECT_GE(checked, 190);
}

TEST(MeanField, JacobianTakesTheLeftSlopeAtAKink) {
  // One state that returns to itself at cost c: the temporal difference c - θ/2 decreases in θ, so
  // the left slope of ℓ belongs to a step to the right.
  const AnyLoss loss = SoftQuantile(0.75, 2.0);
  const std::vector<double> q{1.0};
  for (const double kink : {-2.0, 0.0, 2.0}) {
    const double cost = 1.0 + kink;
    const Chain chain = testing::chain_of({{{1.0, 0, cost}}});
    const MeanField field(chain, loss, 0.5, MatrixXd::Ones(1, 1), q);
    const VectorXd theta = VectorXd::Constant(1, 2.0);
    const double step = 1.0 / 1024;
    const VectorXd shift = VectorXd::Constant(1, step);
    const double here = field.drift(theta)[0];
    const double to_the_right = (field.drift(theta + shift)[0] - here) / step;
    const double to_the_left = (here - field.drift(theta - shift)[0]) / step;
    EXPECT_NEAR(field.jacobian(theta)(0, 0), to_the_right, 1e-12) << kink;
    EXPECT_GT(std::abs(to_the_left - to_the_right), 0.1) << kink;
  }
}

TEST(MeanField, TreatsTheFeaturesOfATerminalStateAsZero) {
  const Chain chain = testing::chain_of({{{0.5, 1, 1.0}, {0.5, 2, 4.0}}, {{1.0, 2, 3.0}}, {}});
  const std::vector<double> q{0.5, 0.25, 0.25};
  MatrixXd phi = MatrixXd::Ones(3, 1);
  const MeanField field(chain, Mean(), 0.5, phi, q);
  // θ = 2: state 0 has differences 1 + 1 - 2 and 4 - 2, state 1 has 3 - 2.
  EXPECT_DOUBLE_EQ(field.drift(VectorXd::Constant(1, 2.0))[0], 0.5 * 1.0 + 0.25 * 1.0);
  // Slopes 1: ½(½(γ - 1) + ½(-1)) + ¼(-1).
  EXPECT_DOUBLE_EQ(field.jacobian(VectorXd::Constant(1, 2.0))(0, 0), 0.5 * -0.75 - 0.25);
}

TEST(EffectiveGamma, IsGammaForTheStationaryLaw) {
  pcg64 generator(3);
  for (int i = 0; i < 50; ++i) {
    const ErgodicChain c(generator);
    const MeanField field(c.chain, Mean(), 0.7, MatrixXd::Ones(c.states(), 1), c.q);
    EXPECT_NEAR(field.effective_gamma(), 0.7, 1e-14);
  }
}

TEST(EffectiveGamma, GrowsIfTheLawVisitsStatesTooRarely) {
  const Chain chain = testing::graph_of({{0, 1}, {0}});  // stationary: (2/3, 1/3)
  const auto effective = [&](double first) {
    const std::vector<double> q{first, 1.0 - first};
    return MeanField(chain, Mean(), 0.5, MatrixXd::Ones(2, 1), q).effective_gamma();
  };
  // The flow into state 0 is q₀/2 + q₁, into state 1 q₀/2.
  EXPECT_DOUBLE_EQ(effective(0.5), 0.5 * std::sqrt(1.5));
  EXPECT_DOUBLE_EQ(effective(0.8), 0.5 * std::sqrt(2.0));
  EXPECT_EQ(effective(1.0), std::numeric_limits<double>::infinity());
}

TEST(EffectiveGamma, IsAtMostGammaIfTheChainRestartsAfterItsEnd) {
  // 0 → 1 → end, then 0 again: updates are made in 0 and 1 equally often.
  const Chain chain = testing::graph_of({{1}, {2}, {}});
  const std::vector<double> q{0.5, 0.5, 0.0};
  const MeanField field(chain, Mean(), 0.5, MatrixXd::Identity(3, 2), q);
  EXPECT_EQ(field.effective_gamma(), 0.5);
}

TEST(MeanField, RejectsArgumentsThatDoNotMatchTheChain) {
  const Chain chain = testing::graph_of({{0, 1}, {0}});
  const std::vector<double> q{0.5, 0.5};
  EXPECT_THROW(MeanField(chain, Mean(), 1.1, MatrixXd::Ones(2, 1), q), InvalidInput);
  EXPECT_THROW(MeanField(chain, Mean(), 0.5, MatrixXd::Ones(3, 1), q), InvalidInput);
  EXPECT_THROW(MeanField(chain, Mean(), 0.5, MatrixXd::Ones(2, 2), q), InvalidInput);
}

}  // namespace
}  // namespace shortfall::theory
