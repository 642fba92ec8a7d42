#include "studies/runtime_findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "published/runtimes.hpp"
#include "published/tables.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using ::testing::ElementsAre;

/// Times and gaps as published, with an exact value of 50 and nothing solved at shelf life 8.
std::vector<Json> as_published() {
  std::vector<Json> parts;
  for (const PublishedRuntime& row : published_runtimes) {
    parts.push_back(
        {{"m", row.shelf_life},
         {"tau", row.tau},
         {"exact", 50.0},
         {"VI", {{"seconds", row.exact_seconds}}},
         {"TD", {{"seconds", row.td_seconds}, {"mean", 50.0 + 0.5 * row.td_gap_percent}}},
         {"Newton",
          {{"seconds", row.newton_seconds}, {"mean", 50.0 - 0.5 * row.newton_gap_percent}}}});
  }
  return parts;
}

Json solved(double tau, const char* policy, double value, double seconds) {
  return {{"tau", tau},           {"policy", policy},   {"value", value},   {"error_bound", 1e-7},
          {"order_at_empty", 14}, {"seconds", seconds}, {"states", 888'030}};
}

TEST(TableRuntime, ConfirmsThePublishedTimes) {
  std::vector<Json> parts = as_published();
  const Results results = conclude_runtimes(parts);
  EXPECT_EQ(verdict_on(results, "The time of an exact evaluation"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "At shelf life 8 an exact evaluation"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "Mean estimates"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "The time of an estimate"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "An estimate with Newton"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "At shelf life 8 exact comparison"), Verdict::open);
  EXPECT_EQ(verdict_on(results, "The static policy comes closer"), Verdict::open);
  EXPECT_EQ(verdict_on(results, "At shelf life 5 the exact optimum"), Verdict::open);
  parts.push_back({{"five", {{{"tau", 0.5}, {"gap_percent", 2.0}, {"optimum_seconds", 18'000}}}}});
  EXPECT_EQ(verdict_on(conclude_runtimes(parts), "At shelf life 5 the exact optimum"),
            Verdict::confirmed);
}

TEST(TableRuntime, RefutesThemByOtherTimes) {
  std::vector<Json> parts = as_published();
  for (Json& part : parts) {
    part["VI"]["seconds"] = 1.0;
    part["TD"]["seconds"] = part["m"] == 8 ? 100.0 : 1.0;
    part["Newton"]["seconds"] = 0.5;
    part["Newton"]["mean"] = 56.0;
  }
  parts.push_back(solved(0.5, "Optimal", 40.0, 6.0));
  parts.push_back(solved(0.5, "Static", 41.0, 3.0));
  parts.push_back({{"five", {{{"tau", 0.5}, {"gap_percent", 2.0}, {"optimum_seconds", 0.1}}}}});
  const Results results = conclude_runtimes(parts);
  for (const Finding& finding : results.findings) {
    EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.claim << ": " << finding.found;
  }
}

TEST(TableRuntime, ComparesTheStaticPolicyOfBothShelfLives) {
  const auto verdict = [](std::size_t levels, double last_gap_of_five) {
    std::vector<Json> parts = as_published();
    Json five = Json::array();
    for (std::size_t i = 0; i < levels; ++i) {
      parts.push_back(solved(published_levels[i], "Optimal", 40.0, 6.0));
      parts.push_back(solved(published_levels[i], "Static", 40.4, 3.0));  // 1 %
      five.push_back({{"tau", published_levels[i]},
                      {"gap_percent", i + 1 < levels ? 1.1 : last_gap_of_five},
                      {"optimum_seconds", 0.1}});
    }
    parts.push_back({{"five", five}});
    return verdict_on(conclude_runtimes(parts), "The static policy comes closer");
  };
  EXPECT_EQ(verdict(5, 1.1), Verdict::confirmed);
  EXPECT_EQ(verdict(5, 0.9), Verdict::refuted);
  EXPECT_EQ(verdict(4, 1.1), Verdict::open);
  EXPECT_EQ(verdict(4, 0.9), Verdict::refuted);
}

TEST(TableRuntime, HasItsColumns) {
  std::vector<Json> parts = as_published();
  parts.push_back(solved(0.5, "Optimal", 40.0, 6.0));
  const Results results = conclude_runtimes(parts);
  EXPECT_EQ(results.tables["cells"].size(), 27U);
  EXPECT_THAT(columns_of(results.tables["cells"]),
              ElementsAre("m", "tau", "method", "paper_seconds", "paper_is_lower_bound",
                          "paper_gap_percent", "seconds", "gap_percent", "times_faster"));
  EXPECT_THAT(
      columns_of(results.tables["eight"]),
      ElementsAre("tau", "policy", "value", "error_bound", "order_at_empty", "seconds", "states"));
  const Json& exact = results.tables["cells"][24];  // shelf life 8, tau 0.6
  EXPECT_EQ(exact["paper_is_lower_bound"], true);
  EXPECT_EQ(exact["paper_seconds"], 35 * 3600);
  EXPECT_TRUE(exact["gap_percent"].is_null());
  EXPECT_NEAR(results.tables["cells"][25]["gap_percent"].get<double>(), 1.27, 1e-9);
}

/// Measured, TD's mean of three seeds is off by 4 % and Newton's by 1 %; 10 % is the published
/// claim.
TEST(TableRuntime, EstimatesWhatIsKnownExactly) {
  const Study study = table_runtime({.scale = Scale::quick});
  EXPECT_EQ(study.parts.size(), 10U);
  const Json part = computed(study.parts.front());
  EXPECT_EQ(part["m"], 3);
  EXPECT_EQ(part["tau"], 0.4);
  EXPECT_NEAR(part["exact"].get<double>(), 66.27, 0.02);  // 66.26 is printed, stopped early
  for (const char* const method : {"TD", "Newton"}) {
    EXPECT_NEAR(part[method]["mean"].get<double>(), 66.27, 6.6);
    EXPECT_GT(part[method]["seconds"].get<double>(), 0.0);
  }
}

}  // namespace
}  // namespace shortfall::studies
