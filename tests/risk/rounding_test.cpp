// The bound on rounding compared with risks whose exact value is known in closed form.
#include "shortfall/risk/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/compensated_sum.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon() / 2;

struct TestLaw {
  std::vector<double> atoms;
  std::vector<double> probabilities;
  Law law() const { return {atoms, probabilities}; }
};

/// If one atom lies beyond the bound above the risk and the other below it, E ℓ(X - m) is linear in
/// m, with slopes β e^{±βb} and values expm1(±βb) at ±b.
long double truncated_entropic_risk(long double beta, long double bound, const TestLaw& law) {
  const long double above = law.probabilities[1] * beta * std::exp(beta * bound);
  const long double below = law.probabilities[0] * beta * std::exp(-beta * bound);
  const long double at_ends = law.probabilities[1] * std::expm1(beta * bound) +
                              law.probabilities[0] * std::expm1(-beta * bound);
  return (at_ends + above * (law.atoms[1] - bound) + below * (law.atoms[0] + bound)) /
         (above + below);
}

TEST(Rounding, CoversTruncatedEntropicRisksFarBeyondTheirBound) {
  for (const double exponent : {1.0, 6.0, 20.0, 40.0, 300.0, 640.0}) {
    const TestLaw law{{0.0, 1e8}, {1.0, 4e-8 / exponent * std::exp(-exponent)}};
    const TruncatedEntropic loss(exponent, 1.0);
    const long double exact = truncated_entropic_risk(exponent, 1.0L, law);
    ASSERT_GT(exact, 1.0L);  // both atoms are beyond the bound, so the formula holds
    ASSERT_LT(exact, 1e8L - 1.0L);
    for (const AnyLoss& any : {AnyLoss(loss), AnyLoss(CustomLoss(loss))}) {
      EXPECT_LE(std::abs(shortfall_risk(any, law.law()) - exact), risk_rounding(any, law.law()))
          << exponent;
    }
  }
}

TEST(Rounding, IsAFewUnitsOfMagnitudeAndSpread) {
  const TestLaw law{{1000.0, 1001.0}, {0.5, 0.5}};
  for (const auto& spec : testing::loss_specs()) {
    const AnyLoss loss = AnyLoss::parse(spec);
    const double bound = risk_rounding(loss, law.law());
    EXPECT_GT(bound, unit * 1001.0) << spec;
    EXPECT_LT(bound, 1e-10) << spec;
  }
}

TEST(Rounding, NeverExceedsTheSpreadByMoreThanRoundingOfTheAtoms) {
  const TestLaw law{{0.0, 1.0}, {0.5, 0.5}};
  const SoftQuantile steep(0.5, 1e9);  // slopes differ by 1e18
  EXPECT_GE(risk_rounding(AnyLoss(steep), law.law()), 1.0);
  EXPECT_LE(risk_rounding(AnyLoss(steep), law.law()), 1.0 + 8.0 * unit);
}

struct Steep {  // neither convex nor concave, without bounded slopes
  LossPoint at(double x) const { return {x * x * x, 3.0 * x * x}; }
  double score(double x) const { return 0.25 * x * x * x * x; }
  SlopeBounds slope_bounds() const { return {0.0, infinity}; }
  HalfLineCurvature curvature() const { return {Curvature::concave, Curvature::convex}; }
};

TEST(Rounding, HasNoBoundForLossesWithoutBoundedSlopesOrOutOfRange) {
  const TestLaw law{{0.0, 1.0}, {0.5, 0.5}};
  EXPECT_EQ(risk_rounding(AnyLoss(CustomLoss(Steep())), law.law()), infinity);
  const TestLaw huge{{-1e308, 1e308}, {0.5, 0.5}};
  EXPECT_EQ(risk_rounding(AnyLoss(Mean()), huge.law()), infinity);
}

/// With a slope between two pieces that cancels by 1e10, evaluating slope · x + intercept costs ten
/// digits: κ = 2 alone would claim that it costs none.
TEST(Rounding, CountsInterceptsThatCancel) {
  const AnyLoss steep = AnyLoss::parse("piecewise:-1:-1,0:0,1000:1000,1001:1e13");
  const AnyLoss plain = AnyLoss::parse("piecewise:-1:-1,0:0,1000:1000,1001:1002");
  const TestLaw law{{0.0, 1500.0}, {0.5, 0.5}};
  EXPECT_GT(risk_rounding(steep, law.law()), 1e9 * risk_rounding(plain, law.law()));
}

/// A concave loss that follows x/(1+x): each of its kinks rounds an intercept that stays near one
/// while slopes fall. The law {2 up to rounding, -1000} is far beyond them all.
TEST(Rounding, CountsEveryKinkThatAnInterceptPasses) {
  std::vector<Knot> knots{{-1.0, -1.0}, {0.0, 0.0}};
  for (int i = 1; i <= 400; ++i) {
    const double x = i / 256.0;  // exact, and so are differences of y to a few units
    knots.push_back({x, x / (1.0 + x)});
  }
  const AnyLoss many{Piecewise(knots)};
  const AnyLoss few{Piecewise({{-1.0, -1.0}, {0.0, 0.0}, {1.0, 0.5}, {1.5, 0.6}})};
  const TestLaw law{{2.0, -1000.0}, {0.999, 0.001}};
  EXPECT_GT(risk_rounding(many, law.law()), 10.0 * risk_rounding(few, law.law()));
}

TEST(Rounding, HasNoBoundIfOneSideOverflowsAndTheOtherMayOutweighIt) {
  const AnyLoss steep = AnyLoss::parse("piecewise:-1:-1e-3,0:0,1:1e10");
  // 1e-20 · ℓ(1e300) is 1e290, which the other atom outweighs; in double it is infinite.
  const TestLaw wrong_sign{{0.0, 1e300}, {1.0, 1e-20}};
  EXPECT_EQ(risk_rounding(steep, wrong_sign.law()), infinity);
  const TestLaw harmless{{0.0, 1e290}, {1.0, 1e-20}};
  EXPECT_LT(risk_rounding(steep, harmless.law()), 1e280);
}

TEST(Rounding, IsNeverZero) {
  const TestLaw denormal{{5e-324, 1e-323, 1e-323}, {1.0 / 3, 1.0 / 3, 1.0 / 3}};
  for (const char* spec : {"mean", "entropic:1", "piecewise:-1:-1e4,0:0,1:2e4"}) {
    EXPECT_GE(risk_rounding(AnyLoss::parse(spec), denormal.law()), 5e-324) << spec;
  }
}

TEST(EntropicRisk, IsTheMeanIfBetaIsTooSmall) {
  const TestLaw law{{1.0, 2.0}, {0.5, 0.5}};
  for (const double beta : {5e-324, 1e-310, 1e-20}) {
    const AnyLoss loss{Entropic(beta)};
    EXPECT_NEAR(shortfall_risk(loss, law.law()), 1.5, risk_rounding(loss, law.law())) << beta;
    EXPECT_LT(risk_rounding(loss, law.law()), 1e-13) << beta;
  }
}

TEST(EntropicRisk, CountsOutcomesWithProbabilitiesNearUnderflow) {
  // log(p e^{700} + 1) for p = e^-700 and the like: exponentials relative to the largest atom
  // would be denormal.
  const double p = 1e-305;
  const TestLaw law{{0.0, 700.0}, {1.0, p}};
  const AnyLoss loss{Entropic(1.0)};
  const long double exact = std::log1p(static_cast<long double>(p) * std::exp(700.0L));
  EXPECT_NEAR(shortfall_risk(loss, law.law()), static_cast<double>(exact),
              risk_rounding(loss, law.law()));
  EXPECT_LT(risk_rounding(loss, law.law()), 1e-11);
}

TEST(CompensatedSum, KeepsDigitsThatAPlainSumLoses) {
  EXPECT_EQ(compensated_sum(std::vector{1.0, 1e100, 1.0, -1e100}), 2.0);
  EXPECT_EQ(compensated_sum(std::vector<double>(10, 0.1)), 1.0);  // a plain sum is 1 - 1.1e-16
}

TEST(CompensatedSum, AddsProductsWithoutRoundingThem) {
  const double a = 1.0 + 0x1.0p-30;
  const double b = 1.0 - 0x1.0p-30;
  CompensatedSum sum;
  sum.add_product(a, b);  // 1 - 2^-60, which is 1 in double
  sum.add(-1.0);
  EXPECT_EQ(sum.value(), -0x1.0p-60);
}

TEST(CompensatedSum, IsInfiniteIfTheSumIs) {
  EXPECT_EQ(compensated_sum(std::vector{1.0, infinity}), infinity);
  EXPECT_EQ(compensated_sum(std::vector{1e308, 1e308, 1.0}), infinity);
}

}  // namespace
}  // namespace shortfall
