#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/combined.hpp"
#include "shortfall/risk/risk_levels.hpp"
#include "shortfall/risk/shortfall_risk.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Points where some loss of the tests has a kink, and points between.
const std::vector<double> probes = {-7.0, -3.0, -2.0, -1.5, -1.0, -0.5, -0.25, 0.0,
                                    0.25, 0.5,  1.0,  1.5,  2.0,  3.0,  4.0,   7.0};

class EveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Losses, EveryLoss, ::testing::ValuesIn(testing::loss_specs()));

TEST_P(EveryLoss, IsZeroAtTheOrigin) {
  EXPECT_EQ(loss.at(0.0).value, 0.0);
  EXPECT_EQ(loss.score(0.0), 0.0);
}

TEST_P(EveryLoss, HasTheLeftSlopeOfItsValueOnBothSidesOfEachKink) {
  for (const double x : probes) {
    for (const double point : {x - 1e-3, x, x + 1e-3}) {
      // One-sided difference: second derivatives of the smooth losses here are below 3² e^{21}.
      const double h = 1e-7;
      const auto [value, slope] = loss.at(point);
      const double difference = (value - loss.at(point - h).value) / h;
      const double rounding = 4e-16 * (std::abs(value) + slope * std::abs(point)) / h;
      EXPECT_NEAR(difference, slope, 2.0 * h * 3.0 * slope + rounding) << "at " << point;
    }
  }
}

TEST_P(EveryLoss, HasAScoreWhoseDerivativeIsTheLoss) {
  for (const double x : probes) {
    const double h = 1e-4;
    const double difference = (loss.score(x + h) - loss.score(x - h)) / (2.0 * h);
    const double steepest = loss.at(x + h).left_slope + loss.at(x - h).left_slope;
    const double rounding = 1e-15 * (1.0 + std::abs(loss.score(x))) / h;
    EXPECT_NEAR(difference, loss.at(x).value, h * steepest + rounding) << "at " << x;
  }
}

TEST_P(EveryLoss, KeepsDifferenceQuotientsWithinItsSlopeBounds) {
  const auto [lower, upper] = loss.slope_bounds();
  for (const double x : probes) {
    for (const double y : probes) {
      if (x <= y) continue;
      const double quotient = (loss.at(x).value - loss.at(y).value) / (x - y);
      EXPECT_GE(quotient, lower * (1.0 - 1e-12)) << x << " " << y;
      EXPECT_LE(quotient, upper * (1.0 + 1e-12)) << x << " " << y;
      EXPECT_GT(quotient, 0.0) << x << " " << y;
    }
  }
}

TEST_P(EveryLoss, HasItsDeclaredCurvatureOnEachHalfLine) {
  const auto [negative, positive] = loss.curvature();
  for (const double a : probes) {
    for (const double b : probes) {
      if (a >= b || a * b < 0.0) continue;
      const Curvature curvature = b <= 0.0 ? negative : positive;
      const double chord = 0.5 * (loss.at(a).value + loss.at(b).value);
      const double middle = loss.at(0.5 * (a + b)).value;
      const double slack = 1e-13 * (std::abs(loss.at(a).value) + std::abs(loss.at(b).value));
      if (is_convex(curvature)) {
        EXPECT_LE(middle, chord + slack) << a << " " << b;
      }
      if (is_concave(curvature)) {
        EXPECT_GE(middle, chord - slack) << a << " " << b;
      }
    }
  }
}

TEST_P(EveryLoss, IsParsedFromItsOwnString) {
  const AnyLoss again = AnyLoss::parse(loss.to_string());
  EXPECT_EQ(again.to_string(), loss.to_string());
  for (const double x : probes) EXPECT_EQ(again.at(x).value, loss.at(x).value);
}

// A text from a file or from Python may have any byte, and a message ends at a NUL.
TEST(AnyLoss, IsRefusedWithAWholeMessageWhateverItsBytes) {
  using namespace std::string_view_literals;
  EXPECT_THAT([] { (void)AnyLoss::parse("me\0an\0"sv); },
              ThrowsMessage<InvalidInput>(HasSubstr("'me\\0an\\0' is not known; accepted: ")));
}

TEST(SlopeBounds, AreTheClosedFormsOfEachLoss) {
  const auto expect = [](const char* spec, double lower, double upper) {
    const SlopeBounds bounds = AnyLoss::parse(spec).slope_bounds();
    EXPECT_DOUBLE_EQ(bounds.lower, lower) << spec;
    EXPECT_DOUBLE_EQ(bounds.upper, upper) << spec;
  };
  expect("mean", 1.0, 1.0);
  expect("expectile:0.9", 0.1, 0.9);
  expect("expectile:0.2", 0.2, 0.8);
  expect("entropic:2", 0.0, infinity);
  expect("truncated-entropic:2,1.5", 2.0 * std::exp(-3.0), 2.0 * std::exp(3.0));
  expect("soft-quantile:0.2,2", 0.1, 1.6);  // mu/kappa, (1-mu) kappa
  expect("piecewise:-1:-0.5,0:0,1:2,3:9", 0.5, 3.5);
}

TEST(Curvature, IsMixedOnlyIfAHalfLineBendsBothWays) {
  const auto soft = AnyLoss::parse("soft-quantile:0.3,2").curvature();
  EXPECT_EQ(soft.negative, Curvature::concave);
  EXPECT_EQ(soft.positive, Curvature::convex);
  EXPECT_EQ(AnyLoss::parse("soft-quantile:0.3,0.5").curvature().negative, Curvature::convex);
  const auto mixed = AnyLoss::parse("piecewise:-1:-1,0:0,1:2,2:3,3:7").curvature();
  EXPECT_EQ(mixed.negative, Curvature::linear);
  EXPECT_EQ(mixed.positive, Curvature::mixed);
  EXPECT_TRUE(is_convex(AnyLoss::parse("expectile:0.7")));
  EXPECT_FALSE(is_concave(AnyLoss::parse("expectile:0.7")));
  EXPECT_TRUE(is_concave(AnyLoss::parse("expectile:0.3")));
  EXPECT_TRUE(is_convex(AnyLoss::parse("mean")) && is_concave(AnyLoss::parse("mean")));
  EXPECT_FALSE(is_convex(AnyLoss::parse("soft-quantile:0.3,2")));
}

TEST(SoftQuantile, HasTheValuesOfItsDefinition) {
  const double mu = 0.3;
  const double kappa = 2.0;
  const SoftQuantile loss(mu, kappa);
  EXPECT_DOUBLE_EQ(loss.at(-3.0).value, (1 - mu) * (kappa * -3.0 + kappa * kappa - 1));
  EXPECT_DOUBLE_EQ(loss.at(-kappa).value, -(1 - mu));
  EXPECT_DOUBLE_EQ(loss.at(1.0).value, mu / kappa);
  EXPECT_DOUBLE_EQ(loss.at(kappa).value, mu);
  EXPECT_DOUBLE_EQ(loss.at(3.0).value, mu * (kappa * 3.0 - kappa * kappa + 1));
  EXPECT_DOUBLE_EQ(SoftQuantile(mu, 1.0).at(-5.0).value, Expectile(mu).at(-5.0).value);
}

TEST(Entropic, HasAPositiveScoreWhereTheSquareOfItsExponentIsTooSmall) {
  // ψ(x) = β x² / 2 to a relative β |x| / 3, which is below any rounding here.
  for (const double beta : {3.51e-298, 1e-200, 1e-100}) {
    for (const double x : {-1.0, 1.0, 3.0, 1e50}) {
      const double expected = x * (beta * x / 2);
      EXPECT_DOUBLE_EQ(Entropic(beta).score(x), expected);
      EXPECT_DOUBLE_EQ(TruncatedEntropic(beta, 10.0).score(x), expected);
    }
  }
}

TEST(TruncatedEntropic, IsTheEntropicLossInsideItsBound) {
  const Entropic entropic(0.7);
  const TruncatedEntropic truncated(0.7, 2.0);
  for (const double x : {-2.0, -1.0, 0.0, 0.3, 2.0}) {
    EXPECT_DOUBLE_EQ(truncated.at(x).value, entropic.at(x).value);
    EXPECT_DOUBLE_EQ(truncated.score(x), entropic.score(x));
  }
  EXPECT_LT(truncated.at(3.0).value, entropic.at(3.0).value);
  EXPECT_LT(truncated.at(-3.0).value, entropic.at(-3.0).value);
}

TEST(Parse, ReportsTheErrorAndWhatIsAccepted) {
  const auto expect = [](const char* spec, const char* part) {
    EXPECT_THAT([spec] { AnyLoss::parse(spec); }, ThrowsMessage<InvalidInput>(HasSubstr(part)))
        << spec;
  };
  expect("expectile:1", "strictly between 0 and 1");
  expect("expectile:0", "strictly between 0 and 1");
  expect("expectile:nan", "'nan' is not a number");
  expect("expectile", "takes 1 parameter(s); found 0");
  expect("expectile:0.1,0.2", "takes 1 parameter(s); found 2");
  expect("entropic:0", "entropic beta = 0; accepted: a number > 0");
  expect("entropic:-1", "a number > 0");
  expect("entropic:1e400", "is not a number");
  expect("truncated-entropic:1,0", "bound = 0");
  expect("truncated-entropic:10,100", "at most about 700");
  expect("soft-quantile:0.5", "takes 2 parameter(s)");
  expect("soft-quantile:0.5,0", "kappa = 0");
  expect("soft-quantile:0.5,1e-310", "slope 5e-311; accepted: finite slopes of at least 2.23e-308");
  expect("expectile:1e-310", "slope 1e-310; accepted: finite slopes");
  expect("piecewise:-1:-1", "two or more");
  expect("piecewise:-1:-1,0:0,1:0", "does not rise");
  expect("piecewise:-1:-1,1:2", "is 0.5 at 0");
  expect("piecewise:1:1,2:3", "is -1 at 0");
  expect("piecewise:-1:-1,0", "'0' is not of the form X:Y");
  expect("mean:1", "mean takes no parameter");
  expect("quantile:0.5", "is not known; accepted: mean, expectile:TAU");
  expect("", "is not known");
}

TEST(TruncatedEntropic, KeepsTheDigitsOfItsTangents) {
  // Of β e^{±βb}, 1e9 beyond the bound: rounding βb alone would cost 325 units.
  const TruncatedEntropic loss(650.0, 1.0);
  for (const double side : {-1.0, 1.0}) {
    const long double slope = 650.0L * std::exp(650.0L * side);
    const long double value = std::expm1(650.0L * side) + slope * (side * 1e9L);
    const LossPoint point = loss.at(side * (1e9 + 1.0));
    EXPECT_NEAR(static_cast<double>(point.left_slope / slope), 1.0, 1e-15);
    EXPECT_NEAR(static_cast<double>(point.value / value), 1.0, 1e-15);
  }
}

TEST(Piecewise, AcceptsKnotsAcrossTheRangeOfDouble) {
  const AnyLoss loss = AnyLoss::parse("piecewise:-1e308:-1e308,0:0,1e308:1e308");
  EXPECT_EQ(loss.at(3.0).value, 3.0);
  const AnyLoss without_origin = AnyLoss::parse("piecewise:-1e308:-1e308,1e308:1e308");
  EXPECT_EQ(without_origin.at(-3.0).value, -3.0);
}

TEST(CustomLoss, ReturnsTheLossByItsType) {
  const CustomLoss loss(Expectile(0.7));
  ASSERT_NE(loss.target<Expectile>(), nullptr);
  EXPECT_EQ(loss.target<Expectile>()->tau(), 0.7);
  EXPECT_EQ(loss.target<Entropic>(), nullptr);
}

const std::vector<double> prices = {-2.0, 0.5, 1.0, 7.0};
const std::vector<double> chances = {0.2, 0.3, 0.4, 0.1};
const Law law{prices, chances};

TEST(ScaledLoss, HasTheSameRisk) {
  for (const AnyLoss& loss : testing::all_losses()) {
    const double risk = shortfall_risk(loss, law);
    for (const double factor : {1e-3, 0.5, 40.0}) {
      EXPECT_NEAR(shortfall_risk(scaled(loss, factor), law), risk, 1e-13) << loss.to_string();
    }
  }
}

TEST(ScaledLoss, HasScaledValuesSlopesAndScores) {
  const auto loss = scaled(Expectile(0.9), 3.0);
  for (const double x : {-2.0, 0.0, 1.5}) {
    EXPECT_EQ(loss.at(x).value, 3.0 * Expectile(0.9).at(x).value);
    EXPECT_EQ(loss.at(x).left_slope, 3.0 * Expectile(0.9).at(x).left_slope);
    EXPECT_EQ(loss.score(x), 3.0 * Expectile(0.9).score(x));
  }
  EXPECT_EQ(loss.slope_bounds().upper, 3.0 * Expectile(0.9).slope_bounds().upper);
  for (const double factor : {0.0, -1.0, infinity, std::nan("")}) {
    EXPECT_THAT([&] { (void)scaled(Mean(), factor); },
                ThrowsMessage<InvalidInput>(HasSubstr("accepted: a number > 0")));
  }
}

/// Slopes of opposite expectiles add up to a constant: the sum is the mean.
TEST(SumOfLosses, OfOppositeExpectilesIsTheMean) {
  EXPECT_NEAR(shortfall_risk(sum(Expectile(0.9), Expectile(0.1)), law), 0.85, 1e-15);
}

/// Weights w and 1 - w of levels s and t give the level w s + (1 - w) t.
TEST(SumOfLosses, OfExpectilesIsAnExpectileBetweenThem) {
  const auto mixture = sum(scaled(Expectile(0.9), 0.25), scaled(Expectile(0.5), 0.75));
  EXPECT_NEAR(shortfall_risk(mixture, law), shortfall_risk(Expectile(0.6), law), 1e-15);
}

TEST(SumOfLosses, LiesBetweenTheRisksOfItsParts) {
  for (const AnyLoss& first : testing::all_losses()) {
    for (const AnyLoss& second : testing::all_losses()) {
      const double a = shortfall_risk(first, law);
      const double b = shortfall_risk(second, law);
      const double both = shortfall_risk(sum(first, second), law);
      EXPECT_GE(both, std::min(a, b) - 1e-13) << first.to_string() << " + " << second.to_string();
      EXPECT_LE(both, std::max(a, b) + 1e-13) << first.to_string() << " + " << second.to_string();
    }
  }
}

TEST(SumOfLosses, KnowsItsSlopesAndCurvature) {
  const std::vector<AnyLoss> losses = testing::all_losses();
  for (const AnyLoss& first : losses) {
    for (const AnyLoss& second : losses) {
      const auto loss = sum(first, second);
      const auto [lower, upper] = loss.slope_bounds();
      const auto [negative, positive] = loss.curvature();
      for (double x = -4.0; x <= 4.0; x += 0.25) {
        const double middle = loss.at(x).value;
        const double slope = (loss.at(x + 0.25).value - middle) / 0.25;
        EXPECT_GE(slope, lower * (1.0 - 1e-12));
        EXPECT_LE(slope, upper * (1.0 + 1e-12));
        if (x == 0.0) continue;  // the half-lines meet here
        const double bend = loss.at(x + 0.25).value + loss.at(x - 0.25).value - 2.0 * middle;
        const double rounding = 1e-14 * (1.0 + std::abs(loss.at(x + 0.25).value));
        const Curvature curvature = x < 0.0 ? negative : positive;
        EXPECT_TRUE(!is_convex(curvature) || bend >= -rounding) << x;
        EXPECT_TRUE(!is_concave(curvature) || bend <= rounding) << x;
      }
    }
  }
  EXPECT_EQ(sum(Entropic(1.0), Mean()).curvature().positive, Curvature::convex);
  EXPECT_EQ(sum(Mean(), Mean()).curvature().positive, Curvature::linear);
}

// Levels of risk to compare, and the attitude that a loss expresses.

using ::testing::ElementsAre;

std::vector<std::string> levels_of(const char* loss, const std::vector<double>& requested) {
  std::vector<std::string> names;
  for (const RiskLevel& level : risk_levels(AnyLoss::parse(loss), requested).levels) {
    names.push_back(level.loss.to_string());
  }
  return names;
}

TEST(RiskLevels, BelongToTheFamilyOfTheGivenLoss) {
  EXPECT_THAT(levels_of("expectile:0.7", {}),
              ElementsAre("expectile:0.1", "expectile:0.3", "expectile:0.5", "expectile:0.7",
                          "expectile:0.9"));
  EXPECT_THAT(levels_of("mean", {0.9}), ElementsAre("mean", "expectile:0.9"));
  EXPECT_THAT(levels_of("entropic:0.4", {}),
              ElementsAre("entropic:0.1", "entropic:0.2", "entropic:0.4", "entropic:0.8"));
  EXPECT_THAT(levels_of("truncated-entropic:0.4,3", {0.1}),
              ElementsAre("truncated-entropic:0.1,3", "truncated-entropic:0.4,3"));
  EXPECT_THAT(levels_of("soft-quantile:0.8,2", {0.5}),
              ElementsAre("soft-quantile:0.5,2", "soft-quantile:0.8,2"));
  EXPECT_THAT(levels_of("piecewise:-1:-1,0:0,1:2", {}), ::testing::SizeIs(1));
}

TEST(RiskLevels, NameTheirFieldWhenTheyAreRefused) {
  const auto problem = [](const char* loss, double level) {
    try {
      (void)levels_of(loss, {level});
    } catch (const InvalidField& error) {
      return std::string(error.field()) + ": " + error.what();
    }
    return std::string("accepted");
  };
  EXPECT_THAT(problem("expectile:0.7", 1.5), HasSubstr("levels: expectile level tau = 1.5"));
  EXPECT_THAT(problem("entropic:0.7", 0.0), HasSubstr("levels: "));
  EXPECT_THAT(problem("piecewise:-1:-1,0:0,1:2", 0.5), HasSubstr("has no parameter to vary"));
  EXPECT_EQ(problem("mean", 0.999), "accepted");
}

TEST(RiskLevels, AreTheSameRiskWithTheSameParameters) {
  const auto same = [](const char* a, const char* b) {
    return is_same_risk(AnyLoss::parse(a), AnyLoss::parse(b));
  };
  EXPECT_TRUE(same("mean", "expectile:0.5"));
  EXPECT_TRUE(same("expectile:0.5", "mean"));
  EXPECT_TRUE(same("entropic:0.1", "entropic:0.1"));
  EXPECT_FALSE(same("mean", "expectile:0.5000000000000001"));
  EXPECT_FALSE(same("entropic:0.1", "truncated-entropic:0.1,3"));
  EXPECT_FALSE(same("soft-quantile:0.8,2", "soft-quantile:0.8,3"));
  EXPECT_FALSE(is_same_risk(CustomLoss(Expectile(0.9)), CustomLoss(Expectile(0.9))));
}

TEST(RiskLevels, ExpressAnAttitude) {
  const auto attitude = [](const char* loss) {
    const Attitude found = attitude_of(AnyLoss::parse(loss));
    return std::pair(std::string(name_of(found.kind, attitude_names)),
                     found.weight_ratio.value_or(0.0));
  };
  EXPECT_EQ(attitude("expectile:0.75"), std::pair(std::string("averse"), 3.0));
  EXPECT_EQ(attitude("expectile:0.25"), std::pair(std::string("seeking"), 3.0));
  EXPECT_EQ(attitude("expectile:0.5"), std::pair(std::string("neutral"), 0.0));
  EXPECT_EQ(attitude("mean"), std::pair(std::string("neutral"), 0.0));
  EXPECT_EQ(attitude("entropic:0.1"), std::pair(std::string("averse"), 0.0));
  EXPECT_EQ(attitude("truncated-entropic:0.1,3"), std::pair(std::string("averse"), 0.0));
  EXPECT_EQ(attitude("soft-quantile:0.8,2"), std::pair(std::string("other"), 0.0));
}

}  // namespace
}  // namespace shortfall
