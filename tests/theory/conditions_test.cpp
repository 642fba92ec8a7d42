// Limits of the discount factor compared with their closed forms, and the reported reasons.
#include "shortfall/theory/conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "shortfall/errors/error.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::theory {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Slopes, their ratio and a square root: a few roundings each.
constexpr double few_roundings = 8 * std::numeric_limits<double>::epsilon();

double limit_of(const AnyLoss& loss) {
  return gamma_limit(loss.slope_bounds());
}

const Assumption& named(const Conditions& conditions, std::string_view name) {
  return *std::find_if(conditions.assumptions.begin(), conditions.assumptions.end(),
                       [&](const Assumption& a) { return a.name == name; });
}

TEST(GammaLimit, IsOneForTheMean) {
  EXPECT_EQ(limit_of(Mean()), 1.0);
}

TEST(GammaLimit, OfTheExpectileIsTheSmallerRatioOfItsSlopes) {
  for (const double tau : {0.1, 0.25, 0.4, 0.5, 0.6, 0.9, 0.99}) {
    const double expected = std::min(tau / (1.0 - tau), (1.0 - tau) / tau);
    EXPECT_NEAR(limit_of(Expectile(tau)), expected, few_roundings) << tau;
  }
}

TEST(GammaLimit, OfTheSoftQuantileIsThatOfTheExpectileTimesTheSquareOfKappa) {
  for (const double mu : {0.1, 0.5, 0.8}) {
    for (const double kappa : {0.5, 1.0, 2.0, 3.0}) {
      const double expected = std::min(mu / (1.0 - mu), (1.0 - mu) / mu) *
                              std::min(kappa * kappa, 1.0 / (kappa * kappa));
      EXPECT_NEAR(limit_of(SoftQuantile(mu, kappa)), expected, few_roundings)
          << mu << ", " << kappa;
    }
  }
}

TEST(GammaLimit, OfTheTruncatedEntropicIsExponentialInTheWidth) {
  EXPECT_NEAR(limit_of(TruncatedEntropic(0.5, 2.0)), std::exp(-2.0), few_roundings);
  EXPECT_NEAR(limit_of(TruncatedEntropic(2.0, 1.5)), std::exp(-6.0), few_roundings);
}

TEST(GammaLimit, IsZeroForTheEntropicWithUnboundedSlopes) {
  EXPECT_EQ(limit_of(Entropic(0.5)), 0.0);
  EXPECT_EQ(sharp_gamma_limit(Entropic(0.5).slope_bounds()), 0.0);
}

TEST(GammaLimit, OfAPiecewiseLossIsItsSmallestSlopeOverItsLargest) {
  EXPECT_NEAR(limit_of(AnyLoss::parse("piecewise:-1:-0.5,0:0,1:2,3:9")), 0.5 / 3.5, few_roundings);
}

TEST(SharpGammaLimit, OfTheExpectileIsTwiceTheGeometricMeanOfItsSlopes) {
  for (const double tau : {0.1, 0.4, 0.5, 0.9}) {
    EXPECT_NEAR(sharp_gamma_limit(Expectile(tau).slope_bounds()),
                2.0 * std::sqrt(tau * (1.0 - tau)), few_roundings);
  }
}

TEST(SharpGammaLimit, IsNeverBelowTheOtherAndReachesOneOnlyForEqualSlopes) {
  for (const double ratio : {1e-6, 0.01, 0.3, 0.9, 0.999}) {
    EXPECT_GT(sharp_gamma_limit({ratio, 1.0}), ratio);
    EXPECT_LT(sharp_gamma_limit({ratio, 1.0}), 1.0);
  }
  EXPECT_EQ(sharp_gamma_limit({2.0, 2.0}), 1.0);
}

TEST(Conditions, HoldBelowTheLimitAndFailAtIt) {
  const AnyLoss loss = Expectile(0.8);
  const double limit = sharp_gamma_limit(loss.slope_bounds());
  EXPECT_NEAR(limit, 0.8, 1e-15);  // 2 sqrt(0.8 · 0.2)
  EXPECT_TRUE(check_conditions(loss, std::nextafter(limit, 0.0)).guaranteed());
  EXPECT_FALSE(check_conditions(loss, limit).guaranteed());
  EXPECT_FALSE(named(check_conditions(loss, limit), "discount").holds);
}

TEST(Conditions, HoldForTheMeanAtEveryDiscountBelowOne) {
  EXPECT_TRUE(check_conditions(Mean(), 0.999999).guaranteed());
  EXPECT_FALSE(check_conditions(Mean(), 1.0).guaranteed());
}

TEST(Conditions, FailForTheEntropicBecauseItsSlopesAreUnbounded) {
  const Conditions conditions = check_conditions(Entropic(1.0), 0.01);
  EXPECT_FALSE(conditions.guaranteed());
  EXPECT_FALSE(named(conditions, "bounded slopes").holds);
  EXPECT_THAT(named(conditions, "bounded slopes").reason, HasSubstr("grow without bound"));
  EXPECT_TRUE(named(conditions, "curvature").holds);
  EXPECT_FALSE(named(conditions, "discount").holds);
}

TEST(Conditions, AcceptTheSoftQuantileThatIsNeitherConvexNorConcaveAsAWhole) {
  const AnyLoss loss = SoftQuantile(0.5, 2.0);
  EXPECT_FALSE(is_convex(loss) || is_concave(loss));
  const Conditions conditions = check_conditions(loss, 0.2);
  EXPECT_TRUE(conditions.guaranteed());
  EXPECT_THAT(named(conditions, "curvature").reason, HasSubstr("concave below 0 and convex above"));
}

TEST(Conditions, RejectALossThatBendsBothWaysOnOneHalfLine) {
  const AnyLoss loss = AnyLoss::parse("piecewise:-1:-1,0:0,1:1,2:3,3:4");
  const Conditions conditions = check_conditions(loss, 0.1);
  EXPECT_FALSE(conditions.guaranteed());
  EXPECT_FALSE(named(conditions, "curvature").holds);
  EXPECT_TRUE(named(conditions, "discount").holds);
}

TEST(Conditions, AskForTheWeakerLimitAndNameThatOfThePaper) {
  const AnyLoss loss = Expectile(0.9);  // limits 1/9 and 0.6
  EXPECT_LT(limit_of(loss), 0.5);
  EXPECT_TRUE(named(check_conditions(loss, 0.5), "discount").holds);
  EXPECT_THAT(named(check_conditions(loss, 0.5), "discount").reason,
              AllOf(HasSubstr("below 0.6"), HasSubstr("0.111111")));
  EXPECT_FALSE(named(check_conditions(loss, 0.7), "discount").holds);
}

TEST(Conditions, RejectADiscountFactorOutsideTheUnitInterval) {
  for (const double gamma : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(check_conditions(Mean(), gamma), InvalidInput) << gamma;
  }
}

TEST(ErgodicityAssumption, NamesTheViolation) {
  EXPECT_TRUE(ergodicity_assumption(testing::graph_of({{0, 1}, {0}})).holds);
  EXPECT_FALSE(ergodicity_assumption(testing::graph_of({{1}, {0}})).holds);
  const Assumption stuck = ergodicity_assumption(testing::graph_of({{0, 1}, {1}}), 1);
  EXPECT_FALSE(stuck.holds);
  EXPECT_FALSE(stuck.reason.empty());
}

}  // namespace
}  // namespace shortfall::theory
