#include "shortfall/mdp/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall::library {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// ρ(c + γ V(X')) for one row of a model.
double backup(const Mdp& model, std::size_t row, const AnyLoss& loss, double gamma,
              const std::vector<double>& values) {
  const Outcomes::Row law = model.law(row);
  std::vector<double> atoms;
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    atoms.push_back(law.cost[i] + gamma * values[law.next[i]]);
  }
  return shortfall_risk(loss, {atoms, law.probability});
}

double optimal_backup(const Mdp& model, std::size_t x, const AnyLoss& loss, double gamma,
                      const std::vector<double>& values) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
    best = std::min(best, backup(model, r, loss, gamma, values));
  }
  return best;
}

/// The matrices that the toolboxes print for S = 3, r1 = 4, r2 = 2, p = 0.1.
TEST(Forest, HasTheTransitionsAndRewardsOfTheToolbox) {
  const Mdp model = forest();
  ASSERT_EQ(model.states(), 3);
  EXPECT_THAT(model.law(0).next, ElementsAre(0, 1));
  EXPECT_THAT(model.law(0).probability, ElementsAre(0.1, 0.9));
  EXPECT_THAT(model.law(0).cost, ElementsAre(0.0, 0.0));
  EXPECT_THAT(model.law(1).next, ElementsAre(0));
  EXPECT_THAT(model.law(1).cost, ElementsAre(0.0));
  EXPECT_THAT(model.law(2).next, ElementsAre(0, 2));
  EXPECT_THAT(model.law(3).cost, ElementsAre(-1.0));
  EXPECT_THAT(model.law(4).next, ElementsAre(0, 2));
  EXPECT_THAT(model.law(4).cost, ElementsAre(-4.0, -4.0));
  EXPECT_THAT(model.law(5).cost, ElementsAre(-2.0));
}

/// Always waiting has, in rewards, V(S-1) = r1 + γ(p V(0) + (1-p) V(S-1)) and, s years younger,
/// V = γ(p V(0) + (1-p) V(one older)); for large r1 it is optimal.
TEST(Forest, ThatIsNeverCutHasItsClosedFormAtAnySize) {
  const double gamma = 0.9;
  const double p = 0.1;
  for (const std::size_t states : {2U, 3U, 10U, 100U}) {
    const double reward = 1e9;
    const Mdp model = forest({.states = states, .wait_reward = reward, .fire_probability = p});
    // With a = γ(1-p) and S-1 steps to the top, V(0) = a^{S-1} r1 / (1-a) / (1 - γp Σ_{i≥0} a^i).
    const double a = gamma * (1.0 - p);
    const double start = std::pow(a, static_cast<double>(states - 1)) * reward / (1.0 - a) /
                         (1.0 - gamma * p / (1.0 - a));
    std::vector<double> values(states);
    for (std::size_t s = 0; s < states; ++s) {
      values[s] = -(std::pow(a, static_cast<double>(states - 1 - s)) * reward + gamma * p * start) /
                  (1.0 - a);
    }
    for (std::size_t s = 0; s < states; ++s) {
      EXPECT_NEAR(optimal_backup(model, s, Mean(), gamma, values), values[s],
                  100.0 * epsilon * reward / (1.0 - gamma));
    }
  }
}

TEST(Forest, RejectsParametersOutOfRange) {
  EXPECT_THAT([] { forest({.states = 1}); }, ThrowsMessage<InvalidInput>(HasSubstr("is 1")));
  EXPECT_THAT([] { forest({.fire_probability = 1.5}); },
              ThrowsMessage<InvalidInput>(HasSubstr("1.5")));
}

class BoyanUnderEveryLoss : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Losses, BoyanUnderEveryLoss, ::testing::ValuesIn(testing::loss_specs()));

TEST_P(BoyanUnderEveryLoss, HasALinearValue) {
  const AnyLoss loss = AnyLoss::parse(GetParam());
  const double c = boyan_final_cost(loss);
  EXPECT_GE(c, 1.5);
  EXPECT_LE(c, 3.0);
  const Mdp model = boyan_chain(c);
  std::vector<double> values;
  for (std::size_t s = 0; s < boyan_states; ++s) {
    values.push_back(c * static_cast<double>(boyan_states - 1 - s));
  }
  // Values reach 39, roots are found to two units in the last place.
  for (std::size_t s = 0; s + 1 < boyan_states; ++s) {
    EXPECT_NEAR(backup(model, s, loss, 1.0, values), values[s], 39.0 * 8.0 * epsilon) << s;
  }
}

TEST_P(BoyanUnderEveryLoss, HasAValueThatItsFeaturesRepresentExactly) {
  const double c = boyan_final_cost(AnyLoss::parse(GetParam()));
  const Eigen::Vector4d theta = c * Eigen::Vector4d(13.0, 9.0, 5.0, 1.0);
  const Eigen::VectorXd values = boyan_features() * theta;
  for (Eigen::Index s = 0; s < values.size(); ++s) {
    EXPECT_NEAR(values[s], c * static_cast<double>(13 - s), 39.0 * 4.0 * epsilon);
  }
}

/// For the expectile of level τ of costs, ρ({0, c}) = τc; in rewards the level is 1 - τ.
TEST(BoyanFinalCost, IsTheClosedFormForTheExpectiles) {
  EXPECT_NEAR(boyan_final_cost(Mean()), 2.0, 4.0 * epsilon);
  for (const double tau : {0.1, 0.25, 0.5, 0.9}) {
    EXPECT_NEAR(boyan_final_cost(Expectile(tau)), 3.0 / (2.0 - tau), 8.0 * epsilon);
  }
}

/// 2c = 3 + log((1 + e^{βc})/2)/β, put back into the equation.
TEST(BoyanFinalCost, SolvesItsEquationForTheEntropicRisk) {
  for (const double beta : {0.01, 1.0, 10.0}) {
    const double c = boyan_final_cost(Entropic(beta));
    const double risk = c + std::log((1.0 + std::exp(-beta * c)) / 2.0) / beta;
    EXPECT_NEAR(2.0 * c, 3.0 + risk, 64.0 * epsilon / std::min(beta, 1.0));
  }
}

TEST(BoyanFeatures, InterpolateBetweenUnitVectors) {
  const Eigen::MatrixXd features = boyan_features();
  ASSERT_EQ(features.rows(), 14);
  ASSERT_EQ(features.cols(), 4);
  EXPECT_EQ(features.row(0), Eigen::RowVector4d(1.0, 0.0, 0.0, 0.0));
  EXPECT_EQ(features.row(1), Eigen::RowVector4d(0.75, 0.25, 0.0, 0.0));
  EXPECT_EQ(features.row(6), Eigen::RowVector4d(0.0, 0.5, 0.5, 0.0));
  EXPECT_EQ(features.row(12), Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0));
  EXPECT_EQ(features.row(13), Eigen::RowVector4d::Zero());
}

/// f(θ) of the header; q is uniform by symmetry.
double drift(const Counterexample& example, double theta) {
  double sum = 0.0;
  for (std::size_t x = 0; x < 2; ++x) {
    const Outcomes::Row law = example.model.law(x);
    const double phi = example.features(static_cast<Eigen::Index>(x), 0);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const double difference =
          law.cost[i] + example.gamma * example.features(law.next[i], 0) * theta - phi * theta;
      sum += 0.5 * law.probability[i] * phi * example.loss.at(difference).value;
    }
  }
  return sum;
}

class CounterexampleRoot : public ::testing::TestWithParam<DeltaRoot> {};
INSTANTIATE_TEST_SUITE_P(Both, CounterexampleRoot,
                         ::testing::Values(DeltaRoot::smaller, DeltaRoot::larger));

TEST_P(CounterexampleRoot, HasNoDriftAtNineTenthsForThetaNotNegative) {
  const Counterexample example = counterexample(0.9, GetParam());
  // Terms are at most δ² ≤ 75 times θ.
  for (const double theta : {0.0, 0.5, 1.0, 100.0}) {
    EXPECT_NEAR(drift(example, theta), 0.0, 75.0 * 8.0 * epsilon * theta);
  }
  EXPECT_GT(drift(example, -1.0), 1e-3);
}

TEST_P(CounterexampleRoot, DriftsAwayAboveNineTenthsAndBackBelow) {
  for (const double theta : {0.5, 1.0, 100.0}) {
    for (const double p : {0.901, 0.95, 0.999}) {
      EXPECT_GT(drift(counterexample(p, GetParam()), theta), 1e-6 * theta) << p;
    }
    EXPECT_LT(drift(counterexample(0.899, GetParam()), theta), -1e-6 * theta);
  }
}

TEST_P(CounterexampleRoot, ViolatesTheSlopeConditionAndNoOther) {
  const Counterexample example = counterexample(0.9, GetParam());
  const auto [lower, upper] = example.loss.slope_bounds();
  EXPECT_NEAR(lower / upper, 0.1, 4.0 * epsilon);
  EXPECT_GT(example.gamma, lower / upper);
  EXPECT_TRUE(check_ergodicity(under_policy(example.model, Policy{0, 0})).is_ergodic());
}

TEST(Counterexample, RejectsAChainThatNeverChanges) {
  for (const double p : {0.0, -0.5, 1.5}) {
    EXPECT_THAT([&] { static_cast<void>(counterexample(p, DeltaRoot::smaller)); },
                ThrowsMessage<InvalidInput>(HasSubstr("(0, 1]")));
  }
}

/// The figure of Strehl and Littman for six states.
TEST(RiverSwim, HasThePublishedTransitions) {
  const Mdp model = river_swim();
  ASSERT_EQ(model.states(), 6);
  EXPECT_THAT(model.law(0).cost, ElementsAre(-5.0));
  EXPECT_THAT(model.law(1).probability, ElementsAre(0.7, 0.3));
  for (std::size_t x = 1; x < 5; ++x) {
    const Outcomes::Row right = model.law(*model.find_row(x, 1));
    EXPECT_THAT(right.next, ElementsAre(x - 1, x, x + 1));
    EXPECT_THAT(model.law(*model.find_row(x, 0)).next, ElementsAre(x - 1));
    EXPECT_NEAR(right.probability[0], 0.1, epsilon);
    EXPECT_NEAR(right.probability[1], 0.6, epsilon);
    EXPECT_NEAR(right.probability[2], 0.3, epsilon);
  }
  EXPECT_THAT(model.law(11).probability, ElementsAre(0.7, 0.3));
  EXPECT_THAT(model.law(11).cost, ElementsAre(0.0, -10000.0));
}

/// Always swimming right is optimal at γ = 0.95; values by rational arithmetic.
TEST(RiverSwim, HasTheOptimumOfRationalArithmetic) {
  const std::vector<double> values = {-6137.931464,  -7214.761546,  -8839.452546,
                                      -10931.797361, -13547.104819, -16795.559027};
  const Mdp model = river_swim();
  for (std::size_t x = 0; x < 6; ++x) {
    EXPECT_NEAR(optimal_backup(model, x, Mean(), 0.95, values), values[x], 1e-6);
  }
}

TEST(RiverSwim, MayHaveTwoStates) {
  const Mdp model = river_swim({.states = 2});
  EXPECT_EQ(model.states(), 2);
  EXPECT_THAT(model.law(3).next, ElementsAre(0, 1));
  EXPECT_THAT([] { river_swim({.states = 1}); }, ThrowsMessage<InvalidInput>(HasSubstr("is 1")));
}

/// The header's formula for a control limit k, solved for V(0): on x < k, V(x) = A_x + B_x V(0).
std::vector<double> control_limit_value(const MachineReplacementParameters& machine, double gamma,
                                        std::size_t k) {
  const std::size_t n = machine.states;
  const double p = machine.wear_probability;
  std::vector<double> constant(n + 1, machine.replacement_cost);
  std::vector<double> factor(n + 1, 1.0);
  for (std::size_t x = std::min(k, n); x-- > 0;) {
    const double cost = machine.wear_cost * static_cast<double>(x);
    if (x + 1 == n) {  // the worst state does not change
      constant[x] = cost / (1.0 - gamma);
      factor[x] = 0.0;
      continue;
    }
    const double hold = 1.0 - gamma * (1.0 - p);
    constant[x] = (cost + gamma * p * constant[x + 1]) / hold;
    factor[x] = gamma * p * factor[x + 1] / hold;
  }
  const double start = constant[0] / (1.0 - factor[0]);
  std::vector<double> values(n);
  for (std::size_t x = 0; x < n; ++x) values[x] = constant[x] + factor[x] * start;
  return values;
}

TEST(MachineReplacement, HasTheBestControlLimitForOptimum) {
  std::set<std::size_t> limits;
  for (const double replacement_cost : {1.0, 20.0, 50.0, 1000.0}) {
    const MachineReplacementParameters machine{.replacement_cost = replacement_cost};
    const double gamma = 0.9;
    std::vector<double> best;
    std::size_t limit = 0;
    for (std::size_t k = 1; k <= machine.states; ++k) {
      const std::vector<double> values = control_limit_value(machine, gamma, k);
      if (best.empty() || values[0] < best[0]) {
        best = values;
        limit = k;
      }
    }
    limits.insert(limit);
    const Mdp model = machine_replacement(machine);
    for (std::size_t x = 0; x < machine.states; ++x) {
      EXPECT_NEAR(optimal_backup(model, x, Mean(), gamma, best), best[x], 1e-12 * best.back());
    }
  }
  EXPECT_GE(limits.size(), 3);  // from replacing soon to never
}

TEST(MachineReplacement, ReplacedRunsLikeANewOne) {
  const Mdp model = machine_replacement();
  const Outcomes::Row fresh = model.law(*model.find_row(0, 0));
  const Outcomes::Row replaced = model.law(*model.find_row(7, 1));
  EXPECT_TRUE(std::equal(fresh.next.begin(), fresh.next.end(), replaced.next.begin()));
  EXPECT_EQ(fresh.cost[0], 0.0);
  EXPECT_EQ(replaced.cost[0], 20.0);
  EXPECT_EQ(model.law(*model.find_row(7, 0)).cost[0], 21.0);
}

TEST(RandomMdp, DependsOnTheGeneratorAlone) {
  pcg64 one(1);
  pcg64 same(1);
  pcg64 two(2);
  const RandomMdp a = random_mdp({}, one);
  const RandomMdp b = random_mdp({}, same);
  const RandomMdp c = random_mdp({}, two);
  EXPECT_EQ(a.model.outcomes().probability, b.model.outcomes().probability);
  EXPECT_EQ(a.model.outcomes().cost, b.model.outcomes().cost);
  EXPECT_EQ(a.policy, b.policy);
  EXPECT_EQ(a.features, b.features);
  EXPECT_NE(a.model.outcomes().probability, c.model.outcomes().probability);
  EXPECT_NE(a.policy, c.policy);
}

TEST(RandomMdp, KeepsModelPolicyAndSharedFeaturesWhenFeaturesAreAdded) {
  pcg64 one(1);
  pcg64 same(1);
  const RandomMdp few = random_mdp({.features = 5}, one);
  const RandomMdp many = random_mdp({.features = 10}, same);
  EXPECT_EQ(few.model.outcomes().cost, many.model.outcomes().cost);
  EXPECT_EQ(few.policy, many.policy);
  EXPECT_EQ(few.features, many.features.leftCols(5));
}

TEST(RandomMdp, HasOrthonormalFeatures) {
  pcg64 bits(3);
  for (const std::uint32_t d : {1U, 5U, 40U}) {
    const Eigen::MatrixXd phi =
        random_mdp({.states = 40, .actions = 2, .features = d}, bits).features;
    ASSERT_EQ(phi.rows(), 40);
    const Eigen::MatrixXd gram = phi.transpose() * phi;
    EXPECT_LE((gram - Eigen::MatrixXd::Identity(d, d)).cwiseAbs().maxCoeff(), 40.0 * epsilon);
  }
}

TEST(RandomMdp, DrawsCostsWithMeanTenAndVarianceAHundred) {
  pcg64 bits(4);
  const RandomMdp random = random_mdp({.states = 100, .actions = 100}, bits);
  constexpr double pairs = 1e4;
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t r = 0; r < random.model.outcomes().rows(); ++r) {
    const Outcomes::Row law = random.model.law(r);
    const double cost = law.cost[0];
    ASSERT_TRUE(std::all_of(law.cost.begin(), law.cost.end(), [&](double c) { return c == cost; }));
    mean += cost / pairs;
    square += (cost - 10.0) * (cost - 10.0) / pairs;
  }
  EXPECT_NEAR(mean, 10.0, 6.0 * 10.0 / std::sqrt(pairs));
  EXPECT_NEAR(square, 100.0, 6.0 * 100.0 * std::sqrt(2.0 / pairs));
}

/// E of the largest of N uniforms over their sum is about 2/N; every state is reached at once.
TEST(RandomMdp, HasAKernelOfUniformRowsAndAnErgodicChain) {
  pcg64 bits(5);
  const RandomMdp random = random_mdp({.states = 100, .actions = 5}, bits);
  random.model.check_policy(random.policy);
  const Chain chain = under_policy(random.model, random.policy);
  for (std::size_t x = 0; x < 100; ++x) {
    const auto& p = chain.law(x).probability;
    ASSERT_EQ(p.size(), 100);
    EXPECT_LT(*std::max_element(p.begin(), p.end()), 0.03);
    EXPECT_GT(*std::max_element(p.begin(), p.end()), 0.015);
  }
  EXPECT_TRUE(check_ergodicity(chain).is_ergodic());
}

TEST(RandomMdp, RejectsMoreFeaturesThanStates) {
  pcg64 bits(1);
  EXPECT_THAT([&] { static_cast<void>(random_mdp({.states = 3, .features = 4}, bits)); },
              ThrowsMessage<InvalidInput>(HasSubstr("4 features on 3 states")));
  EXPECT_THAT([&] { static_cast<void>(random_mdp({.actions = 0}, bits)); },
              ThrowsMessage<InvalidInput>(HasSubstr("actions")));
}

TEST(SmallModels, HaveDistinctNamesAndAreSmall) {
  std::set<std::string> names;
  for (const auto& [name, model] : small_models()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_LE(model.states(), 50) << name;
  }
  EXPECT_GE(names.size(), 6);
}

}  // namespace
}  // namespace shortfall::library
