// The projection onto the features in the q-norm, and the check that features are independent.
#include "shortfall/theory/projection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "shortfall/errors/error.hpp"
#include "tests/theory/random_instances.hpp"

namespace shortfall::theory {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::vector<double> random_law(pcg64& generator, Eigen::Index states) {
  std::vector<double> q(static_cast<std::size_t>(states));
  double sum = 0.0;
  for (double& mass : q) sum += mass = testing::uniform(generator, 0.01, 1.0);
  for (double& mass : q) mass /= sum;
  return q;
}

/// Random features on random laws; entries in [-1, 1], fewer columns than rows.
struct Instance {
  explicit Instance(pcg64& generator)
      : states(4 + static_cast<Eigen::Index>(testing::one_of(generator, 30))),
        dimension(1 + static_cast<Eigen::Index>(testing::one_of(generator, 4))),
        q(random_law(generator, states)),
        projection(testing::random_matrix(generator, states, dimension), q),
        v(testing::random_vector(generator, states, 10.0)) {}
  // Householder reflections and triangular solves lose a small multiple of N d ε times the
  // condition.
  double rounding() const {
    return 10.0 * static_cast<double>(states * dimension) * projection.condition() * epsilon;
  }
  Eigen::Index states;
  Eigen::Index dimension;
  std::vector<double> q;
  Projection projection;
  VectorXd v;
};

/// 1, x, x², .. on equispaced points in [0, 1]: independent, but ill-conditioned.
MatrixXd monomials(Eigen::Index states, Eigen::Index count) {
  MatrixXd phi(states, count);
  for (Eigen::Index x = 0; x < states; ++x) {
    for (Eigen::Index j = 0; j < count; ++j) {
      phi(x, j) = std::pow(static_cast<double>(x) / static_cast<double>(states - 1),
                           static_cast<double>(j));
    }
  }
  return phi;
}

std::string message_of(const MatrixXd& phi, std::span<const double> q) {
  try {
    const Projection projection(phi, q);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(QNorm, IsTheRootOfTheWeightedSumOfSquares) {
  const std::vector<double> q{0.5, 0.25, 0.25};
  EXPECT_DOUBLE_EQ(q_inner(Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(4, 5, 6), q), 9.0);
  EXPECT_DOUBLE_EQ(q_norm(Eigen::Vector3d(2, 2, 2), q), 2.0);
}

TEST(Projection, IsIdempotentNonExpansiveAndLeavesAnOrthogonalRest) {
  pcg64 generator(1);
  for (int i = 0; i < 300; ++i) {
    const Instance c(generator);
    const VectorXd image = c.projection(c.v);
    const double size = q_norm(c.v, c.q);
    EXPECT_LE(q_norm(c.projection(image) - image, c.q), c.rounding() * size);
    EXPECT_LE(q_norm(image, c.q), size * (1.0 + c.rounding()));
    for (Eigen::Index j = 0; j < c.dimension; ++j) {
      const VectorXd feature = c.projection.phi().col(j);
      EXPECT_LE(std::abs(q_inner(c.v - image, feature, c.q)),
                c.rounding() * size * q_norm(feature, c.q));
    }
    EXPECT_NEAR(q_inner(image, image, c.q) + q_inner(c.v - image, c.v - image, c.q), size * size,
                c.rounding() * size * size);
  }
}

TEST(Projection, FindsTheCoefficientsOfAVectorInTheSpan) {
  pcg64 generator(2);
  for (int i = 0; i < 100; ++i) {
    const Instance c(generator);
    const VectorXd theta = testing::random_vector(generator, c.dimension, 5.0);
    const double conditioned = c.rounding() * c.projection.condition();
    EXPECT_LE((c.projection.coefficients(c.projection.phi() * theta) - theta).norm(),
              conditioned * theta.norm());
  }
}

TEST(Projection, IsNoFurtherFromTheVectorThanAnyOtherPointOfTheSpan) {
  pcg64 generator(3);
  for (int i = 0; i < 100; ++i) {
    const Instance c(generator);
    const double distance = q_norm(c.v - c.projection(c.v), c.q);
    const VectorXd best = c.projection.coefficients(c.v);
    for (const double size : {1e-3, 1e-1, 10.0}) {
      const VectorXd other = best + testing::random_vector(generator, c.dimension, size);
      EXPECT_LE(distance, q_norm(c.v - c.projection.phi() * other, c.q) + c.rounding());
    }
  }
}

TEST(Projection, KeepsItsAccuracyWhereNormalEquationsFail) {
  // Condition 1e6 for ten monomials: its square times ε is 1e-4, itself times ε 1e-9.
  const MatrixXd phi = monomials(50, 10);
  const std::vector<double> q(50, 0.02);
  const Projection projection(phi, q);
  const VectorXd theta = VectorXd::LinSpaced(10, 1.0, 2.0);
  const VectorXd found = projection.coefficients(phi * theta);
  const double rounding = 50 * 10 * projection.condition() * epsilon;
  EXPECT_LT(rounding, 1e-6);
  EXPECT_LE((found - theta).norm(), rounding * theta.norm());
}

TEST(Projection, DoesNotDependOnTheScaleOfAFeature) {
  pcg64 generator(4);
  const Instance c(generator);
  MatrixXd scaled = c.projection.phi();
  scaled.col(0) *= 1e-120;
  const Projection other(scaled, c.q);
  EXPECT_LE(q_norm(other(c.v) - c.projection(c.v), c.q), c.rounding() * q_norm(c.v, c.q));
}

TEST(Projection, HasOrthonormalFeaturesOfTheSameSpan) {
  pcg64 generator(5);
  for (int i = 0; i < 100; ++i) {
    const Instance c(generator);
    const MatrixXd basis = c.projection.orthonormal_features();
    const VectorXd w = testing::random_vector(generator, c.dimension, 1.0);
    EXPECT_NEAR(q_norm(basis * w, c.q), w.norm(), c.rounding() * w.norm());
    const VectorXd theta = c.projection.from_orthonormal(w);
    EXPECT_LE(q_norm(c.projection.phi() * theta - basis * w, c.q), c.rounding() * w.norm());
    EXPECT_LE((c.projection.to_orthonormal(theta) - w).norm(), c.rounding() * w.norm());
  }
}

TEST(Projection, ReturnsItsSingularValues) {
  MatrixXd phi = MatrixXd::Zero(3, 2);
  phi(0, 0) = 4.0;
  phi(1, 1) = 6.0;
  const std::vector<double> q{0.25, 0.25, 0.5};
  const SingularRange range = Projection(phi, q).singular_range();
  EXPECT_NEAR(range.smallest, 2.0, 1e-14);
  EXPECT_NEAR(range.largest, 3.0, 1e-14);
}

TEST(DependentFeatures, AreNoneAmongMonomials) {
  EXPECT_THAT(dependent_features(monomials(50, 10), std::vector<double>(50, 0.02)), IsEmpty());
}

TEST(DependentFeatures, NameTheLastColumnOfTheRelation) {
  pcg64 generator(6);
  MatrixXd phi = testing::random_matrix(generator, 12, 5);
  phi.col(3) = 2.0 * phi.col(0) - 0.5 * phi.col(2);
  const std::vector<double> q = random_law(generator, 12);
  const auto dependent = dependent_features(phi, q);
  ASSERT_THAT(dependent, SizeIs(1));
  EXPECT_EQ(dependent[0].feature, 3);
  EXPECT_THAT(dependent[0].on, ElementsAre(0, 2));
  EXPECT_THAT(message_of(phi, q), HasSubstr("feature 4 is a combination of features 1, 3"));
  const Assumption assumption = features_assumption(phi, q);
  EXPECT_FALSE(assumption.holds);
  EXPECT_THAT(assumption.reason, HasSubstr("feature 4"));
}

TEST(DependentFeatures, AreFoundAtAnyScaleOfTheColumns) {
  pcg64 generator(7);
  MatrixXd phi = testing::random_matrix(generator, 12, 3);
  phi.col(1) = 1e-30 * phi.col(0);
  phi.col(2) *= 1e30;
  const std::vector<double> q(12, 1.0 / 12);
  const auto dependent = dependent_features(phi, q);
  ASSERT_THAT(dependent, SizeIs(1));
  EXPECT_EQ(dependent[0].feature, 1);
  EXPECT_THAT(dependent[0].on, ElementsAre(0));
}

TEST(DependentFeatures, AreThoseCloserToTheSpanThanTheTolerance) {
  const std::vector<double> q(3, 1.0 / 3);
  MatrixXd phi = MatrixXd::Zero(3, 2);
  phi.row(0).setOnes();
  phi(1, 1) = 2.0 * rank_tolerance;
  EXPECT_THAT(dependent_features(phi, q), IsEmpty());
  phi(1, 1) = 0.5 * rank_tolerance;
  EXPECT_THAT(dependent_features(phi, q), SizeIs(1));
}

TEST(DependentFeatures, IncludeOneThatIsZeroWhereverTheLawIsPositive) {
  MatrixXd phi = MatrixXd::Identity(3, 3);
  const std::vector<double> q{0.5, 0.5, 0.0};
  const auto dependent = dependent_features(phi, q);
  ASSERT_THAT(dependent, SizeIs(1));
  EXPECT_EQ(dependent[0].feature, 2);
  EXPECT_THAT(dependent[0].on, IsEmpty());
  EXPECT_THAT(message_of(phi, q), HasSubstr("feature 3 is zero wherever q > 0"));
}

TEST(DependentFeatures, ExistIfThereAreMoreFeaturesThanStates) {
  pcg64 generator(8);
  const auto dependent =
      dependent_features(testing::random_matrix(generator, 3, 5), std::vector<double>(3, 1.0 / 3));
  EXPECT_THAT(dependent, SizeIs(2));
}

TEST(Projection, RejectsAnInvalidLaw) {
  const MatrixXd phi = MatrixXd::Identity(2, 1);
  EXPECT_THAT(message_of(phi, std::vector<double>{1.0}), HasSubstr("one for each of 2 states"));
  EXPECT_THAT(message_of(phi, std::vector<double>{1.5, -0.5}), HasSubstr("state 1"));
  EXPECT_THAT(message_of(phi, std::vector<double>{0.5, 0.4}), HasSubstr("sums to 0.9"));
}

TEST(Projection, RejectsFeaturesThatAreNotFinite) {
  MatrixXd phi = MatrixXd::Identity(2, 2);
  phi(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of(phi, std::vector<double>{0.5, 0.5}),
              AllOf(HasSubstr("feature 1"), HasSubstr("state 1")));
  EXPECT_FALSE(features_assumption(phi, std::vector<double>{0.5, 0.5}).holds);
  EXPECT_THAT(message_of(MatrixXd(2, 0), std::vector<double>{0.5, 0.5}), HasSubstr("no features"));
}

}  // namespace
}  // namespace shortfall::theory
