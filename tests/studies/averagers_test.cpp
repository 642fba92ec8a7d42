// The study of averagers: its models, its runs for any number of threads, and its verdicts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/averager.hpp"
#include "shortfall/theory/projection.hpp"
#include "studies/averagers.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies::averager_study {
namespace {

using ::testing::ElementsAre;

TEST(AveragerProblems, AreErgodicChainsWithIndependentFeaturesThatSumToOne) {
  for (const std::string_view features : averager_features) {
    for (std::uint64_t model = 0; model < 200; ++model) {
      const AveragerProblem problem = averager_problem(features, 1, model);
      EXPECT_TRUE(check_ergodicity(problem.chain).is_ergodic());
      EXPECT_FALSE(theory::averager_violation(problem.phi));
      EXPECT_LE((problem.phi.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15);
      EXPECT_TRUE(theory::dependent_features(problem.phi, problem.q).empty()) << features;
      EXPECT_EQ(theory::is_hard_aggregation(problem.chain, problem.phi), features == "aggregation");
      EXPECT_LE(problem.chain.outcomes().largest_cost(), 1.5);
    }
  }
}

TEST(AveragerProblems, HaveTheSameChainForAllKindsOfFeaturesAndAnotherForEachModel) {
  const auto costs = [](std::string_view features, std::uint64_t seed, std::uint64_t model) {
    return averager_problem(features, seed, model).chain.outcomes().cost;
  };
  EXPECT_EQ(costs("hats", 1, 7), costs("radial", 1, 7));
  EXPECT_NE(costs("hats", 1, 7), costs("hats", 1, 8));
  EXPECT_NE(costs("hats", 1, 7), costs("hats", 2, 7));
}

/// Few models, but all losses and discounts up to 0.999: nothing that is proved may fail.
TEST(AveragerModels, HaveOneLimitEachWithinItsBound) {
  for (const std::string_view features : averager_features) {
    const auto rows = averager_models(features, 10, {.seed = 5}, [](double) {});
    ASSERT_EQ(rows.size(), averager_losses.size() * averager_discounts.size());
    for (const AveragerModelsRow& row : rows) {
      const std::string where = row.features + " " + row.loss + " " + std::to_string(row.gamma);
      EXPECT_EQ(row.averager_settles, 10U) << where;
      EXPECT_EQ(row.bound_violations, 0U) << where;
      EXPECT_LE(row.largest_error_by_bound, 1.0) << where;
      EXPECT_LE(row.error_by_oscillation_bound, row.error_by_bound * (1.0 + 1e-9)) << where;
      EXPECT_EQ(row.recursion_violations, 0U) << where;
      EXPECT_EQ(row.recursion_steps, 100U) << where;
      if (row.td_condition) {
        EXPECT_EQ(row.td_settles, 10U) << where;
      }
      if (features == "aggregation") {
        EXPECT_EQ(row.td_settles, 10U) << where;
        EXPECT_LE(row.largest_td_difference, 1e-3) << where;
      }
    }
  }
}

TEST(AveragerModels, AreTheSameForAnyNumberOfThreads) {
  const auto run = [&](int threads) {
    return Json(averager_models("radial", 9, {.seed = 3, .threads = threads}, [](double) {}));
  };
  EXPECT_EQ(run(2), run(1));
}

TEST(AveragerModels, EndWhereTheProgressThrows) {
  EXPECT_THROW((void)averager_models("hats", 50, {}, [](double) { throw PartStopped(); }),
               PartStopped);
}

TEST(AveragerRuns, StayInTheBoxAndAreTheSameForAnyNumberOfThreads) {
  const AveragerRunScale scale{.models = 2, .updates = 3000};
  const auto run = [&](int threads) {
    return averager_runs(scale, {.seed = 3, .threads = threads}, [](double) {});
  };
  const auto rows = run(1);
  EXPECT_EQ(Json(run(2)), Json(rows));
  ASSERT_EQ(rows.size(), 12U);
  for (const AveragerRunsRow& row : rows) {
    EXPECT_EQ(row.runs, 8U);
    EXPECT_EQ(row.averager_diverged, 0U);
    EXPECT_EQ(row.outside_box, 0U);
  }
}

TEST(AveragerPaths, EndAtZeroWhereTdMovesAway) {
  for (const auto root : {library::DeltaRoot::smaller, library::DeltaRoot::larger}) {
    const auto rows = averager_paths(0.99, root, {.scale = Scale::quick});
    for (const AveragerPathRow& row : rows) {
      if (row.iteration != 100'000) continue;
      if (row.algorithm == "averager-td") {
        EXPECT_LT(std::abs(row.theta / row.start), 0.01);
      }
      if (row.algorithm == "td" && row.start > 0.0) {
        EXPECT_GT(row.theta, row.start);
      }
    }
  }
}

/// What a full run gives that confirms everything.
AveragerTables good_tables() {
  AveragerTables tables;
  const std::size_t models = averager_model_count(Scale::full);
  for (const std::string_view features : averager_features) {
    for (const std::string_view loss : averager_losses) {
      for (const double gamma : averager_discounts) {
        const bool same = features == "aggregation" || loss == "mean";
        tables.models.push_back({.features = std::string(features),
                                 .loss = std::string(loss),
                                 .gamma = gamma,
                                 .models = models,
                                 .averager_settles = models,
                                 .td_settles = same ? models : models - 100,
                                 .td_condition = loss == "mean",
                                 .averager_error = 1.1,
                                 .td_error = 1.0,
                                 .averager_largest_error = 1.0,
                                 .td_largest_error = 1.0,
                                 .error_by_bound = 0.1,
                                 .largest_error_by_bound = 0.5,
                                 .recursion_steps = 10 * models});
      }
    }
  }
  const AveragerRunScale scale = averager_run_scale(Scale::full);
  tables.runs = {{.loss = "mean",
                  .gamma = 0.5,
                  .updates = scale.updates,
                  .runs = scale.models * averager_features.size(),
                  .mean_square_score = 1.0,
                  .largest_score = 3.0,
                  .within_95 = 0.95}};
  tables.paths = {{0.95, "smaller", "averager-td", 1.0, 1000, 1e-4},
                  {0.95, "smaller", "td", 1.0, 1000, 2.0},
                  {0.9, "smaller", "td", 1.0, 1000, 0.9}};
  return tables;
}

using Change = std::function<void(AveragerTables&)>;

Verdict verdict_after(std::string_view claim, const Change& change) {
  AveragerTables tables = good_tables();
  change(tables);
  return verdict_on({.findings = averager_findings(tables)}, claim);
}

struct Statement {
  const char* claim;
  Change refute;
};

const std::vector<Statement>& statements() {
  static const std::vector<Statement> all = {
      {"Averager TD has exactly one limit",
       [](AveragerTables& t) { t.models[3].averager_settles -= 1; }},
      {"Averager TD has exactly one limit",
       [](AveragerTables& t) { t.models[3].recursion_violations = 1; }},
      {"On the same models",
       [](AveragerTables& t) {
         for (auto& row : t.models) row.td_settles = row.models;
       }},
      {"TD settles wherever", [](AveragerTables& t) { t.models[1].td_settles -= 1; }},
      {"With hard aggregation", [](AveragerTables& t) { t.models[9].td_settles -= 1; }},
      {"With hard aggregation", [](AveragerTables& t) { t.models[9].largest_td_difference = 0.1; }},
      {"Where both settle", [](AveragerTables& t) { t.models.back().averager_error = 1.3; }},
      {"The limit of averager TD", [](AveragerTables& t) { t.models[50].bound_violations = 1; }},
      {"Averager TD solves", [](AveragerTables& t) { t.paths[0].theta = -0.02; }},
      {"Averager TD solves", [](AveragerTables& t) { t.paths[1].theta = 0.99; }},
      {"Runs of averager TD", [](AveragerTables& t) { t.runs[0].averager_diverged = 1; }},
      {"Runs of averager TD", [](AveragerTables& t) { t.runs[0].outside_box = 1; }},
      {"Runs of averager TD", [](AveragerTables& t) { t.runs[0].mean_square_score = 1.6; }}};
  return all;
}

TEST(AveragerFindings, AreConfirmedByGoodTablesAndRefutedByBadOnes) {
  for (const auto& [claim, refute] : statements()) {
    EXPECT_EQ(verdict_after(claim, [](AveragerTables&) {}), Verdict::confirmed) << claim;
    EXPECT_EQ(verdict_after(claim, refute), Verdict::refuted) << claim;
  }
}

TEST(AveragerFindings, StayOpenWithFewerModelsOrShorterRuns) {
  const Change fewer = [](AveragerTables& t) {
    t.models[0] = {.features = "aggregation",
                   .loss = "mean",
                   .models = 20,
                   .averager_settles = 20,
                   .td_settles = 20,
                   .td_condition = true};
  };
  EXPECT_EQ(verdict_after("Averager TD has exactly one limit", fewer), Verdict::open);
  EXPECT_EQ(verdict_after("The limit of averager TD", fewer), Verdict::open);
  EXPECT_EQ(verdict_after("On the same models", fewer), Verdict::confirmed);
  EXPECT_EQ(verdict_after("Runs of averager TD", [](AveragerTables& t) { t.runs[0].updates = 9; }),
            Verdict::open);
}

TEST(Averagers, HaveTheTablesThatThePageReads) {
  const Study study = averagers({.scale = Scale::quick});
  EXPECT_EQ(study.parts.size(), 11U);
  const Results results = conclude(study, std::vector<AveragerTables>{good_tables()});
  EXPECT_THAT(columns_of(results.tables.at("paths")),
              ElementsAre("p", "root", "algorithm", "start", "iteration", "theta"));
  EXPECT_EQ(columns_of(results.tables.at("models")).size(), 22U);
  EXPECT_EQ(columns_of(results.tables.at("runs")).size(), 10U);
}

}  // namespace
}  // namespace shortfall::studies::averager_study
