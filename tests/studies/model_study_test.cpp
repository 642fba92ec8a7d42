// Learners on a model of one's own: what is computed exactly against known results, and what is
// learned against that.
#include "studies/model_study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/library/catalogue.hpp"
#include "studies/convergence.hpp"
#include "studies/learner_theory.hpp"

namespace shortfall::studies::model_studies {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

StudiedLearner learner(const std::string& text, std::uint64_t average_from = 0) {
  return parse_learner(text, {.average_from = average_from});
}

/// The study of a library model with its own policy, features and discount factor.
ModelStudyOptions study_of(std::string_view name, std::vector<AnyLoss> losses,
                           std::vector<StudiedLearner> learners) {
  library::CatalogueModel model = library::catalogue_model(name);
  const Policy policy = model.policy ? *model.policy : *unique_policy(model.model);
  const Chain chain = under_policy(model.model, policy);
  return {.losses = std::move(losses),
          .gammas = {*model.gamma},
          .features = {{"own", std::move(model.features)}},
          .learners = std::move(learners),
          .chain_under = [chain](const Criterion&) { return chain; },
          .start = StateIndex{0},
          .samples = 2000,
          .replications = 4};
}

ModelStudyTables tables_of(const ModelStudyOptions& options) {
  return model_study(options).value();
}

/// Under the mean, V(s) = 2 (13 - s), which four features represent. Each of Newton's estimates is
/// the least-squares solution of its path.
TEST(ModelStudy, FindsTheLinearValueOfBoyansChain) {
  const ModelStudyTables found = tables_of(study_of("boyan", {Mean()}, {learner("newton")}));
  ASSERT_EQ(found.settings.size(), 1u);
  const StudySetting& setting = found.settings[0];
  EXPECT_EQ(setting.d, 4u);
  EXPECT_EQ(setting.rank, 4u);
  EXPECT_EQ(setting.visited, 13u);
  EXPECT_LE(setting.value_error_bound, 1e-12);
  EXPECT_LE(setting.projection_error, 1e-12);
  EXPECT_LE(setting.fixed_point_distance, 1e-12);
  EXPECT_FALSE(setting.condition_holds);  // γ = 1 is not below 1
  ASSERT_EQ(found.values.size(), 14u);
  for (std::size_t s = 0; s < 14; ++s) {
    EXPECT_NEAR(found.values[s].value, s == 13 ? 0.0 : 2.0 * (13.0 - static_cast<double>(s)),
                1e-12);
    EXPECT_NEAR(found.values[s].fixed_point, found.values[s].value, 1e-11);
  }
  const StudyEnd& end = found.ends.at(0);
  EXPECT_EQ(end.updates, 2000u);
  EXPECT_EQ(end.diverged, 0u);
  // An episode costs 26 with a deviation below 4; 2000 updates are more than 150 episodes.
  EXPECT_LT(end.to_value, 3.0 * 4.0 / std::sqrt(150.0));
  EXPECT_NEAR(end.to_value, end.to_limit, 1e-10);  // the limit is V
}

/// The features of the random model cannot represent its value; its theory is that of the figures.
TEST(ModelStudy, HasTheLimitsOfTheConvergenceFigures) {
  const RiskFamily expectiles{"tau", [](double tau) -> AnyLoss { return Expectile(tau); }};
  const LearningProblem problem = convergence_problem(expectiles, {0.6, 0.9, 5}, 1);
  const ModelStudyTables found = tables_of(study_of(
      "random", {Expectile(0.6)}, {learner("td"), learner("td-lambda:0.6"), learner("newton")}));
  const StudySetting& setting = found.settings.at(0);
  const double tolerance = 1e-6;
  EXPECT_NEAR(setting.value_norm, problem.norm(problem.value), tolerance);
  EXPECT_NEAR(setting.projection_error, problem.norm(problem.target - problem.value), tolerance);
  EXPECT_NEAR(setting.fixed_point_distance,
              problem.norm(problem.fixed_point_values() - problem.value), tolerance);
  EXPECT_GT(setting.fixed_point_distance, setting.projection_error);
  EXPECT_EQ(found.ends.at(0).limit, "projected fixed point");
  EXPECT_EQ(found.ends.at(0).limit_distance, setting.fixed_point_distance);
  EXPECT_EQ(found.ends.at(1).limit, "limit of traces");
  const LearnerLimit traced = limit_of(problem, learner("td-lambda:0.6").options);
  EXPECT_NEAR(found.ends.at(1).limit_distance, problem.norm(traced.values - problem.value), 1e-5);
  EXPECT_EQ(found.ends.at(0).stability, "stable");
  EXPECT_EQ(found.ends.at(2).stability, "unknown");  // Newton does not follow the ODE
}

/// By Pythagoras, ‖Φθ - V‖² = ‖Φθ - ΠV‖² + ‖ΠV - V‖² for every θ, so that no run comes closer.
TEST(ModelStudy, NeverComesCloserThanTheBestFit) {
  const ModelStudyTables found =
      tables_of(study_of("random", {Expectile(0.6), Mean()}, {learner("td"), learner("newton")}));
  ASSERT_EQ(found.settings.size(), 2u);
  for (const StudyPoint& point : found.curves) {
    const StudySetting& setting = found.settings[point.loss == "mean" ? 1 : 0];
    EXPECT_GE(point.to_value_low, setting.projection_error * (1.0 - 1e-9));
    EXPECT_LE(point.to_value_low, point.to_value_median);
    EXPECT_LE(point.to_value_median, point.to_value_high);
  }
}

TEST(ModelStudy, CountsDivergenceAndKeepsTheMedian) {
  ModelStudyOptions options = study_of("random", {Expectile(0.6)}, {});
  options.learners = {parse_learner("td", {.step = learn::AnyStep::parse("50")})};
  const ModelStudyTables found = tables_of(options);
  const StudyEnd& end = found.ends.at(0);
  EXPECT_EQ(end.diverged, end.runs);
  EXPECT_EQ(end.to_value, infinity);
  EXPECT_EQ(end.updates_to_threshold, infinity);
  EXPECT_LT(found.curves.front().to_value_median, infinity);
  EXPECT_EQ(found.curves.front().diverged, 0u);
  EXPECT_FALSE(end.guaranteed);
}

/// The path of one state from 0 to the end, whose other states are never visited.
TEST(ModelStudy, HasFeaturesForTheStatesThatAreVisited) {
  ModelStudyOptions options = study_of("boyan", {Expectile(0.8)}, {learner("td")});
  options.features = {{"one-per-state"}};
  options.start = StateIndex{9};
  const ModelStudyTables found = tables_of(options);
  EXPECT_EQ(found.settings.at(0).visited, 4u);
  EXPECT_EQ(found.settings.at(0).d, 4u);
  EXPECT_LE(found.settings.at(0).fixed_point_distance, 1e-9);  // they represent every value
  bool is_named = false;
  for (const StudyCondition& row : found.conditions) {
    is_named = is_named || (row.assumption == "ergodic chain" && !row.holds);
  }
  EXPECT_TRUE(is_named);
}

/// A ring with this many states, lazy and therefore aperiodic.
Chain lazy_ring(std::size_t states) {
  Outcomes outcomes;
  for (std::size_t x = 0; x < states; ++x) {
    for (const std::size_t next : {x, (x + 1) % states}) {
      outcomes.probability.push_back(0.5);
      outcomes.cost.push_back(x == 0 ? 1.0 : 0.0);
      outcomes.next.push_back(static_cast<StateIndex>(next));
    }
    outcomes.row_begin.push_back(outcomes.probability.size());
  }
  outcomes.sort_rows();
  return Chain(std::move(outcomes));
}

/// Stability takes a matrix with a row and a column per state: 10 GB for 20 000 of them.
TEST(ModelStudy, LeavesTheStabilityOfLargeModelsOpen) {
  for (const std::size_t states : {std::size_t{20}, std::size_t{20'000}}) {
    ModelStudyOptions options = study_of("boyan", {Mean()}, {learner("td")});
    const Chain ring = lazy_ring(states);
    options.chain_under = [ring](const Criterion&) { return ring; };
    options.gammas = {0.9};
    options.features = {{"constant", Eigen::MatrixXd::Ones(static_cast<Eigen::Index>(states), 1)}};
    const ModelStudyTables found = tables_of(options);
    EXPECT_EQ(found.ends.at(0).stability, states == 20 ? "stable" : "unknown");
    EXPECT_EQ(found.settings.at(0).fixed_point_status, "converged");
  }
}

/// Restarts anywhere would take one outcome for each pair of states: 160 GB.
TEST(ModelStudy, TakesAHundredThousandStatesThatRestartAnywhere) {
  constexpr std::size_t states = 100'000;
  ModelStudyOptions options = study_of("boyan", {Expectile(0.9)}, {learner("averager-td")});
  const Chain ring = lazy_ring(states);
  options.chain_under = [ring](const Criterion&) { return ring; };
  options.gammas = {0.9};
  options.start = std::nullopt;
  options.restart = 0.1;
  options.features = {{"constant", Eigen::MatrixXd::Ones(static_cast<Eigen::Index>(states), 1)}};
  const ModelStudyTables found = tables_of(options);
  EXPECT_EQ(found.settings.at(0).visited, states);
  EXPECT_TRUE(found.ends.at(0).guaranteed);
  EXPECT_EQ(found.ends.at(0).limit_status, "converged");
}

/// The value has features of its own, so that nothing need be decomposed. Cells of one state each
/// that are scaled by 1/2 span the same, and are solved in the general way.
TEST(ModelStudy, SolvesOneFeaturePerStateAsOtherFeatures) {
  ModelStudyOptions options =
      study_of("riverswim", {Expectile(0.9), Mean()}, {learner("td"), learner("averager-td")});
  options.features = {{"one-per-state"}, {"halves", 0.5 * Eigen::MatrixXd::Identity(6, 6)}};
  options.restart = 0.05;
  options.start = std::nullopt;
  const ModelStudyTables found = tables_of(options);
  ASSERT_EQ(found.values.size(), 4u * 6u);
  for (std::size_t k = 0; k < 4; k += 2) {
    EXPECT_EQ(found.settings[k].fixed_point_distance, 0.0);
    EXPECT_EQ(found.settings[k].fixed_point_error_bound, found.settings[k].value_error_bound);
    for (std::size_t x = 0; x < 6; ++x) {
      const StudyValue& own = found.values[6 * k + x];
      const StudyValue& general = found.values[6 * (k + 1) + x];
      const double tolerance = 1e-9 * 2e5;  // of the largest value
      EXPECT_EQ(own.fixed_point, own.value);
      EXPECT_EQ(own.averager_fixed_point, own.value);
      EXPECT_NEAR(general.fixed_point, own.value, tolerance);
      EXPECT_NEAR(general.projection, own.projection, tolerance);
      EXPECT_GT(std::abs(general.averager_fixed_point - own.value), 1e3 * tolerance);  // Σφ = 1/2
    }
  }
}

TEST(ModelStudy, RefusesOneFeaturePerStateAtOnceForLargeModels) {
  EXPECT_NO_THROW(check_feature_sizes({{"one-per-state"}}, 2000));
  EXPECT_THAT([] { check_feature_sizes({{"one-per-state"}}, 2001); },
              ThrowsMessage<InvalidInput>(
                  AllOf(HasSubstr("2001 states"), HasSubstr("accepted: at most 2000 states"))));
  EXPECT_NO_THROW(check_feature_sizes({{"few", Eigen::MatrixXd::Ones(2001, 3)}}, 2001));
}

TEST(ModelStudy, ComparesDependentFeaturesByTheirSpan) {
  ModelStudyOptions options =
      study_of("random", {Expectile(0.6)}, {learner("td"), learner("newton")});
  const ModelStudyTables plain = tables_of(options);
  Eigen::MatrixXd more(10, 6);
  more << options.features[0].phi, options.features[0].phi.col(0);
  options.features[0].phi = more;
  const ModelStudyTables found = tables_of(options);
  EXPECT_EQ(found.settings.at(0).d, 6u);
  EXPECT_EQ(found.settings.at(0).rank, 5u);
  EXPECT_NEAR(found.settings.at(0).fixed_point_distance, plain.settings.at(0).fixed_point_distance,
              1e-6);
  EXPECT_EQ(found.ends.at(1).singular, found.ends.at(1).runs);  // Newton's matrix
  EXPECT_EQ(found.ends.at(0).singular, 0u);
  EXPECT_EQ(found.ends.at(1).coverage, infinity);
}

/// 95 % intervals over 60 runs and 10 states: neighbouring states are dependent, so the deviation
/// of the share is at most that of 60 draws, 0.028. Newton after 20 000 updates is near its limit.
TEST(ModelStudy, CountsHowOftenIntervalsHoldTheLimit) {
  ModelStudyOptions options =
      study_of("random", {Expectile(0.6)}, {learner("newton"), learner("td")});
  options.samples = 20'000;
  options.replications = 60;
  const ModelStudyTables found = tables_of(options);
  EXPECT_NEAR(found.ends.at(0).coverage, 0.95, 4 * 0.028);
  EXPECT_LE(found.ends.at(0).least_coverage, found.ends.at(0).coverage);
  EXPECT_EQ(found.ends.at(0).intervals, 1.0);
  EXPECT_EQ(found.ends.at(1).coverage, infinity);  // the last iterate of TD has none
}

TEST(ModelStudy, DoesNotDependOnThreads) {
  ModelStudyOptions options =
      study_of("riverswim", {Expectile(0.9)}, {learner("td"), learner("td:averaged", 100)});
  options.restart = 0.05;
  options.start = std::nullopt;
  options.threads = 1;
  const Json one = tables_of(options);
  options.threads = 3;
  EXPECT_EQ(Json(tables_of(options)), one);
  options.seed = 2;
  EXPECT_NE(Json(tables_of(options)), one);
}

TEST(ModelStudy, EndsWithNothingIfStopped) {
  ModelStudyOptions options = study_of("random", {Mean()}, {learner("td"), learner("newton")});
  options.monitor = [](const Progress& progress) {
    return progress.done > 0 ? Request::stop : Request::proceed;
  };
  EXPECT_FALSE(model_study(options).has_value());
}

TEST(ModelStudy, RefusesWhatDoesNotFit) {
  ModelStudyOptions options = study_of("riverswim", {Mean()}, {learner("td")});
  options.features = {{"short", Eigen::MatrixXd::Ones(3, 1)}};
  EXPECT_THAT([&] { (void)model_study(options); },
              ThrowsMessage<InvalidInput>(AllOf(HasSubstr("short"), HasSubstr("each of 6"))));
  options.features = {{"one-per-state"}};
  options.gammas = {1.0};
  EXPECT_THAT([&] { (void)model_study(options); },
              ThrowsMessage<InvalidInput>(AllOf(HasSubstr("gamma is 1"), HasSubstr("accepted"))));
}

/// With one feature per state, averager TD is TD: the same path, the same weights.
TEST(ModelStudy, HasAveragersThatAreTdOnSingleStates) {
  ModelStudyOptions options =
      study_of("riverswim", {Expectile(0.9)}, {learner("td"), learner("averager-td")});
  options.features = {{"one-per-state"}};
  const ModelStudyTables found = tables_of(options);
  EXPECT_EQ(found.ends.at(1).to_value, found.ends.at(0).to_value);
  EXPECT_EQ(found.ends.at(1).limit, "averager's fixed point");
  EXPECT_EQ(found.ends.at(1).stability, "stable");
  EXPECT_LE(found.ends.at(1).limit_distance, 1e-3);  // 1e-9 of the largest value, 2e5
}

/// On the counterexample, from θ = 1, TD goes away from the value, which is 0. The averager's error
/// decays like exp(-rate Σ η): Σ η is 250 after 10⁵ updates, and the rate at least ε₁ (1 - γ) m =
/// 0.0055 with m > 0.6 the mean feature. That leaves a quarter at most.
TEST(ModelStudy, HasAveragersThatSolveTheCounterexample) {
  ModelStudyOptions options = study_of("counterexample", {}, {});
  options.losses = {*library::catalogue_model("counterexample").loss};
  const LearnerDefaults from_one{.initial = 1.0};
  options.learners = {parse_learner("td", from_one), parse_learner("averager-td", from_one)};
  options.samples = 100'000;
  // Averagers need φ ≤ 1; a factor changes neither what can be represented nor TD's direction.
  options.features[0].phi /= options.features[0].phi.maxCoeff();
  const ModelStudyTables found = tables_of(options);
  EXPECT_GT(found.ends.at(0).to_value, 0.5);
  EXPECT_LT(found.ends.at(1).to_value, 0.25);
}

TEST(ModelStudy, RefusesFeaturesThatAreNoAverager) {
  ModelStudyOptions options = study_of("random", {Mean()}, {learner("averager-td")});
  EXPECT_THAT([&] { (void)model_study(options); },
              ThrowsMessage<InvalidInput>(AllOf(HasSubstr("averager-td"), HasSubstr("own"),
                                                HasSubstr("state 0"), HasSubstr("accepted"))));
}

TEST(StudiedLearner, IsTheSameUnderAnotherSpelling) {
  EXPECT_TRUE(learner("td-lambda:0.6").is_same(learner("td-lambda:0.60")));
  EXPECT_TRUE(learner("td-lambda:0.6,averaged").is_same(learner("td-lambda:averaged,0.6")));
  EXPECT_FALSE(learner("td-lambda:0.6").is_same(learner("td-lambda:0.61")));
  EXPECT_FALSE(learner("td").is_same(learner("td:averaged")));
  EXPECT_FALSE(learner("newton").is_same(learner("newton:as-published")));
}

TEST(StudiedLearner, IsReadWithItsVariants) {
  EXPECT_EQ(learner("td-lambda:0.3").options.lambda, 0.3);
  EXPECT_EQ(learner("td-lambda:averaged,0.3", 7).options.average_from, 7u);
  EXPECT_EQ(parse_learner("td-lambda", {.lambda = 0.5}).options.lambda, 0.5);
  EXPECT_TRUE(learner("newton").has_intervals());
  EXPECT_FALSE(learner("newton:as-published").has_intervals());
  EXPECT_FALSE(learner("td").has_intervals());
  EXPECT_TRUE(learner("td:averaged").has_intervals());
  for (const auto& known : learn::algorithm_names) {
    EXPECT_EQ(parse_learner(std::string(known.first), {.lambda = 0.5}).options.algorithm,
              known.second);
  }
  for (const std::string text : {"sarsa", "td:0.5", "td-lambda", "td-lambda:2", "td-lambda:0.1,0.2",
                                 "newton:averaged", "newton:", "td:as-published", "td-lambda:x"}) {
    EXPECT_THAT([&] { (void)learner(text); },
                ThrowsMessage<InvalidInput>(AllOf(HasSubstr(text), HasSubstr("accepted"))))
        << text;
  }
}

}  // namespace
}  // namespace shortfall::studies::model_studies
