// Levels of risk to compare, and the attitude that a loss expresses.
#include "shortfall/risk/risk_levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "shortfall/errors/error.hpp"

namespace shortfall {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
