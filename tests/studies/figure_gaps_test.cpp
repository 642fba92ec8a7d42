#include "studies/figure_gaps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "studies/stock_setting.hpp"
#include "studies/training_choices.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using ::testing::ElementsAre;

/// Gaps that start at 10 % and shrink by `factor` per iteration; the second seed starts a tenth
/// higher.
std::vector<GapCurve> curves(double factor, int iterations) {
  std::vector<GapCurve> seeds(2);
  for (int k = 0; k <= iterations; ++k) {
    seeds[0].push_back(10.0 * std::pow(factor, k));
    seeds[1].push_back(11.0 * std::pow(factor, k));
  }
  return seeds;
}

Results conclude(double td, double newton, int iterations = 20) {
  std::vector<SettingGaps> parts;
  for (const StockSetting& setting : pictured_settings()) {
    parts.push_back({cost_text(setting.cost), setting.tau, {}});
    for (const char* const choice : {"as published", "ours"}) {
      parts.back().curves.push_back({"TD", choice, curves(td, iterations), 0, 0});
      parts.back().curves.push_back({"Newton", choice, curves(newton, iterations), 1, 2});
    }
  }
  return conclude(figure_gaps({}), parts);
}

TEST(FigureGaps, ConfirmsFastTraining) {
  const Results results = conclude(0.5, 0.1);
  EXPECT_EQ(verdict_on(results, "Both algorithms converge"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "Newton converges"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "After 20 iterations"), Verdict::confirmed);
}

TEST(FigureGaps, RefutesSlowTraining) {
  const Results results = conclude(0.99, 0.995);
  EXPECT_EQ(verdict_on(results, "Both algorithms converge"), Verdict::not_reproduced);
  EXPECT_EQ(verdict_on(results, "After 20 iterations"), Verdict::not_reproduced);
}

TEST(FigureGaps, NeedsAClearDifferenceToSayWhichIsFaster) {
  EXPECT_EQ(verdict_on(conclude(0.1, 0.1), "Newton converges"), Verdict::open);
  EXPECT_EQ(verdict_on(conclude(0.1, 0.5), "Newton converges"), Verdict::not_reproduced);
}

TEST(FigureGaps, RestsOnTrainingAsPublishedUnderAllChoices) {
  std::vector<SettingGaps> parts;
  for (const StockSetting& setting : pictured_settings()) {
    parts.push_back({cost_text(setting.cost),
                     setting.tau,
                     {{"TD", "as published", curves(0.5, 20), 0, 0},
                      {"Newton", "as published", curves(0.1, 20), 0, 0},
                      {"TD", "ours", curves(0.999, 20), 0, 0},
                      {"Newton", "ours", curves(0.999, 20), 0, 0}}});
  }
  const char* const claim = "After 20 iterations";
  EXPECT_EQ(verdict_on(conclude(figure_gaps({}), parts), claim), Verdict::confirmed);
  parts.front().curves.push_back({"TD", "small steps", curves(0.99, 20), 0, 0});
  for (std::size_t i = 1; i < parts.size(); ++i) {
    parts[i].curves.push_back({"TD", "small steps", curves(0.5, 20), 0, 0});
  }
  const Results results = conclude(figure_gaps({}), parts);
  EXPECT_EQ(verdict_on(results, claim), Verdict::open);
  EXPECT_THAT(results.findings[2].found, ::testing::HasSubstr("depends on"));
  EXPECT_THAT(results.findings[2].found, ::testing::HasSubstr("small steps"));
}

TEST(FigureGaps, LeavesOpenWhatFewIterationsShow) {
  for (const Finding& finding : conclude(0.5, 0.1, 6).findings) {
    EXPECT_EQ(finding.verdict, Verdict::open) << finding.claim;
  }
}

TEST(FigureGaps, HasMeansAndExtremesOverSeeds) {
  const Results results = conclude(0.5, 0.1);
  const Json& gaps = results.tables["gaps"];
  EXPECT_EQ(gaps.size(), 2U * 9U * 2U * 21U);
  EXPECT_THAT(columns_of(gaps),
              ElementsAre("cost", "tau", "algorithm", "training", "iteration", "gap_percent",
                          "least_gap_percent", "most_gap_percent", "seeds"));
  EXPECT_EQ(gaps[1]["iteration"], 1);
  EXPECT_DOUBLE_EQ(gaps[1]["gap_percent"].get<double>(), 5.25);
  EXPECT_DOUBLE_EQ(gaps[1]["least_gap_percent"].get<double>(), 5.0);
  EXPECT_DOUBLE_EQ(gaps[1]["most_gap_percent"].get<double>(), 5.5);
  EXPECT_EQ(gaps[1]["seeds"], 2);
  const Json& choices = results.tables["choices"];
  EXPECT_THAT(columns_of(choices),
              ElementsAre("algorithm", "choice", "trainings", "mean_gap_percent",
                          "worst_gap_percent", "singular", "diverged"));
  EXPECT_EQ(choices.size(), 4U);
  EXPECT_EQ(choices[1]["trainings"], 18);
  EXPECT_EQ(choices[1]["singular"], 9);
  EXPECT_EQ(choices[1]["diverged"], 18);
}

/// At these costs the myopic policy's gap is known: 100 (34.6664 / 34.5022 - 1) = 0.476 %.
TEST(FigureGaps, BeginsWithTheMyopicPolicy) {
  const Study study = figure_gaps({.scale = Scale::quick});
  EXPECT_EQ(study.parts.size(), 9U);
  const auto part = computed<SettingGaps>(study.parts.front());
  ASSERT_EQ(part.curves.size(), 4U);
  for (const TrainedCurves& curves : part.curves) {
    ASSERT_EQ(curves.seeds.size(), 1U);
    ASSERT_EQ(curves.seeds[0].size(), 7U);
    EXPECT_NEAR(curves.seeds[0][0], 0.476, 1e-3);
    if (curves.choice == our_column) {
      EXPECT_LT(curves.seeds[0][6], 0.2);
    }
  }
}

}  // namespace
}  // namespace shortfall::studies
