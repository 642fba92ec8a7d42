// The convergence experiments: the limit of TD(λ) by the mean-field ODE, compared with known
// results, and the content of one panel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "studies/convergence.hpp"
#include "studies/learner_theory.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using ::testing::ElementsAre;

const RiskFamily expectiles = {"tau", [](double tau) -> AnyLoss { return Expectile(tau); }};
const RiskFamily soft_quantiles = {"mu",
                                   [](double mu) -> AnyLoss { return SoftQuantile(mu, 2.0); }};
constexpr std::array<double, 4> lambdas = {0.0, 0.3, 0.6, 1.0};

/// E ζ_n ℓ(δ_n) from its definition: Σ_k (γλ)ᵏ Σ_x q(x) φ(x) E[ℓ(δ_{n+k}) | X_n = x], the
/// expectations by k steps of the chain. (γλ)⁴⁰⁰ < 1e-18 for the largest of them, 0.9.
VectorXd mean_update(const LearningProblem& problem, double lambda, const VectorXd& theta) {
  const VectorXd values = problem.phi * theta;
  VectorXd later(values.size());
  for (Index x = 0; x < values.size(); ++x) {
    const Outcomes::Row law = problem.chain.law(static_cast<std::size_t>(x));
    later[x] = 0.0;
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const double error = law.cost[i] + problem.gamma * values[law.next[i]] - values[x];
      later[x] += law.probability[i] * problem.loss.at(error).value;
    }
  }
  VectorXd sum = VectorXd::Zero(theta.size());
  for (int k = 0; k < 400; ++k) {
    const double weight = std::pow(problem.gamma * lambda, k);
    VectorXd before = VectorXd::Zero(values.size());
    for (Index x = 0; x < values.size(); ++x) {
      const auto state = static_cast<std::size_t>(x);
      sum += weight * problem.q[state] * later[x] * problem.phi.row(x).transpose();
      const Outcomes::Row law = problem.chain.law(state);
      for (std::size_t i = 0; i < law.next.size(); ++i) {
        before[x] += law.probability[i] * later[law.next[i]];
      }
    }
    later = before;
  }
  return sum;
}

TEST(LimitOfTraces, IsARootOfTheMeanUpdate) {
  for (const std::uint64_t draw : {1u, 2u, 3u}) {
    for (const double lambda : lambdas) {
      const auto problem = convergence_problem(soft_quantiles, {0.5, 0.9, 5}, draw);
      const TraceLimit limit = limit_of_traces(problem, lambda);
      ASSERT_EQ(limit.status, LimitStatus::stable) << draw << " " << lambda;
      // Values are of the order 100, slopes and |φ| at most 1, traces at most 10.
      EXPECT_LE(mean_update(problem, lambda, limit.theta).norm(), 1e-8) << draw << " " << lambda;
      EXPECT_GE(mean_update(problem, lambda, VectorXd::Zero(5)).norm(), 0.1);
    }
  }
}

TEST(LimitOfTraces, WithoutTracesIsTheProjectedFixedPoint) {
  for (const double tau : {0.1, 0.4, 0.6, 0.9}) {
    const auto problem = convergence_problem(expectiles, {tau, 0.6, 5}, 2);
    const TraceLimit limit = limit_of_traces(problem, 0.0);
    ASSERT_TRUE(problem.has_fixed_point());
    EXPECT_LE((limit.theta - problem.fixed_point.theta).norm(), 1e-7) << tau;
  }
}

TEST(LimitOfTraces, IsTheValueIfFeaturesCanRepresentIt) {
  for (const double lambda : lambdas) {
    const auto problem = convergence_problem(expectiles, {0.9, 0.9, 10}, 1);
    const TraceLimit limit = limit_of_traces(problem, lambda);
    ASSERT_EQ(limit.status, LimitStatus::stable);
    EXPECT_LE((problem.phi * limit.theta - problem.value).norm(), 1e-7);
  }
}

// Tsitsiklis and Van Roy, IEEE Trans. Automat. Control 42, 1997.
TEST(LimitOfTraces, OfTd1UnderALinearLossIsTheProjectedValue) {
  for (const std::uint64_t draw : {1u, 2u, 3u}) {
    const auto problem = convergence_problem(expectiles, {0.5, 0.9, 5}, draw);
    EXPECT_LE(problem.distance_to_target(limit_of_traces(problem, 1.0).theta), 1e-8);
    EXPECT_GE(problem.distance_to_target(limit_of_traces(problem, 0.6).theta), 1.0);
  }
}

// On each of these models a run diverges: tests/learn/divergence_test.cpp.
TEST(LimitOfTraces, DoesNotExistIfTracesDiverge) {
  for (std::uint64_t draw = 1; draw <= 10; ++draw) {
    const auto problem = convergence_problem(expectiles, {0.9, 0.9, 5}, draw);
    EXPECT_EQ(limit_of_traces(problem, 1.0).status, LimitStatus::away) << draw;
  }
}

TEST(LimitOfTraces, IsApproachedAtItsRate) {
  const auto problem = convergence_problem(expectiles, {0.5, 0.6, 5}, 1);
  const TraceLimit limit = limit_of_traces(problem, 0.6);
  VectorXd theta = limit.theta + VectorXd::Ones(5);
  double before = 0.0;
  for (int step = 0; step < 400; ++step) {  // Euler's method; the slowest mode is left
    before = (theta - limit.theta).norm();
    theta += mean_update(problem, 0.6, theta);
  }
  // The distance left is about e^(-0.038 · 400) = 3e-7, well above rounding.
  EXPECT_NEAR((theta - limit.theta).norm() / before, 1.0 - limit.rate, 1e-3);
}

TEST(Steps, SumToTheTimeOfTheOde) {
  double sum = 0.0;
  for (int n = 0; n < 5000; ++n) sum += 2.0 / std::pow(n + 100.0, 2.0 / 3.0);
  EXPECT_NEAR(sum_of_steps(5000), sum, 1e-9);
}

TEST(Draws, OfALinearLossHaveTd1Nearest) {
  const std::vector<DrawTally> tallies =
      convergence_draws(expectiles, {{0.5, 0.6, 5}}, {.scale = Scale::quick}, [](double) {});
  ASSERT_EQ(tallies.size(), 4u);
  const std::size_t draws = convergence_scale(Scale::quick).draws;
  for (const DrawTally& tally : tallies) {
    EXPECT_EQ(tally.draws, draws);
    EXPECT_EQ(tally.stable, draws);  // the condition on γ holds, and the loss is linear
    EXPECT_EQ(tally.away, 0u);
    EXPECT_EQ(tally.nearest, tally.algorithm == "TD(1)" ? draws : 0u);
  }
}

class OnePanel : public ::testing::Test {
 protected:
  static Json part_with(int threads) {
    const Panel panel = convergence_runs(
        expectiles, {0.5, 0.6, 5}, {.scale = Scale::quick, .threads = threads}, [](double) {});
    return convergence_tables(expectiles, {.panels = {panel}});
  }
  static const Json& part() {
    static const Json computed = part_with(0);
    return computed;
  }
  static double end(std::size_t algorithm, const char* column) {
    return part().at("ends").at(algorithm).at(column).get<double>();
  }
};

TEST_F(OnePanel, HasTheColumnsOfTheTables) {
  EXPECT_THAT(
      columns_of(part()["curves"]),
      ElementsAre("tau", "gamma", "d", "algorithm", "iteration", "distance", "standard_error",
                  "median", "diverged", "first_component_standard_error"));
  EXPECT_THAT(columns_of(part()["settings"]),
              ElementsAre("tau", "gamma", "d", "gamma_limit", "condition_holds", "value_norm",
                          "fixed_point_distance", "fixed_point_status", "sharp_gamma_limit",
                          "projection_error"));
  EXPECT_THAT(
      columns_of(part()["ends"]),
      ElementsAre("tau", "gamma", "d", "algorithm", "distance", "standard_error", "diverged",
                  "iterations_to_threshold", "threshold", "runs", "to_fixed_point",
                  "to_fixed_point_standard_error", "limit", "limit_distance", "limit_rate"));
  EXPECT_EQ(part().at("settings").size(), 1u);
  EXPECT_EQ(part().at("ends").size(), 5u);
  EXPECT_EQ(part().at("curves").size() % 5, 0u);
  for (std::size_t a = 0; a < 5; ++a) {
    EXPECT_EQ(part().at("ends").at(a).at("algorithm"), convergence_algorithms[a]);
  }
}

TEST_F(OnePanel, EndsAtTheLimitOfEachLearner) {
  const double norm = part().at("settings").at(0).at("value_norm").get<double>();
  const double apart = part().at("settings").at(0).at("fixed_point_distance").get<double>();
  EXPECT_GT(apart, 0.2 * norm);
  // TD(0) and Newton at Φθ*, TD(1) at ΠV, those between in between.
  EXPECT_LE(end(0, "to_fixed_point"), 0.02 * norm);
  EXPECT_LE(end(4, "to_fixed_point"), 0.02 * norm);
  EXPECT_LE(end(3, "distance"), 0.02 * norm);
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_GT(end(a, "distance"), end(a + 1, "distance") + 5.0 * end(a, "standard_error"));
  }
  for (std::size_t a = 0; a < 5; ++a) {
    EXPECT_NEAR(end(a, "distance"), end(a, "limit_distance"), 0.02 * norm);
    EXPECT_EQ(end(a, "diverged"), 0.0);
  }
}

TEST_F(OnePanel, ReachesTheThresholdWhereItsCurveStaysBelow) {
  for (const Json& row : part().at("ends")) {
    const double threshold = row.at("threshold").get<double>();
    Json reached = nullptr;
    for (const Json& point : part().at("curves")) {
      if (point.at("algorithm") != row.at("algorithm")) continue;
      if (point.at("distance").get<double>() > threshold) {
        reached = nullptr;
      } else if (reached.is_null()) {
        reached = point.at("iteration");
      }
    }
    EXPECT_EQ(row.at("iterations_to_threshold"), reached) << row.at("algorithm");
    EXPECT_EQ(reached.is_null(), row.at("algorithm") != "TD(1)");
  }
}

TEST_F(OnePanel, IsTheSameForAnyNumberOfThreads) {
  EXPECT_EQ(part_with(1).dump(), part().dump());
}

TEST(ConvergenceStudies, HaveOnePartPerPanelAndOneForTheDraws) {
  for (const auto& [study, panels] :
       {std::pair(figure_expectile({}), 20u), std::pair(figure_soft_quantile({}), 12u)}) {
    std::set<std::string> names;
    for (const Part& part : study.parts) names.insert(part.name);
    EXPECT_EQ(names.size(), panels + 1);
    EXPECT_TRUE(names.contains("draws"));
  }
  const Study expectile = figure_expectile({});
  EXPECT_EQ(expectile.parts.front().name, "tau=0.1,gamma=0.6,d=10");
  EXPECT_EQ(expectile.parts[19].name, "tau=0.9,gamma=0.9,d=5");
}

}  // namespace
}  // namespace shortfall::studies
