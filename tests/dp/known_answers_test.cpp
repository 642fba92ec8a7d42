// Solutions that are published, or given by a closed form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/library.hpp"
#include "tests/dp/published_constructors.hpp"
#include "tests/dp/published_models.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace testing {

void PrintTo(const PublishedModel& published, std::ostream* out) {
  *out << published.name;
}
void PrintTo(const PublishedPolicy& published, std::ostream* out) {
  *out << published.name;
}
void PrintTo(const PublishedHorizon& published, std::ostream* out) {
  *out << published.name;
}

}  // namespace testing

namespace {

using testing::PublishedHorizon;
using testing::PublishedModel;
using testing::PublishedPolicy;

constexpr Method methods[] = {Method::value_iteration, Method::gauss_seidel,
                              Method::modified_policy_iteration, Method::policy_iteration,
                              Method::adaptive};
constexpr auto by_name = [](const auto& info) { return info.param.name; };

void expect_values(const std::vector<double>& found, const std::vector<double>& expected,
                   double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t x = 0; x < found.size(); ++x) {
    EXPECT_NEAR(found[x], expected[x], tolerance) << "state " << x;
  }
}

void expect_optimum(const Mdp& model, const Criterion& criterion,
                    const std::vector<double>& expected, double tolerance) {
  // Far below the tolerance of the comparison, but not below what doubles of that size can certify.
  const SolverOptions options{.tolerance = std::clamp(0.01 * tolerance, 1e-11, 1e-9)};
  for (const Method method : methods) {
    SCOPED_TRACE(to_string(method));
    const Solution solution = solve(model, criterion, method, options);
    EXPECT_LE(solution.error_bound, 1e-9) << solution.brief_report();
    expect_values(solution.values, expected, tolerance + solution.error_bound);
  }
}

class Published : public ::testing::TestWithParam<PublishedModel> {};
INSTANTIATE_TEST_SUITE_P(Models, Published, ::testing::ValuesIn(testing::published_models()),
                         by_name);

TEST_P(Published, OptimumIsFoundByEveryMethod) {
  const PublishedModel& published = GetParam();
  expect_optimum(published.model, {Mean(), published.gamma}, published.values, published.tolerance);
}

class PublishedPolicyValue : public ::testing::TestWithParam<PublishedPolicy> {};
INSTANTIATE_TEST_SUITE_P(Policies, PublishedPolicyValue,
                         ::testing::ValuesIn(testing::published_policies()), by_name);

TEST_P(PublishedPolicyValue, IsFoundByEveryEvaluationMethod) {
  const PublishedPolicy& published = GetParam();
  const Criterion criterion{Mean(), published.gamma};
  for (const InducedCost kind : {InducedCost::averaged, InducedCost::mixture}) {
    const Chain chain = under_policy(published.model, published.policy, kind);
    // The slowest of these decreases by a factor of at least 0.95 per stage.
    const FiniteHorizonSolution horizon =
        evaluate_finite_horizon(chain, criterion, {.stages = 1000});
    expect_values(horizon.values.back(), published.values, published.tolerance + 1e-10);
    if (published.gamma == 1.0) continue;
    const SolverOptions options{.tolerance = 1e-9};
    for (const auto evaluate : {evaluate_by_sweeps, evaluate_by_newton}) {
      const Solution solution = evaluate(chain, criterion, options, {});
      EXPECT_EQ(solution.status, Status::converged);
      expect_values(solution.values, published.values, published.tolerance + 1e-9);
    }
  }
}

class PublishedStages : public ::testing::TestWithParam<PublishedHorizon> {};
INSTANTIATE_TEST_SUITE_P(Horizons, PublishedStages,
                         ::testing::ValuesIn(testing::published_horizons()), by_name);

TEST_P(PublishedStages, HaveTheirPublishedValue) {
  const PublishedHorizon& published = GetParam();
  const FiniteHorizonSolution solution = solve_finite_horizon(
      published.model, {Mean(), published.gamma}, {.stages = published.stages});
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_LE(solution.error_bound, published.tolerance);
  expect_values(solution.values.back(), published.values, published.tolerance);
}

/// Rewards of the forest, risk-neutral and under an expectile of level 0.1 and an entropic
/// risk of rewards with β = 0.1: for costs the expectile has level 0.9. The first is
/// as the toolboxes print it.
TEST(Forest, HasItsKnownOptimumUnderThreeRiskMeasures) {
  const Mdp model = library::forest();
  expect_optimum(model, {Mean(), 0.9}, {-26.244, -29.484, -33.484}, 1e-9);
  expect_optimum(model, {Expectile(0.9), 0.9}, {-8.1, -9.9, -13.9}, 1e-9);
  expect_optimum(model, {Entropic(0.1), 0.9}, {-24.430549, -27.492065, -31.492065}, 5e-7);
}

class UnderEveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Losses, UnderEveryLoss, ::testing::ValuesIn(testing::loss_specs()));

/// Boyan's chain is certain to end within thirteen stages, and its value is linear.
TEST_P(UnderEveryLoss, BoyansChainHasALinearValue) {
  const double c = library::boyan_final_cost(loss);
  const Mdp model = library::boyan_chain(c);
  std::vector<double> linear;
  for (int s = 0; s <= 13; ++s) linear.push_back(c * (13 - s));
  Policy policy(13, 0);
  policy.push_back(no_action);
  for (const FiniteHorizonSolution& solution :
       {solve_finite_horizon(model, {loss, 1.0}, {.stages = 13}),
        evaluate_finite_horizon(under_policy(model, policy), {loss, 1.0}, {.stages = 13})}) {
    EXPECT_LE(solution.error_bound, 1e-9);
    expect_values(solution.values.back(), linear, solution.error_bound + 1e-13);
  }
}

/// V(x) = ρ(c)/(1-γ) if costs are independent with a common law, whichever state they lead to.
TEST_P(UnderEveryLoss, IndependentCostsHaveTheirRiskOverOneMinusGammaAsValue) {
  const std::vector<double> atoms = {-1.0, 0.5, 2.0, 3.0};
  const std::vector<double> probabilities = {0.125, 0.25, 0.5, 0.125};
  TransitionTable table;
  for (const StateIndex x : {0U, 1U, 2U}) {
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      const auto next = static_cast<StateIndex>((x + i) % 3);
      table.add(x, 0, next, Probability(probabilities[i]), atoms[i]);
    }
  }
  const Mdp model = Mdp::build(std::move(table));
  for (const double gamma : {0.5, 0.9}) {
    const double value = shortfall_risk(loss, {atoms, probabilities}) / (1.0 - gamma);
    expect_optimum(model, {loss, gamma}, {value, value, value}, 1e-9);
  }
}

/// Without randomness, all losses agree.
TEST_P(UnderEveryLoss, DeterministicModelsHaveTheirRiskNeutralValue) {
  const auto is_deterministic = [](const Mdp& model) {
    return model.outcomes().longest_row() == 1;
  };
  std::vector<std::string> met;
  for (const PublishedModel& published : testing::published_models()) {
    if (!is_deterministic(published.model)) continue;
    met.push_back(published.name);
    expect_optimum(published.model, {loss, published.gamma}, published.values, published.tolerance);
  }
  for (const PublishedHorizon& published : testing::published_horizons()) {
    if (!is_deterministic(published.model)) continue;
    met.push_back(published.name);
    const FiniteHorizonSolution solution = solve_finite_horizon(
        published.model, {loss, published.gamma}, {.stages = published.stages});
    expect_values(solution.values.back(), published.values, published.tolerance);
  }
  EXPECT_THAT(met, ::testing::ElementsAre("gridworld_optimal", "cliff_walking"));
}

TEST_P(UnderEveryLoss, TheCounterexampleHasValueZero) {
  const Mdp model = library::counterexample(0.95, library::DeltaRoot::larger).model;
  expect_optimum(model, {loss, 0.9}, {0.0, 0.0}, 0.0);
}

/// A coin that costs 1 with probability p, tossed infinitely often.
Mdp coin(double p) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(p), 1.0);
  table.add(0, 0, 0, Probability(1.0 - p), 0.0);
  return Mdp::build(std::move(table));
}

/// The τ-expectile m of one toss solves τ p (1 - m) = (1 - τ)(1 - p) m.
TEST(Coin, HasItsExpectileInClosedForm) {
  for (const double tau : {0.1, 0.4, 0.5, 0.9}) {
    for (const double p : {0.05, 0.5, 0.8}) {
      const double toss = tau * p / (tau * p + (1.0 - tau) * (1.0 - p));
      expect_optimum(coin(p), {Expectile(tau), 0.9}, {toss / 0.1}, 1e-9);
    }
  }
}

/// Undiscounted, the entropic risk of n tosses is that of their sum: n log(1 - p + p e^β) / β. One
/// toss is the log-sum-exp.
TEST(Coin, HasTheEntropicRiskOfTheSumOfItsTosses) {
  for (const double beta : {0.01, 1.0, 20.0}) {
    const double toss = std::log1p(0.3 * std::expm1(beta)) / beta;
    const FiniteHorizonSolution solution =
        solve_finite_horizon(coin(0.3), {Entropic(beta), 1.0}, {.stages = 50});
    for (const int stages : {1, 2, 50}) {
      EXPECT_NEAR(solution.values[static_cast<std::size_t>(stages)][0], stages * toss,
                  1e-12 / beta);
    }
  }
}

/// Waiting for a success of probability 1/2 at cost 1 per trial takes a geometric number
/// N of them, and log(E e^{βN})/β = log(p e^β / (1 - (1-p) e^β))/β. Finite horizons fall
/// short by at most (e^β/2)^n.
TEST(Waiting, HasTheEntropicRiskOfTheGeometricLaw) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(0.5), 1.0);
  table.add(0, 0, 1, Probability(0.5), 1.0);
  const Mdp model = Mdp::build(std::move(table));
  for (const double beta : {0.1, 0.5}) {
    const double risk = std::log(0.5 * std::exp(beta) / (1.0 - 0.5 * std::exp(beta))) / beta;
    const FiniteHorizonSolution solution =
        solve_finite_horizon(model, {Entropic(beta), 1.0}, {.stages = 300});
    EXPECT_NEAR(solution.values.back()[0], risk, 1e-11);
  }
}

TEST(KnownAnswers, AverageOfPublishedModelsIsTheirGain) {
  // Howard 1960: the toymaker earns 2 a week, the taxi 13.34 per trip (chapter 5; exactly 13.3445).
  const Solution toymaker = solve(testing::howard_toymaker(), long_run_average(Mean()));
  EXPECT_NEAR(-toymaker.average_cost, 2.0, toymaker.error_bound);
  const Solution taxi = solve(testing::howard_taxicab(), long_run_average(Mean()));
  EXPECT_NEAR(-taxi.average_cost, 13.3445, 5e-5);
  EXPECT_EQ(taxi.policy, (Policy{1, 1, 1}));
  // Hillier and Lieberman: replacing once inoperable, overhauling when major: $1667 a week.
  const Solution machine = solve(testing::hillier_machine(), long_run_average(Mean()));
  EXPECT_NEAR(machine.average_cost, 5000.0 / 3.0, 1e-6);
}

}  // namespace
}  // namespace shortfall
