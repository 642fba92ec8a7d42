#include "shortfall/risk/combined.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/shortfall_risk.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

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

}  // namespace
}  // namespace shortfall
