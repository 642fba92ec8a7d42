#include "shortfall/learn/greedy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <pcg_random.hpp>
#include <variant>
#include <vector>

#include "shortfall/features/dense.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall::learn {
namespace {

using ::testing::ElementsAre;

constexpr double unit = std::numeric_limits<double>::epsilon();

static_assert(FiniteActionModel<MdpSampler, Scenarios::Bits>);

std::vector<double> normal_costs(std::size_t count, std::uint64_t seed) {
  pcg64 bits(seed);
  std::vector<double> costs(count);
  for (double& cost : costs) cost = 2.0 + 3.0 * draw_normal(bits);
  return costs;
}

/// Second method: the plain templates of the loss itself, while SampledRisk runs the vectorised
/// ones. Sums of n terms are off by n units of the largest, and their root by that over the slope.
TEST(SampledRisk, IsTheShortfallRiskOfEquallyLikelyCosts) {
  for (const std::size_t n : {1U, 2U, 7U, 64U, 1000U}) {
    const std::vector<double> costs = normal_costs(n, n);
    const std::vector<double> weights(n, 1.0 / static_cast<double>(n));
    const Law law{.atoms = costs, .probabilities = weights};
    for (const AnyLoss& any : testing::all_losses()) {
      SampledRisk sampled(any, n);
      std::ranges::copy(costs, sampled.costs().begin());
      const double expected =
          std::visit([&](const auto& loss) { return shortfall_risk(loss, law); }, any.variant());
      double largest = 0.0;
      for (const double cost : costs) {
        largest = std::max(largest, std::abs(any.at(cost - expected).value));
      }
      const double slope = expected_loss(any, law, expected).left_slope;
      const double size =
          std::abs(*std::ranges::max_element(costs, {}, [](double c) { return std::abs(c); }));
      const double tolerance =
          4.0 * unit * (size + static_cast<double>(n) * (largest + size) / slope);
      EXPECT_NEAR(sampled.risk(), expected, tolerance) << any.to_string() << ", n = " << n;
      EXPECT_TRUE(sampled.is_below(expected + 2.0 * tolerance)) << any.to_string() << ", n = " << n;
      EXPECT_FALSE(sampled.is_below(expected - 2.0 * tolerance))
          << any.to_string() << ", n = " << n;
    }
  }
}

/// One action that is best by far for the mean, and worse for those averse to the rare large cost.
TEST(GreedyAction, DependsOnTheLoss) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(0.9), 0.0);
  table.add(0, 0, 0, Probability(0.1), 10.0);  // mean 1, but rarely 10
  table.add(0, 1, 0, Probability(1.0), 2.0);
  const MdpSampler model(Mdp::build(std::move(table)));
  const auto zero = [](StateIndex) { return 0.0; };
  const Scenarios scenarios(200, 1);
  SampledRisk mean(Mean{}, 200);
  EXPECT_EQ(greedy_action(model, zero, 0.9, StateIndex{0}, scenarios, mean), 0);
  // The expectile of level 0.9 solves 0.9 · 0.1 (10 - m) = 0.1 · 0.9 m: m = 5.
  SampledRisk expectile(Expectile(0.9), 200);
  EXPECT_EQ(greedy_action(model, zero, 0.9, StateIndex{0}, scenarios, expectile), 1);
}

/// Bound on the effect of S scenarios on a row of n outcomes, drawn by one number from an alias
/// table: each outcome has at most 2n intervals of the number's range in all, and stratified
/// numbers are off by less than two of S in each, so that the total variation is below 2n/S. A risk
/// moves by at most that times (largest slope / smallest slope) · range of the targets.
double largest_error(const AnyLoss& loss, const std::vector<double>& targets, double samples) {
  const auto [low, high] = std::ranges::minmax(targets);
  const double range = high - low;
  double steepest = loss.slope_bounds().upper;
  double flattest = loss.slope_bounds().lower;
  if (!(std::isfinite(steepest) && flattest > 0.0)) {  // convex: slopes at the ends
    steepest = loss.at(range).left_slope;
    flattest = loss.at(-range).left_slope;
  }
  return steepest / flattest * range * 2.0 * static_cast<double>(targets.size()) / samples;
}

struct ExactChoice {
  ActionIndex best = no_action;
  bool is_clear = false;  ///< its risk is lower than others by more than sampling can hide
};

ExactChoice exact_choice(const Mdp& model, StateIndex x, const std::vector<double>& values,
                         const AnyLoss& loss, double samples) {
  struct Candidate {
    double risk;
    double error;
    ActionIndex action;
  };
  std::vector<Candidate> candidates;
  for (std::size_t r = model.state_begin()[x]; r < model.state_begin()[x + 1]; ++r) {
    const Outcomes::Row row = model.law(r);
    std::vector<double> targets;
    for (std::size_t i = 0; i < row.next.size(); ++i) {
      const double next = model.is_terminal(row.next[i]) ? 0.0 : values[row.next[i]];
      targets.push_back(row.cost[i] + 0.9 * next);
    }
    candidates.push_back(
        {shortfall_risk(loss, {.atoms = targets, .probabilities = row.probability}),
         largest_error(loss, targets, samples), model.action_of_row(r)});
  }
  std::ranges::sort(candidates, {}, &Candidate::risk);
  const Candidate& best = candidates.front();
  const bool is_clear = std::all_of(candidates.begin() + 1, candidates.end(), [&](const auto& c) {
    return c.risk - c.error > best.risk + best.error;
  });
  return {best.action, is_clear};
}

TEST(GreedyAction, IsExactUnlessSamplingCanHideIt) {
  constexpr std::size_t samples = 5000;
  const Scenarios scenarios(samples, 3);
  pcg64 bits(12);
  for (const char* spec : {"mean", "expectile:0.8", "soft-quantile:0.8,2", "entropic:0.02"}) {
    const AnyLoss loss = AnyLoss::parse(spec);
    SampledRisk memory(loss, samples);
    int choices = 0;
    int clear = 0;
    for (const auto& [name, model] : library::small_models()) {
      const MdpSampler sampler(model);
      std::vector<double> values(model.states());
      const double scale = std::min(30.0, model.outcomes().largest_cost());
      for (double& value : values) value = scale * draw_normal(bits);
      const auto value = [&](StateIndex x) { return values[x]; };
      for (StateIndex x = 0; x < model.states(); ++x) {
        if (model.action_count(x) < 2) continue;
        ++choices;
        const auto [best, is_clear] = exact_choice(model, x, values, loss, samples);
        if (!is_clear) continue;
        ++clear;
        EXPECT_EQ(greedy_action(sampler, value, 0.9, x, scenarios, memory), best)
            << name << ", state " << x << ", " << spec;
      }
    }
    EXPECT_GE(choices, 50);
    EXPECT_GE(clear, choices / 2) << spec;  // otherwise nothing is tested
  }
}

/// To the end at cost 1, or at cost 2 to a state of value -1: 1 compared with 1.1 at γ = 0.9. V is
/// not evaluated at the end.
TEST(GreedyAction, GivesTheEndValueZero) {
  TransitionTable table;
  table.add(0, 0, 1, Probability(1.0), 2.0);
  table.add(0, 1, 2, Probability(1.0), 1.0);
  table.add(1, 0, 1, Probability(1.0), 0.0);
  const MdpSampler model(Mdp::build(std::move(table)));
  const Scenarios scenarios(10, 1);
  SampledRisk memory(Expectile(0.7), 10);
  const auto choose = [&](double worth) {
    const auto value = [&](StateIndex x) {
      EXPECT_EQ(x, 1);
      return x == 1 ? worth : -1e6;
    };
    return greedy_action(model, value, 0.9, StateIndex{0}, scenarios, memory);
  };
  EXPECT_EQ(choose(-1.0), 1);
  EXPECT_EQ(choose(-1.2), 0);  // 2 - 1.08 < 1
}

/// Three actions with the same law, for many laws: the rounding of E ℓ(X - ρ(X)) must not decide.
TEST(GreedyAction, IsTheFirstAmongTies) {
  const auto zero = [](StateIndex) { return 0.0; };
  for (const AnyLoss& loss : testing::all_losses()) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      TransitionTable table;
      const std::vector<double> costs = normal_costs(5, seed);
      for (const ActionIndex a : {0, 1, 2}) {
        for (const double cost : costs) table.add(0, a, 0, Probability(0.2), cost);
      }
      const MdpSampler model(Mdp::build(std::move(table)));
      SampledRisk memory(loss, 37);
      EXPECT_EQ(greedy_action(model, zero, 0.9, StateIndex{0}, Scenarios(37, seed), memory), 0)
          << loss.to_string() << ", seed " << seed;
    }
  }
}

TEST(LinearValue, IsTheProductOfFeaturesAndWeights) {
  const features::Dense map({1, 2, 3, 4, 5, 6}, 3);
  const LinearValue value(map, std::vector<double>{1.0, -1.0, 0.5});
  EXPECT_EQ(value(StateIndex{0}), 0.5);
  EXPECT_EQ(value(StateIndex{1}), 2.0);
}

TEST(GreedyPolicy, IsTheGreedyActionInEveryStateRepeatedly) {
  const Mdp model = library::machine_replacement();
  const MdpSampler sampler(model);
  const features::Tabular map(model.states());
  std::vector<double> theta(model.states());
  for (std::size_t x = 0; x < theta.size(); ++x) theta[x] = 5.0 * static_cast<double>(x);
  const LinearValue value(map, theta);
  const GreedyPolicy policy(sampler, value, Expectile(0.8), 0.9, Scenarios(100, 4));
  SampledRisk memory(Expectile(0.8), 100);
  std::vector<ActionIndex> chosen;
  for (StateIndex x = 0; x < model.states(); ++x) {
    chosen.push_back(policy(x));
    EXPECT_EQ(chosen.back(), greedy_action(sampler, value, 0.9, x, Scenarios(100, 4), memory));
    EXPECT_EQ(chosen.back(), policy(x));
  }
  // Keeping costs 3x + 4.5 (x + p), replacing 20 + 4.5 p, with the same draw p: 7.5
  // x = 20 at x = 2.7.
  EXPECT_THAT(chosen, ElementsAre(0, 0, 0, 1, 1, 1, 1, 1, 1, 1));
}

}  // namespace
}  // namespace shortfall::learn
