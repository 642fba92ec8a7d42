#include "shortfall/learn/q_learning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "shortfall/dp/solve.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/stochastic_value_iteration.hpp"
#include "shortfall/mdp/library.hpp"
#include "tests/learn/approximation_bias.hpp"

namespace shortfall::learn {
namespace {

using ::shortfall::testing::BiasBound;
using ::shortfall::testing::replications;
using ::shortfall::testing::Spread;
using ::shortfall::testing::standard_errors;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// The exact Q(x, a) = ρ(c + γ V*(X') | x, a), as a table, by dp and the risk of each row.
struct Exact {
  Exact(const Mdp& model, const Criterion& criterion)
      : solution(policy_iteration(model, criterion, {.tolerance = 1e-9})), q(model) {
    std::vector<double> atoms;
    for (std::size_t row = 0; row < q.rows(); ++row) {
      const Outcomes::Row law = model.law(row);
      atoms.clear();
      for (std::size_t i = 0; i < law.next.size(); ++i) {
        atoms.push_back(law.cost[i] + criterion.gamma * solution.values[law.next[i]]);
      }
      q[row] = shortfall_risk(criterion.loss, {atoms, law.probability});
    }
  }

  Solution solution;
  ActionValues q;
};

/// The effect of noise with the given deviations on the minimum over the actions of a state: the
/// shift of the mean, by the overshoot of each other action over its gap, and the deviation.
struct NoisyMinimum {
  NoisyMinimum(const ActionValues& q, StateIndex x, std::span<const double> deviation) {
    if (q.is_terminal(x)) return;
    const std::size_t best = q.greedy_row(x);
    double square = 0.0;
    for (std::size_t row = q.first_row(x); row < q.first_row(x) + q.action_count(x); ++row) {
      square += deviation[row] * deviation[row];
      if (row == best) continue;
      shift += BiasBound::overshoot(deviation[row] + deviation[best], q[row] - q[best]);
    }
    spread = std::sqrt(square);
  }
  double shift = 0.0;
  double spread = 0.0;
};

/// Q after at least `updates` of each pair, by replication.
struct Sample {
  std::vector<std::vector<double>> runs;
  std::uint64_t updates;
  double correlation = 0.0;  ///< added to r_n: the information about the noise in the visited state
};

double bias_bound(const BiasBound& bound, const Mdp& model, const Exact& exact,
                  std::span<const double> deviation, const Sample& sample) {
  std::vector<BiasBound::Entry> entries(exact.q.rows());
  for (std::size_t row = 0; row < entries.size(); ++row) {
    const Outcomes::Row law = model.law(row);
    entries[row].residual = sample.correlation;
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const NoisyMinimum next(exact.q, law.next[i], deviation);
      const double delta =
          law.cost[i] + bound.gamma() * exact.solution.values[law.next[i]] - exact.q[row];
      bound.add(entries[row], law.probability[i], delta,
                bound.gamma() * next.spread + deviation[row]);
      entries[row].residual +=
          law.probability[i] * bound.largest_slope() * bound.gamma() * next.shift;
    }
  }
  return bound.after(sample.updates, testing::largest(exact.q.all()), entries);
}

/// The number of states in which the best action is better by more than the tolerances of Q; checks
/// that `learned` has it in these.
std::size_t expect_best_where_clear(const ActionValues& learned, const Exact& exact,
                                    const std::vector<double>& tolerance) {
  std::size_t clear = 0;
  for (StateIndex x = 0; x < exact.q.states(); ++x) {
    if (exact.q.is_terminal(x)) continue;
    const std::size_t best = exact.q.greedy_row(x);
    bool is_clear = true;
    for (std::size_t a = 0; a < exact.q.action_count(x); ++a) {
      const std::size_t row = exact.q.first_row(x) + a;
      if (row == best) continue;
      is_clear = is_clear && exact.q[row] - exact.q[best] > tolerance[row] + tolerance[best];
    }
    if (!is_clear) continue;
    ++clear;
    EXPECT_EQ(learned.policy()[x], exact.solution.policy[x]) << "state " << x;
  }
  return clear;
}

/// Checks that the mean of Q over replications is exact up to statistical error and bias, which are
/// at most a seventh of the largest Q, and that its greedy policy is optimal. Returns the number of
/// states in which that is conclusive.
std::size_t expect_optimal(const Sample& sample, const Mdp& model, const Criterion& criterion) {
  const Exact exact(model, criterion);
  const Spread found(sample.runs);
  const BiasBound bound(criterion.loss, criterion.gamma);
  const double bias = bias_bound(bound, model, exact, found.deviation, sample);
  ActionValues mean(model);
  std::vector<double> tolerance;
  for (std::size_t row = 0; row < mean.rows(); ++row) {
    mean[row] = found.mean[row];
    tolerance.push_back(standard_errors * found.standard_error[row] + bias +
                        2.0 * exact.solution.error_bound);
    EXPECT_NEAR(mean[row], exact.q[row], tolerance[row]) << "row " << row;
    EXPECT_LE(tolerance[row], testing::largest(exact.q.all()) / 7.0) << "row " << row;
  }
  return expect_best_where_clear(mean, exact, tolerance);
}

/// Runs `learn(learner, bits)` in each replication.
template <class Learn>
Sample replicate(const Mdp& model, const Criterion& criterion, const Learn& learn) {
  Sample sample{{}, std::numeric_limits<std::uint64_t>::max()};
  for (std::size_t r = 0; r < replications; ++r) {
    pcg64 bits(41, r);
    QLearning learner(model, criterion.loss, criterion.gamma,
                      BiasBound(criterion.loss, criterion.gamma).step());
    learn(learner, bits);
    EXPECT_EQ(learner.status(), LearnerStatus::ok);
    sample.runs.emplace_back(learner.q().all().begin(), learner.q().all().end());
    sample.updates = std::min(sample.updates, std::ranges::min(learner.visits()));
  }
  return sample;
}

struct Case {
  std::string name;
  Mdp model;
  std::string loss;
  double gamma;
  std::size_t clear;  ///< states in which the sample identifies the best action
};

TEST(QLearning, ReachesTheOptimalValuesAndPolicySweepBySweep) {
  constexpr std::uint64_t sweeps = 4000;
  const Mdp river = library::river_swim({.large_reward = 50.0});
  const std::vector<Case> cases{
      {"forest", library::forest(), "mean", 0.9, 3},
      {"forest", library::forest(), "expectile:0.7", 0.5, 3},
      {"river swim", river, "mean", 0.9, 5},
      {"river swim", river, "expectile:0.7", 0.5, 6},
      {"machine", library::machine_replacement(), "mean", 0.9, 8},
      {"machine", library::machine_replacement(), "expectile:0.9", 0.5, 9},
      {"machine", library::machine_replacement(), "soft-quantile:0.8,2", 0.5, 9},
      {"Boyan chain", library::boyan_chain(), "mean", 0.9, 13},
  };
  for (const auto& [name, model, spec, gamma, clear] : cases) {
    SCOPED_TRACE(name + ", " + spec);
    const Criterion criterion{AnyLoss::parse(spec), gamma};
    const MdpSampler sampler(model);
    const Sample sample = replicate(model, criterion, [&](auto& learner, pcg64& bits) {
      for (std::uint64_t n = 0; n < sweeps; ++n) (void)learner.sweep(sampler, bits);
    });
    EXPECT_EQ(sample.updates, sweeps);
    EXPECT_GE(expect_optimal(sample, model, criterion), clear);
  }
}

/// The state of a path gives information about the noise of Q only through what was learned since
/// the path was last cut back to age 0, some T steps: each moved an entry by at most η |ℓ(δ)|, and
/// so the mean of ℓ, which depends on two entries, by L₁ (1 + γ) T η max |ℓ(δ)|. A forest of three
/// ages is of age 2 after two years, and then is cut with probability p per year: T = 2 + 1/p.
double correlation(const Mdp& model, const Criterion& criterion, std::uint64_t updates,
                   double cut_probability) {
  const Exact exact(model, criterion);
  double largest_loss = 0.0;
  for (std::size_t row = 0; row < exact.q.rows(); ++row) {
    const Outcomes::Row law = model.law(row);
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const double delta =
          law.cost[i] + criterion.gamma * exact.solution.values[law.next[i]] - exact.q[row];
      largest_loss = std::max(largest_loss, std::abs(criterion.loss.at(delta).value));
    }
  }
  PolynomialStep step = BiasBound(criterion.loss, criterion.gamma).step();
  const double slope = criterion.loss.slope_bounds().upper;
  return slope * (1.0 + criterion.gamma) * (2.0 + 1.0 / cut_probability) * step(updates) *
         largest_loss;
}

template <class Explore>
void expect_forest_learned(const Explore& explore, double cut_probability, const Case& forest) {
  const Criterion criterion{AnyLoss::parse(forest.loss), forest.gamma};
  const MdpSampler sampler(forest.model);
  Sample sample = replicate(forest.model, criterion, [&](auto& learner, pcg64& bits) {
    StateIndex x = 0;
    for (int n = 0; n < 200'000; ++n) x = learner.step(sampler, x, explore, bits);
  });
  sample.correlation = correlation(forest.model, criterion, sample.updates, cut_probability);
  EXPECT_GE(expect_optimal(sample, forest.model, criterion), forest.clear);
}

TEST(QLearning, ReachesTheOptimumAlongATrajectoryThatExploresUniformly) {
  expect_forest_learned(UniformExploration{}, 0.5, {"forest", library::forest(), "mean", 0.9, 3});
  expect_forest_learned(UniformExploration{}, 0.5,
                        {"forest", library::forest(), "expectile:0.7", 0.5, 3});
}

/// Waiting is best at every age, and by so much that in the end the greedy action does not depend
/// on the noise; so cuts come only from exploring, with probability ε/2.
TEST(QLearning, ReachesTheOptimumAlongATrajectoryThatIsEpsilonGreedy) {
  expect_forest_learned(EpsilonGreedy(0.5), 0.25, {"forest", library::forest(), "mean", 0.5, 3});
}

/// State 0 has the actions 0 and 2, state 1 only 1, state 2 is terminal.
Mdp three_states() {
  TransitionTable table;
  table.add(0, 0, 0, Probability(1.0), 5.0);
  table.add(0, 2, 1, Probability(1.0), 2.0);
  table.add(1, 1, 2, Probability(1.0), 3.0);
  return Mdp::build(std::move(table));
}

TEST(QLearning, UsesEachStatesOwnActionsAndGivesTheEndValueZero) {
  QLearning learner(three_states(), Mean(), 1.0, PolynomialStep(1.0, 1.0, 1.0));
  EXPECT_EQ(learner.update(1, 1, 3.0, 2), LearnerStatus::ok);  // Q(1, 1) = 3
  EXPECT_EQ(learner.update(0, 2, 2.0, 1), LearnerStatus::ok);  // Q(0, 2) = 2 + 3
  EXPECT_EQ(learner.update(0, 0, 5.0, 0), LearnerStatus::ok);  // Q(0, 0) = 5 + min(0, 5)
  EXPECT_THAT(learner.q().all(), ElementsAre(5, 5, 3));
  EXPECT_THAT(learner.values(), ElementsAre(5, 3, 0));
  EXPECT_THAT(learner.policy(), ElementsAre(0, 1, no_action));  // tie: the smaller action
  EXPECT_EQ(learner.update(0, 0, 5.0, 0), LearnerStatus::ok);   // half the way to 5 + 5
  EXPECT_THAT(learner.q().all(), ElementsAre(7.5, 5, 3));
  EXPECT_THAT(learner.policy(), ElementsAre(2, 1, no_action));
  EXPECT_THAT(learner.visits(), ElementsAre(2, 1, 1));
}

/// Both rows of state 0 and that of state 1 use the Q from before the sweep.
TEST(QLearning, SweepsFromTheTableBeforeTheSweep) {
  const Mdp model = three_states();
  const MdpSampler sampler(model);
  QLearning learner(model, Mean(), 1.0, ConstantStep(1.0));
  pcg64 bits(1);
  EXPECT_EQ(learner.sweep(sampler, bits), LearnerStatus::ok);
  EXPECT_THAT(learner.q().all(), ElementsAre(5, 2, 3));
  EXPECT_EQ(learner.sweep(sampler, bits), LearnerStatus::ok);
  EXPECT_THAT(learner.q().all(), ElementsAre(7, 5, 3));
  EXPECT_EQ(learner.sweep(sampler, bits), LearnerStatus::ok);
  EXPECT_THAT(learner.q().all(), ElementsAre(10, 5, 3));
}

TEST(QLearning, WithOneActionPerStateIsStochasticValueIteration) {
  const Mdp model = library::boyan_chain();
  const MdpSampler sampler(model);
  const AnyLoss loss = AnyLoss::parse("expectile:0.8");
  QLearning learner(model, loss, 1.0);
  AsynchronousValueIteration iteration(14, loss, 1.0);
  pcg64 bits(2);
  StateIndex x = 0;
  for (int n = 0; n < 5000; ++n) {
    if (sampler.is_terminal(x)) x = 0;
    pcg64 same = bits;
    same();  // the choice of an action
    const Step<StateIndex> drawn = sampler.step(x, 0, same);
    ASSERT_EQ(iteration.update(x, drawn.cost, drawn.next), LearnerStatus::ok);
    x = learner.step(sampler, x, UniformExploration{}, bits);
    ASSERT_EQ(x, drawn.next);
  }
  EXPECT_THAT(learner.values(), ::testing::ElementsAreArray(iteration.values()));
}

TEST(EpsilonGreedy, TakesEachActionWithItsProbability) {
  pcg64 generator(6);
  const Mdp model =
      library::random_mdp({.states = 2, .actions = 4, .features = 1}, generator).model;
  ActionValues q(model);
  for (std::size_t row = 0; row < 8; ++row) q[row] = row == 2 || row == 7 ? -1.0 : 1.0;
  pcg64 bits(1);
  std::vector<int> counts(8, 0);
  for (int n = 0; n < 20'000; ++n) ++counts[EpsilonGreedy(0.2)(q, 1, bits)];
  EXPECT_THAT(std::vector<int>(counts.begin(), counts.begin() + 4), ElementsAre(0, 0, 0, 0));
  for (std::size_t row = 4; row < 8; ++row) {
    const double p = row == 7 ? 0.85 : 0.05;
    EXPECT_NEAR(counts[row], 20'000 * p, 4.0 * std::sqrt(20'000 * p * (1.0 - p)));
  }
  for (int n = 0; n < 100; ++n) EXPECT_EQ(EpsilonGreedy(0.0)(q, 0, bits), 2);
}

TEST(QLearning, ReportsDivergenceAndKeepsItsTable) {
  const Mdp model = three_states();
  const MdpSampler sampler(model);
  QLearning learner(model, Mean(), 0.5, ConstantStep(6.0));
  pcg64 bits(1);
  int sweeps = 0;
  while (learner.sweep(sampler, bits) == LearnerStatus::ok) ASSERT_LT(++sweeps, 100);
  EXPECT_GT(sweeps, 5);
  EXPECT_EQ(learner.status(), LearnerStatus::diverged);
  const std::vector<double> before(learner.q().all().begin(), learner.q().all().end());
  // Σ γᵏ max |c| is 10, and a number may be 10⁸ times that.
  for (const double q : before) EXPECT_LE(std::abs(q), 10.0 * divergence_factor);
  EXPECT_EQ(learner.sweep(sampler, bits), LearnerStatus::diverged);
  EXPECT_EQ(learner.update(0, 0, 1.0, 1), LearnerStatus::diverged);
  EXPECT_THAT(learner.q().all(), ::testing::ElementsAreArray(before));
}

TEST(QLearning, RejectsInvalidStatesActionsAndRates) {
  QLearning learner(three_states(), Mean(), 1.0);
  EXPECT_THAT([&] { (void)learner.update(0, 1, 1.0, 0); },
              ThrowsMessage<InvalidInput>(HasSubstr("state 0 has no action 1")));
  EXPECT_THAT([&] { (void)learner.update(2, 0, 1.0, 0); },
              ThrowsMessage<InvalidInput>(HasSubstr("state 2 has no action 0")));
  EXPECT_THAT([&] { (void)learner.update(0, 0, 1.0, 3); },
              ThrowsMessage<InvalidInput>(HasSubstr("no state 3; accepted: a number below 3")));
  EXPECT_THAT([&] { (void)learner.update(3, 0, 1.0, 0); },
              ThrowsMessage<InvalidInput>(HasSubstr("no state 3")));
  const MdpSampler another(library::boyan_chain());
  pcg64 bits(1);
  EXPECT_THAT([&] { (void)learner.sweep(another, bits); },
              ThrowsMessage<InvalidInput>(
                  HasSubstr("a model with 14 states; accepted: the learned model, with 3")));
  EXPECT_THAT([&] { learner.step(another, 0, UniformExploration{}, bits); },
              ThrowsMessage<InvalidInput>(HasSubstr("a model with 14 states")));
  const MdpSampler forest(library::forest());
  EXPECT_THAT([&] { (void)learner.sweep(forest, bits); },
              ThrowsMessage<InvalidInput>(HasSubstr("has no action 2")));
  EXPECT_THAT([] { EpsilonGreedy(1.5); },
              ThrowsMessage<InvalidInput>(HasSubstr("epsilon = 1.5; accepted")));
  EXPECT_THAT([] { QLearning(three_states(), Mean(), 2.0); },
              ThrowsMessage<InvalidInput>(HasSubstr("gamma = 2")));
}

}  // namespace
}  // namespace shortfall::learn
