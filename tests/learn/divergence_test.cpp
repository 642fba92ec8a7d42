// A learner reports divergence at the update at which it occurs, and only then.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/theory/conditions.hpp"
#include "tests/learn/asymptotics_for_tests.hpp"
#include "tests/theory/random_instances.hpp"

namespace shortfall::learn {
namespace {

using testing::EvaluationProblem;

/// The random model of the experiments, ten states and five features, with all costs scaled.
EvaluationProblem experiment(std::uint64_t seed, const AnyLoss& loss, double gamma,
                             double scale = 1.0) {
  pcg64 generator(seed);
  const auto mdp = library::random_mdp({.states = 10, .actions = 10, .features = 5}, generator);
  Outcomes outcomes = under_policy(mdp.model, mdp.policy).outcomes();
  for (double& cost : outcomes.cost) cost *= scale;
  return {Chain(std::move(outcomes)), loss, gamma, mdp.features};
}

constexpr double gamma = 0.9;

TEST(Divergence, CanOccurWithTracesWithinTheConditions) {
  const AnyLoss loss = Expectile(0.9);
  EXPECT_FALSE(theory::check_conditions(loss, gamma).guaranteed());
  // On each of thirty models, and long before a million updates.
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const EvaluationProblem evaluation = experiment(seed, loss, gamma);
    TdLambda td(5, loss, gamma, 1.0, PolynomialStep());
    pcg64 bits(1);
    evaluation.teach(td, 1000000, bits);
    EXPECT_EQ(td.status(), LearnerStatus::diverged) << seed;
    EXPECT_LT(td.updates(), 200000u) << seed;
  }
}

TEST(Divergence, DoesNotOccurWithTracesIfTheLossIsLinear) {
  const AnyLoss loss = Mean();
  EXPECT_TRUE(theory::check_conditions(loss, gamma).guaranteed());
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const EvaluationProblem evaluation = experiment(seed, loss, gamma);
    TdLambda td(5, loss, gamma, 1.0, PolynomialStep());
    pcg64 bits(1);
    evaluation.teach(td, 100000, bits);
    EXPECT_EQ(td.status(), LearnerStatus::ok) << seed;
    // The limit is ΠV (Tsitsiklis and Van Roy, IEEE Trans. Automat. Control 42, 1997), and with
    // orthonormal columns |θ| = |Φθ| ≤ ‖ΠV‖_q / √(min q) ≤ max |c| / ((1-γ) √(min q)).
    const double reach = evaluation.chain.outcomes().largest_cost() / (1.0 - gamma);
    const double least = *std::ranges::min_element(evaluation.q);
    for (const double weight : td.theta()) EXPECT_LE(std::abs(weight), reach / std::sqrt(least));
  }
}

TEST(Divergence, IsReportedAtTheUpdateAtWhichItOccurs) {
  const AnyLoss loss = Expectile(0.9);
  const EvaluationProblem evaluation = experiment(1, loss, gamma);
  const double reach = evaluation.chain.outcomes().largest_cost() / (1.0 - gamma);
  const ChainSampler sampler(evaluation.chain);
  const features::Dense rows(evaluation.phi);
  pcg64 bits(1);
  Trajectory path(sampler, StartAt<StateIndex>{0}, bits);
  TdLambda td(5, loss, gamma, 1.0, PolynomialStep());
  std::vector<double> before;
  for (std::uint64_t n = 0;; ++n) {
    ASSERT_LT(n, 1000000u);
    const auto [x, cost, next, ends, restarts] = path.step(bits);
    const double largest =
        std::max(std::abs(td.value(rows.row(x))), std::abs(td.value(rows.row(next))));
    before.assign(td.theta().begin(), td.theta().end());
    const LearnerStatus status = td.update(rows.row(x), cost, rows.row(next));
    ASSERT_EQ(status, td.status());
    // All states, and hence the largest cost, are seen in the first thousand updates.
    if (n > 1000) {
      ASSERT_EQ(status == LearnerStatus::diverged, largest > divergence_factor * reach) << n;
    }
    ASSERT_EQ(td.updates(), status == LearnerStatus::diverged ? n : n + 1);
    if (status == LearnerStatus::diverged) break;
  }
  const std::uint64_t updates = td.updates();
  EXPECT_GT(updates, 1000u);
  // After that nothing changes, and the weights are finite.
  for (int i = 0; i < 10; ++i) {
    const auto [x, cost, next, ends, restarts] = path.step(bits);
    EXPECT_EQ(td.update(rows.row(x), cost, rows.row(next)), LearnerStatus::diverged);
  }
  EXPECT_EQ(td.updates(), updates);
  EXPECT_TRUE(std::ranges::equal(td.theta(), before));
  EXPECT_TRUE(std::ranges::all_of(before, [](double w) { return std::isfinite(w); }));
}

/// The drift is about 0.001 θ at p = 0.99, and -0.001 θ at p = 0.8, for θ > 0. The steps satisfy
/// the assumption and sum to 27000 over a million updates, in which θ would grow by about e²⁶;
/// e¹⁸ count as divergence.
PolynomialStep counterexample_step() {
  return PolynomialStep(100.0, 1000.0);
}

Td<AnyLoss> taught_counterexample(double p) {
  const auto example = library::counterexample(p, library::DeltaRoot::smaller);
  const EvaluationProblem evaluation(under_policy(example.model, {0, 0}), example.loss,
                                     example.gamma, example.features);
  Td<AnyLoss> td(1, example.loss, example.gamma, counterexample_step());
  td.start_from(std::vector<double>{1.0});
  pcg64 bits(1);
  evaluation.teach(td, 1000000, bits);
  return td;
}

TEST(Divergence, OccursInTheCounterexampleAboveItsThreshold) {
  const auto td = taught_counterexample(0.99);
  EXPECT_EQ(td.status(), LearnerStatus::diverged);
  EXPECT_GT(td.theta()[0], 1e7);
  EXPECT_TRUE(step_size_assumption(counterexample_step()).holds);
}

TEST(Divergence, DoesNotOccurInTheCounterexampleBelowItsThreshold) {
  const auto td = taught_counterexample(0.8);
  EXPECT_EQ(td.status(), LearnerStatus::ok);
  EXPECT_LT(std::abs(td.theta()[0]), 1e-3);
}

class DivergenceForEveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Divergence, DivergenceForEveryLoss,
                         ::testing::ValuesIn(testing::bounded_loss_specs()));

TEST_P(DivergenceForEveryLoss, IsNotReportedWithinTheConditions) {
  const double within = 0.9 * theory::gamma_limit(loss.slope_bounds());
  for (const double scale : {1e-8, 1.0, 1e8}) {
    const EvaluationProblem evaluation = experiment(1, loss, within, scale);
    Td td(5, loss, within, PolynomialStep());
    Td scaled(5, loss, within);
    Newton newton(5, loss, within);
    pcg64 td_bits(1), newton_bits(1);
    evaluation.teach(td, 100000, td_bits);
    pcg64 scaled_bits(1);
    evaluation.teach(scaled, 20000, scaled_bits);
    EXPECT_NE(scaled.status(), LearnerStatus::diverged) << scale;
    evaluation.teach(newton, 20000, newton_bits);
    EXPECT_EQ(td.status(), LearnerStatus::ok) << scale;
    EXPECT_EQ(td.updates(), 100000u) << scale;
    EXPECT_EQ(newton.status(), LearnerStatus::ok) << scale;
    EXPECT_EQ(newton.updates(), 20000u) << scale;
  }
}

TEST_P(DivergenceForEveryLoss, IsReportedSoonIfStepsAreHuge) {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    const EvaluationProblem evaluation = experiment(1, loss, 0.5, scale);
    Td<AnyLoss, ConstantStep> td(5, loss, 0.5, ConstantStep(1e6));
    pcg64 bits(1);
    evaluation.teach(td, 1000, bits);
    EXPECT_EQ(td.status(), LearnerStatus::diverged) << scale;
    // A step multiplies θ by about 1e6 |φ|² ℓ', which is 1e4 or more.
    EXPECT_LT(td.updates(), 10u) << scale;
    for (const double weight : td.theta()) EXPECT_TRUE(std::isfinite(weight));
  }
}

}  // namespace
}  // namespace shortfall::learn
