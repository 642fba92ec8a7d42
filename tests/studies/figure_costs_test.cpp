#include "studies/figure_costs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "studies/stock_setting.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using ::testing::ElementsAre;

TEST(CostDistributions, CompareMeansInPairs) {
  const PairedDifference difference =
      mean_difference(std::vector{3.0, 5.0, 7.0}, std::vector{1.0, 4.0, 4.0});
  EXPECT_DOUBLE_EQ(difference.mean, 2.0);  // of 2, 1, 3: deviation 1
  EXPECT_DOUBLE_EQ(difference.standard_error, std::sqrt(1.0 / 3.0));
}

TEST(CostDistributions, CompareVariances) {
  const std::vector<double> wide{-2.0, 2.0, -2.0, 2.0};
  const std::vector<double> narrow{9.0, 11.0, 11.0, 9.0};
  const PairedDifference difference = variance_difference(wide, narrow);
  EXPECT_DOUBLE_EQ(difference.mean, 3.0);  // 4 - 1, in every pair
  EXPECT_DOUBLE_EQ(difference.standard_error, 0.0);
}

TEST(CostDistributions, CompareExceedances) {
  const std::vector<double> x{1.0, 2.0, 3.0, 4.0};
  const std::vector<double> y{1.0, 1.0, 1.0, 4.0};
  EXPECT_DOUBLE_EQ(exceedance_difference(x, y, 1.5).mean, 0.5);
  EXPECT_DOUBLE_EQ(exceedance_difference(x, y, 4.0).mean, 0.0);
}

TEST(CostDistributions, HaveADistance) {
  const std::vector<double> x{1.0, 2.0, 3.0, 4.0};
  EXPECT_EQ(kolmogorov_distance(x, x), 0.0);
  EXPECT_EQ(kolmogorov_distance(x, std::vector{4.0, 3.0, 2.0, 1.0}), 0.0);
  EXPECT_EQ(kolmogorov_distance(x, std::vector{5.0, 6.0}), 1.0);
  EXPECT_EQ(kolmogorov_distance(x, std::vector{1.0, 2.0, 3.5, 4.0}), 0.25);
  EXPECT_EQ(kolmogorov_distance(x, std::vector{2.0, 2.0, 2.0, 2.0}), 0.5);
}

/// Parts with these differences and their standard errors, 1 each, and distances.
std::vector<CostsOfChoices> parts_of(double difference, double distance, double distance_if_dear,
                                     const char* choice = "as published") {
  std::vector<CostsOfChoices> parts;
  const PairedDifference found{difference, 1.0};
  for (const inventory::Costs& cost : pictured_costs) {
    const SimulatedCosts costs{
        .cost = cost_text(cost),
        .choice = choice,
        .mean_seeking_above_neutral = found,
        .mean_averse_above_neutral = found,
        .variance_seeking_above_neutral = found,
        .variance_neutral_above_averse = found,
        .extremes_seeking_above_neutral = found,
        .extremes_neutral_above_averse = found,
        .distance_seeking_averse = cost.wastage == 50 ? distance_if_dear : distance};
    parts.push_back({{costs}});
  }
  return parts;
}

TEST(FigureCosts, ConfirmsClearDifferences) {
  for (const Finding& finding : conclude_costs(parts_of(2.1, 0.3, 0.01)).findings) {
    EXPECT_EQ(finding.verdict, Verdict::confirmed) << finding.claim;
  }
}

TEST(FigureCosts, RefutesTheOpposite) {
  for (const Finding& finding : conclude_costs(parts_of(-2.1, 0.3, 0.2)).findings) {
    EXPECT_EQ(finding.verdict, Verdict::not_reproduced) << finding.claim;
  }
}

TEST(FigureCosts, LeavesOpenWhatNoiseHides) {
  const Results results = conclude_costs(parts_of(1.9, 0.3, 0.01));
  EXPECT_EQ(verdict_on(results, "Seeking risk"), Verdict::open);
  EXPECT_EQ(verdict_on(results, "Avoiding risk"), Verdict::open);
  EXPECT_EQ(verdict_on(results, "The risk-neutral policy"), Verdict::open);
}

TEST(FigureCosts, NeedsADistanceThatIsSmallComparedWithTheOthers) {
  const char* const claim = "Where wastage is expensive";
  EXPECT_EQ(verdict_on(conclude_costs(parts_of(3.0, 0.11, 0.05)), claim), Verdict::confirmed);
  EXPECT_EQ(verdict_on(conclude_costs(parts_of(3.0, 0.09, 0.05)), claim), Verdict::not_reproduced);
  EXPECT_EQ(verdict_on(conclude_costs(parts_of(3.0, 0.30, 0.06)), claim), Verdict::not_reproduced);
}

TEST(FigureCosts, RestsOnAllChoicesOfWhatIsLeftOpen) {
  std::vector<CostsOfChoices> parts = parts_of(2.1, 0.3, 0.01);
  const std::vector<CostsOfChoices> other = parts_of(-2.1, 0.3, 0.01, "another");
  const std::vector<CostsOfChoices> ours = parts_of(-2.1, 0.3, 0.01, "ours");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].choices.push_back(ours[i].choices.front());
  }
  EXPECT_EQ(verdict_on(conclude_costs(parts), "Seeking risk"), Verdict::confirmed);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].choices.push_back(other[i].choices.front());
  }
  const Results results = conclude_costs(parts);
  EXPECT_EQ(verdict_on(results, "Seeking risk"), Verdict::open);
  EXPECT_EQ(verdict_on(results, "Where wastage"), Verdict::confirmed);
}

/// The mean of the neutral policy is its value, 54.849, up to noise and the policy's small gap.
TEST(FigureCosts, SimulatesTrainedPolicies) {
  const Study study = figure_costs({.scale = Scale::quick});
  EXPECT_EQ(study.parts.size(), 3U);
  EXPECT_EQ(study.parts.front().name, "cost=10-1-20-5");
  const Results results = conclude_costs({computed<CostsOfChoices>(study.parts.front())});
  EXPECT_EQ(results.tables["distribution"].size(), 2U * 3U * 201U);
  EXPECT_THAT(columns_of(results.tables["distribution"]),
              ElementsAre("cost", "tau", "training", "probability", "discounted_cost"));
  EXPECT_THAT(
      columns_of(results.tables["summary"]),
      ElementsAre("cost", "tau", "training", "mean", "standard_error", "standard_deviation", "q05",
                  "q50", "q95", "q99", "cost_per_period", "service_level", "wastage_rate"));
  const Json& neutral = results.tables["summary"][4];
  EXPECT_EQ(neutral["training"], "ours");
  EXPECT_EQ(neutral["tau"], 0.5);
  EXPECT_NEAR(neutral["mean"].get<double>(), 54.849,
              4.0 * neutral["standard_error"].get<double>() + 0.02);
  // Quantiles of the table are those of the summary.
  for (const auto& [index, key] :
       {std::pair{10u, "q05"}, {100u, "q50"}, {190u, "q95"}, {198u, "q99"}}) {
    const Json& point = results.tables["distribution"][4u * 201u + index];
    EXPECT_EQ(point["probability"], index / 200.0);
    EXPECT_EQ(point["discounted_cost"], neutral[key]);
  }
}

}  // namespace
}  // namespace shortfall::studies
