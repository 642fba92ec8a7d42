#include "studies/table_runtime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "published/runtimes.hpp"
#include "published/tables.hpp"
#include "studies/training_choices.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using ::testing::ElementsAre;

/// Times and gaps as published, with an exact value of 50 and nothing solved at shelf life 8.
Runtimes as_published() {
  Runtimes times;
  for (const PublishedRuntime& row : published_runtimes) {
    times.evaluations.push_back(
        {.m = row.shelf_life, .tau = row.tau, .exact = 50.0, .exact_seconds = row.exact_seconds});
    for (const char* const choice : {"as published", "ours"}) {
      times.evaluations.back().estimates.push_back(
          {"TD", choice, row.td_seconds, 50.0 + 0.5 * row.td_gap_percent, 0});
      times.evaluations.back().estimates.push_back(
          {"Newton", choice, row.newton_seconds, 50.0 - 0.5 * row.newton_gap_percent, 0});
    }
  }
  return times;
}

/// In both columns.
void set_estimates(TimedEvaluation& evaluation, std::string_view algorithm, double seconds,
                   double mean) {
  for (TimedEstimates& estimates : evaluation.estimates) {
    if (estimates.algorithm != algorithm) continue;
    estimates.seconds = seconds;
    estimates.mean = mean;
  }
}

SolutionOfEight solved(double tau, const char* policy, double value, double seconds) {
  return {tau, policy, value, 1e-7, 14, seconds, 888'030};
}

Results conclude_from(const Runtimes& times) {
  return conclude(table_runtime({}), std::vector{times});
}

TEST(TableRuntime, DoesNotCompareTimesOfOtherMachines) {
  Runtimes times = as_published();
  const Results results = conclude_from(times);
  for (const char* const claim :
       {"The time of an exact evaluation", "At shelf life 8 an exact evaluation",
        "The time of an estimate", "An estimate with Newton"}) {
    EXPECT_EQ(verdict_on(results, claim), Verdict::not_comparable);
  }
  EXPECT_EQ(verdict_on(results, "Mean estimates"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "At shelf life 8 exact comparison"), Verdict::open);
  EXPECT_EQ(verdict_on(results, "The static policy comes closer"), Verdict::open);
  EXPECT_EQ(verdict_on(results, "At shelf life 5 the exact optimum"), Verdict::open);
  times.five.push_back({0.5, 2.0, 18'000.0});
  EXPECT_EQ(verdict_on(conclude_from(times), "At shelf life 5 the exact optimum"),
            Verdict::not_comparable);
}

TEST(TableRuntime, RefutesWhatIsNotAboutTimesOfOtherMachines) {
  Runtimes times = as_published();
  for (TimedEvaluation& evaluation : times.evaluations) {
    evaluation.exact_seconds = 1.0;
    set_estimates(evaluation, "TD", evaluation.m == 8 ? 100.0 : 1.0, 50.0);
    set_estimates(evaluation, "Newton", 0.5, 56.0);
  }
  times.eight.push_back(solved(0.5, "Optimal", 40.0, 6.0));
  times.eight.push_back(solved(0.5, "Static", 41.0, 3.0));
  times.five.push_back({0.5, 2.0, 0.1});
  const Results results = conclude_from(times);
  EXPECT_EQ(verdict_on(results, "Mean estimates"), Verdict::not_reproduced);
  EXPECT_EQ(verdict_on(results, "At shelf life 8 exact comparison"), Verdict::refuted);
  EXPECT_EQ(verdict_on(results, "The static policy comes closer"), Verdict::refuted);
  EXPECT_EQ(verdict_on(results, "The time of an exact evaluation"), Verdict::not_comparable);
}

TEST(TableRuntime, JudgesErrorsUnderAllChoices) {
  Runtimes times = as_published();
  for (TimedEvaluation& evaluation : times.evaluations) {
    evaluation.estimates.push_back({"TD", "small steps", 1.0, 30.0, 0});
  }
  EXPECT_EQ(verdict_on(conclude_from(times), "Mean estimates"), Verdict::open);
  for (TimedEvaluation& evaluation : times.evaluations) evaluation.estimates.back().mean = 51.0;
  EXPECT_EQ(verdict_on(conclude_from(times), "Mean estimates"), Verdict::confirmed);
}

TEST(TableRuntime, TellsFirstWeightsByThePrintedErrors) {
  const char* const claim = "The printed errors of Newton's";
  Runtimes times = as_published();
  EXPECT_EQ(verdict_on(conclude_from(times), claim), Verdict::open);
  for (TimedEvaluation& evaluation : times.evaluations) {  // an error of 0, nowhere printed
    evaluation.estimates.push_back(
        {"Newton", std::string(non_perishable_choice), 1.0, evaluation.exact, 0});
  }
  EXPECT_EQ(verdict_on(conclude_from(times), claim), Verdict::confirmed);
  for (TimedEvaluation& evaluation : times.evaluations) evaluation.estimates[1].mean = 70.0;
  EXPECT_EQ(verdict_on(conclude_from(times), claim), Verdict::refuted);
}

TEST(TableRuntime, ComparesTheStaticPolicyOfBothShelfLives) {
  const auto verdict = [](std::size_t levels, double last_gap_of_five) {
    Runtimes times = as_published();
    for (std::size_t i = 0; i < levels; ++i) {
      times.eight.push_back(solved(published_levels[i], "Optimal", 40.0, 6.0));
      times.eight.push_back(solved(published_levels[i], "Static", 40.4, 3.0));  // 1 %
      times.five.push_back({published_levels[i], i + 1 < levels ? 1.1 : last_gap_of_five, 0.1});
    }
    return verdict_on(conclude_from(times), "The static policy comes closer");
  };
  EXPECT_EQ(verdict(5, 1.1), Verdict::confirmed);
  EXPECT_EQ(verdict(5, 0.9), Verdict::refuted);
  EXPECT_EQ(verdict(4, 1.1), Verdict::open);
  EXPECT_EQ(verdict(4, 0.9), Verdict::refuted);
}

TEST(TableRuntime, HasItsColumns) {
  Runtimes times = as_published();
  times.eight.push_back(solved(0.5, "Optimal", 40.0, 6.0));
  const Results results = conclude_from(times);
  EXPECT_EQ(results.tables["cells"].size(), 9U + 2U * 18U);
  EXPECT_EQ(results.tables["choices"].size(), 2U * 18U);
  EXPECT_THAT(columns_of(results.tables["cells"]),
              ElementsAre("m", "tau", "method", "training", "paper_seconds", "paper_is_lower_bound",
                          "paper_gap_percent", "seconds", "gap_percent", "times_faster"));
  EXPECT_THAT(
      columns_of(results.tables["eight"]),
      ElementsAre("tau", "policy", "value", "error_bound", "order_at_empty", "seconds", "states"));
  const Json& exact = results.tables["cells"][40];  // shelf life 8, tau 0.6
  EXPECT_EQ(exact["paper_is_lower_bound"], true);
  EXPECT_EQ(exact["paper_seconds"], 35 * 3600);
  EXPECT_TRUE(exact["gap_percent"].is_null());
  EXPECT_NEAR(results.tables["cells"][41]["gap_percent"].get<double>(), 1.27, 1e-9);
  EXPECT_EQ(results.tables["cells"][42]["training"], "ours");
}

TEST(TableRuntime, StatesHowLongTheOptimumTakesAtShelfLifeEight) {
  Runtimes times = as_published();
  EXPECT_TRUE(conclude_from(times).facts.empty());
  times.eight = {solved(0.5, "Optimal", 40.0, 20.0), solved(0.9, "Optimal", 40.0, 25.0),
                 solved(0.9, "Static", 41.0, 99.0)};
  EXPECT_EQ(conclude_from(times).facts, (Json{{"slowest_optimum_seconds", 25.0},
                                              {"states", 888'030},
                                              {"least_paper_hours", 14.0},
                                              {"most_paper_hours", 35.0}}));
}

/// Measured, ours: TD's mean of three seeds is off by 4 % and Newton's by 1 %; 10 % is the
/// published claim.
TEST(TableRuntime, EstimatesWhatIsKnownExactly) {
  const Study study = table_runtime({.scale = Scale::quick});
  EXPECT_EQ(study.parts.size(), 10U);
  const auto times = computed<Runtimes>(study.parts.front());
  ASSERT_EQ(times.evaluations.size(), 1U);
  const TimedEvaluation& evaluation = times.evaluations.front();
  EXPECT_EQ(evaluation.m, 3U);
  EXPECT_EQ(evaluation.tau, 0.4);
  EXPECT_NEAR(evaluation.exact, 66.27, 0.02);  // 66.26 is printed, stopped early
  EXPECT_EQ(evaluation.estimates.size(), 4U);
  for (const TimedEstimates& estimates : evaluation.estimates) {
    EXPECT_GT(estimates.seconds, 0.0);
    if (estimates.choice == "ours") {
      EXPECT_NEAR(estimates.mean, 66.27, 6.6);
    }
  }
}

}  // namespace
}  // namespace shortfall::studies
