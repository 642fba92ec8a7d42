// The study of intervals: its settings, its runs for any number of threads, and its verdicts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "shortfall/numbers/infinity.hpp"
#include "studies/intervals.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(IntervalProblem, HasTheStatesAndFeaturesOfItsChain) {
  const auto sizes = [](const char* chain, const char* features) {
    const IntervalProblem problem = interval_problem({chain, features, 0.7});
    return std::vector<std::size_t>{problem.chain.states(),
                                    static_cast<std::size_t>(problem.phi.cols())};
  };
  EXPECT_THAT(sizes("random", "one per state"), ElementsAre(10, 10));
  EXPECT_THAT(sizes("random", "fewer"), ElementsAre(10, 4));
  EXPECT_THAT(sizes("walk", "fewer"), ElementsAre(20, 5));
  EXPECT_THAT(sizes("platelets", "one per state"), ElementsAre(15, 15));
  EXPECT_THAT(sizes("platelets", "fewer"), ElementsAre(15, 6));
}

// Where they do not, the study itself finds how much autocovariances matter.
TEST(IntervalProblem, NeedsNoAutocovariancesWhereFeaturesHoldTheValue) {
  EXPECT_NEAR(
      interval_problem({"walk", "one per state", 0.9}).least_coverage_without_autocovariances(),
      0.95, 1e-9);
}

/// Two states; the first is visited less.
CellTally two_state_tally() {
  CellTally tally{.runs = 4, .states = std::vector<StateTally>(2)};
  tally.states[0] = {.covered = 2,
                     .not_yet = 1,
                     .batch_correlation = 1.4,
                     .half_widths = {2, 2, 5},
                     .errors = {3, -3, 3, 3}};
  tally.states[1] = {
      .covered = 4, .short_batches = 1, .half_widths = {1, 1, 1, 1}, .errors = {1, -1, 1, -1}};
  return tally;
}

TEST(IntervalTally, HasSharesAndRatiosByHand) {
  IntervalCell cell{.n = 1000};
  const Eigen::VectorXd deviation{{1.0, 0.5}};
  summarise(two_state_tally(), deviation, {0.25, 0.75}, cell);
  EXPECT_DOUBLE_EQ(cell.coverage, (2.0 / 3.0 + 1.0) / 2.0);
  EXPECT_DOUBLE_EQ(cell.least_coverage, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(cell.least_visits, 250.0);
  EXPECT_NEAR(cell.width, (3.0 / 1.96 + 2.0 / 1.96) / 2.0, 1e-4);
  EXPECT_NEAR(cell.median_width, 2.0 / 1.96, 1e-4);
  EXPECT_DOUBLE_EQ(cell.error, (3.0 + 2.0) / 2.0);
  EXPECT_NEAR(cell.median_error, 2.5 / 0.67449, 1e-4);
  EXPECT_DOUBLE_EQ(cell.largest_error, 3.0);
  EXPECT_DOUBLE_EQ(cell.largest_bias, 1.5);
  EXPECT_DOUBLE_EQ(cell.not_yet, 1.0 / 8.0);
  EXPECT_DOUBLE_EQ(cell.short_batches, 1.0 / 7.0);
  EXPECT_DOUBLE_EQ(cell.batch_correlation, 0.2);
}

TEST(IntervalTally, HasNoCoverageWithoutIntervals) {
  CellTally tally{.runs = 1, .states = std::vector<StateTally>(1)};
  tally.states[0] = {.not_yet = 1, .errors = {0.5}};
  IntervalCell cell;
  summarise(tally, Eigen::VectorXd::Ones(1), {1.0}, cell);
  EXPECT_EQ(cell.coverage, infinity);
  EXPECT_EQ(cell.width, infinity);
  EXPECT_DOUBLE_EQ(cell.error, 0.5);
  EXPECT_DOUBLE_EQ(cell.not_yet, 1.0);
}

TEST(IntervalRuns, AreTheSameForAnyNumberOfThreads) {
  const IntervalProblem problem = interval_problem({"random", "fewer", 0.7});
  const IntervalScale scale{.runs = 9, .published_runs = 5, .td_runs = 3, .updates = {5000, 6000}};
  const auto run = [&](int threads) {
    return Json(interval_runs(problem, scale, {.seed = 3, .threads = threads}, [](double) {}));
  };
  const Json alone = run(1);
  EXPECT_EQ(run(2), alone);
  const auto tables = alone.get<IntervalTables>();
  ASSERT_EQ(tables.cells.size(), 8u);
  EXPECT_EQ(tables.cells[0].runs, 9u);
  EXPECT_EQ(tables.cells[2].algorithm, "newton-as-published");
  EXPECT_EQ(tables.cells[2].runs, 5u);
  EXPECT_EQ(tables.cells[3].runs, 3u);
  for (const IntervalCell& cell : tables.cells) {
    const bool has_intervals = cell.method != "" && cell.not_yet < 1.0;
    EXPECT_EQ(std::isfinite(cell.coverage), has_intervals) << cell.algorithm;
    EXPECT_GT(cell.error, 0.1);
  }
}

TEST(IntervalRuns, OfFortyPathsCoverTheValueMostly) {
  // The ten states of a path are correlated, so count them as one: over 40 paths, a coverage of
  // 0.95 has a standard deviation of at most 0.034; that of a root mean square error is a tenth of
  // the error.
  const IntervalTables tables = interval_runs(
      interval_problem({"random", "one per state", 0.7}),
      {.runs = 40, .published_runs = 0, .td_runs = 0, .updates = {20'000}}, {}, [](double) {});
  ASSERT_EQ(tables.cells.size(), 2u);
  for (const IntervalCell& cell : tables.cells) {
    EXPECT_GT(cell.coverage, 0.95 - 4 * 0.034) << cell.method;
    EXPECT_NEAR(cell.error, 1.05, 0.4);
  }
}

TEST(IntervalRuns, EndWhereTheProgressThrows) {
  const IntervalProblem problem = interval_problem({"random", "fewer", 0.5});
  const IntervalScale scale{.runs = 50, .published_runs = 0, .td_runs = 0, .updates = {1000}};
  EXPECT_THROW((void)interval_runs(problem, scale, {}, [](double) { throw PartStopped(); }),
               PartStopped);
}

/// What intervals that meet all goals give.
IntervalTables good_tables() {
  IntervalTables tables;
  for (const char* features : {"one per state", "fewer"}) {
    for (const double tau : {0.5, 0.9}) {
      tables.settings.push_back({.chain = "random",
                                 .features = features,
                                 .tau = tau,
                                 .least_coverage_without_autocovariances =
                                     std::string(features) == "fewer" ? 0.7 : 0.95});
      for (const char* algorithm : {"newton", "newton", "newton-as-published", "averaged-td"}) {
        const bool is_published = std::string(algorithm) == "newton-as-published";
        const bool is_first = tables.cells.size() % 4 == 0;
        tables.cells.push_back({.chain = "random",
                                .features = features,
                                .tau = tau,
                                .n = 100'000,
                                .algorithm = algorithm,
                                .method = is_published ? ""
                                          : is_first   ? "batch-means"
                                                       : "random-scaling",
                                .runs = 1000,
                                .coverage = is_published ? infinity : 0.95,
                                .least_coverage = is_published ? infinity : 0.93,
                                .least_visits = 5000.0,
                                .width = 1.1,
                                .error = is_published && tau != 0.5 ? 3.0 : 1.05,
                                .largest_error = 1.08});
      }
    }
  }
  return tables;
}

TEST(IntervalFindings, AreRefutedOneByOne) {
  const auto refuted = [](const std::function<void(IntervalTables&)>& change) {
    IntervalTables tables = good_tables();
    change(tables);
    return refuted_of(interval_findings(tables));
  };
  EXPECT_EQ(refuted([](IntervalTables&) {}), 8u);
  EXPECT_EQ(refuted([](IntervalTables& t) { t.cells[0].coverage = 0.929; }), 0u);
  EXPECT_EQ(refuted([](IntervalTables& t) { t.cells[0].coverage = 0.971; }), 0u);
  EXPECT_EQ(refuted([](IntervalTables& t) { t.cells[4].least_coverage = 0.919; }), 1u);
  EXPECT_EQ(refuted([](IntervalTables& t) { t.cells[0].width = 1.16; }), 2u);
  EXPECT_EQ(refuted([](IntervalTables& t) { t.cells[1].coverage = 0.98; }), 3u);
  EXPECT_EQ(refuted([](IntervalTables& t) { t.cells[3].coverage = 0.8; }), 4u);
  EXPECT_EQ(refuted([](IntervalTables& t) { t.cells[0].error = 1.11; }), 5u);
  EXPECT_EQ(refuted([](IntervalTables& t) {
              for (IntervalCell& cell : t.cells) cell.error = 1.0;
            }),
            6u);
  EXPECT_EQ(refuted([](IntervalTables& t) {
              t.settings[2].least_coverage_without_autocovariances = 0.94;
              t.settings[3].least_coverage_without_autocovariances = 0.94;
            }),
            7u);
}

TEST(IntervalFindings, StayOpenWithFewerUpdates) {
  IntervalTables tables = good_tables();
  for (IntervalCell& cell : tables.cells) cell.n = 10'000;
  const std::vector<Finding> findings = interval_findings(tables);
  for (std::size_t k = 0; k + 1 < findings.size(); ++k) {
    EXPECT_EQ(findings[k].verdict, Verdict::open) << findings[k].claim;
  }
}

TEST(IntervalMisses, AreListedWithTheirReason) {
  IntervalTables tables = good_tables();
  EXPECT_TRUE(interval_misses(tables.cells).empty());
  tables.cells[0].least_coverage = 0.88;
  tables.cells[0].least_visits = 307.0;
  tables.cells[3].coverage = 0.7;
  tables.cells[3].largest_error = 2.0;
  tables.cells[3].batch_correlation = 0.9;
  tables.cells[4].coverage = 0.9;
  tables.cells[4].short_batches = 0.5;
  tables.cells[8].coverage = 0.92;
  const Json misses = interval_misses(tables.cells);
  ASSERT_EQ(misses.size(), 4u);
  EXPECT_THAT(misses[0]["why"].get<std::string>(), HasSubstr("307 times"));
  EXPECT_EQ(misses[1]["algorithm"], "averaged-td");
  EXPECT_THAT(misses[1]["why"].get<std::string>(), HasSubstr("2.00 asymptotic deviations"));
  EXPECT_THAT(misses[1]["why"].get<std::string>(), HasSubstr("successive batches: 0.90"));
  EXPECT_THAT(misses[2]["why"].get<std::string>(), HasSubstr("shorter than the chain's memory"));
  EXPECT_THAT(misses[3]["why"].get<std::string>(), HasSubstr("not explained"));
  tables.cells[0].runs = 40;
  EXPECT_EQ(interval_misses(tables.cells)[0]["why"], "within the noise of 40 runs");
}

TEST(Intervals, HaveTheTablesThatThePageReads) {
  const Study study = intervals({.scale = Scale::quick});
  EXPECT_EQ(study.parts.size(), 18u);
  const Results results = conclude(study, std::vector<IntervalTables>{good_tables()});
  EXPECT_THAT(columns_of(results.tables.at("cells")),
              ElementsAre("chain", "features", "tau", "d", "n", "algorithm", "method", "runs",
                          "coverage", "least_coverage", "least_visits", "width", "median_width",
                          "error", "median_error", "largest_error", "largest_bias", "not_yet",
                          "short_batches", "batch_correlation"));
  EXPECT_TRUE(results.tables.at("misses").empty());
}

}  // namespace
}  // namespace shortfall::studies
