#include "shortfall/learn/stochastic_value_iteration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/trajectory.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "tests/learn/approximation_bias.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::learn {
namespace {

using ::shortfall::testing::BiasBound;
using ::shortfall::testing::chain_of;
using ::shortfall::testing::replications;
using ::shortfall::testing::Spread;
using ::shortfall::testing::standard_errors;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// The model under the policy that takes each action of a state equally often.
Chain mixed(const Mdp& model) {
  RandomisedPolicy policy;
  for (std::size_t x = 0; x < model.states(); ++x) {
    const std::size_t count = model.action_count(x);
    policy.weight.insert(policy.weight.end(), count, 1.0 / static_cast<double>(count));
  }
  return under_policy(model, policy, InducedCost::mixture);
}

/// Bound on the bias after n updates of each state.
double bias_bound(const BiasBound& bound, const Chain& chain, std::span<const double> exact,
                  std::span<const double> deviation, std::uint64_t n) {
  std::vector<BiasBound::Entry> entries;
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (chain.is_terminal(x)) continue;
    const Outcomes::Row law = chain.law(x);
    BiasBound::Entry& entry = entries.emplace_back();
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      const StateIndex next = law.next[i];
      bound.add(entry, law.probability[i], law.cost[i] + bound.gamma() * exact[next] - exact[x],
                bound.gamma() * deviation[next] + deviation[x]);
    }
  }
  return bound.after(n, testing::largest(exact), entries);
}

/// Checks that the mean over replications is the exact value, up to statistical error and bias, and
/// that these are at most a seventh of the largest value, so that the test is conclusive.
void expect_mean(const std::vector<std::vector<double>>& runs, const Chain& chain,
                 const Criterion& criterion, std::uint64_t n, const std::string& label) {
  const Solution exact = evaluate_by_newton(chain, criterion, {.tolerance = 1e-9});
  const Spread found(runs);
  const BiasBound bound(criterion.loss, criterion.gamma);
  const double bias = bias_bound(bound, chain, exact.values, found.deviation, n);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    const double tolerance = standard_errors * found.standard_error[x] + bias + exact.error_bound;
    EXPECT_NEAR(found.mean[x], exact.values[x], tolerance) << label << ", state " << x;
    EXPECT_LE(tolerance, 1e-9 + testing::largest(exact.values) / 7.0) << label << ", state " << x;
  }
}

std::vector<double> copy(std::span<const double> values) {
  return {values.begin(), values.end()};
}

const std::vector<std::string> specs{"mean", "expectile:0.9", "soft-quantile:0.8,2"};

TEST(SynchronousValueIteration, ReachesTheExactValueOfEveryLibraryModel) {
  constexpr std::uint64_t sweeps = 4000;
  constexpr double gamma = 0.5;
  for (const auto& [name, model] : library::small_models()) {
    const Chain chain = mixed(model);
    const ChainSampler sampler(chain);
    for (const auto& spec : specs) {
      // A rare reward of 10000, and a loss that weights gains by 1/10: too few samples to
      // be conclusive.
      if (name.starts_with("river swim") && spec != "mean") continue;
      const AnyLoss loss = AnyLoss::parse(spec);
      std::vector<std::vector<double>> runs;
      for (std::size_t r = 0; r < replications; ++r) {
        pcg64 bits(17, r);
        SynchronousValueIteration iteration(chain.states(), loss, gamma,
                                            BiasBound(loss, gamma).step());
        for (std::uint64_t n = 0; n < sweeps; ++n) {
          ASSERT_EQ(iteration.sweep(sampler, bits), LearnerStatus::ok);
        }
        runs.push_back(copy(iteration.values()));
      }
      expect_mean(runs, chain, {loss, gamma}, sweeps, name + ", " + spec);
    }
  }
}

/// The order of states is the same in all replications, so that given the order only the outcomes
/// are random and the bound on the bias applies. State x is updated 1 + x mod 3 times per round.
TEST(AsynchronousValueIteration, ReachesTheExactValueIfStatesAreVisitedUnequally) {
  constexpr std::uint64_t rounds = 4000;
  constexpr double gamma = 0.5;
  pcg64 generator(4);
  const auto random = library::random_mdp({}, generator);
  for (const Chain& chain : {under_policy(random.model, random.policy), mixed(library::forest()),
                             mixed(library::machine_replacement())}) {
    const ChainSampler sampler(chain);
    for (const auto& spec : specs) {
      const AnyLoss loss = AnyLoss::parse(spec);
      std::vector<std::vector<double>> runs;
      for (std::size_t r = 0; r < replications; ++r) {
        pcg64 bits(23, r);
        AsynchronousValueIteration iteration(chain.states(), loss, gamma,
                                             BiasBound(loss, gamma).step());
        for (std::uint64_t n = 0; n < rounds; ++n) {
          for (StateIndex x = 0; x < chain.states(); ++x) {
            for (StateIndex again = 0; again <= x % 3; ++again) {
              const auto [cost, next] = sampler.step(x, bits);
              ASSERT_EQ(iteration.update(x, cost, next), LearnerStatus::ok);
            }
          }
        }
        EXPECT_EQ(iteration.visits()[2], 3 * rounds);
        runs.push_back(copy(iteration.values()));
      }
      expect_mean(runs, chain, {loss, gamma}, rounds, spec);
    }
  }
}

/// Along trajectories that end, undiscounted: V(s) = 2 (13 - s). With a linear loss the mean of an
/// iterate is biased by the start alone. A step of 1 / n^0.7 forgets its first half in n updates up
/// to exp(-n^0.3), here below e^-13 for the 3000 visits of the least visited state and each of the
/// 13 states that errors pass through: a hundred-thousandth in all.
TEST(AsynchronousValueIteration, LearnsFromEpisodesWithoutDiscount) {
  const Chain chain = under_policy(library::boyan_chain(),
                                   Policy{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, no_action});
  const ChainSampler sampler(chain);
  std::vector<std::vector<double>> runs;
  for (std::size_t r = 0; r < replications; ++r) {
    pcg64 bits(31, r);
    AsynchronousValueIteration iteration(14, Mean(), 1.0, PolynomialStep(1.0, 1.0, 0.7));
    Trajectory path(sampler, StartAt{StateIndex{0}}, bits);
    std::size_t episodes = 0;
    while (episodes < 10'000) {
      const auto [x, cost, next, ends, restarts] = path.step(bits);
      ASSERT_EQ(iteration.update(x, cost, next), LearnerStatus::ok);
      if (ends) ++episodes;
    }
    EXPECT_GT(iteration.visits()[1], 3000);
    EXPECT_EQ(iteration.visits()[13], 0);
    runs.push_back(copy(iteration.values()));
  }
  const Spread found(runs);
  for (std::size_t s = 0; s < 14; ++s) {
    const double tolerance = standard_errors * found.standard_error[s] + 26.0 * 1e-5;
    EXPECT_NEAR(found.mean[s], 2.0 * (13.0 - static_cast<double>(s)), tolerance);
    EXPECT_LT(tolerance, 0.15);
  }
}

TEST(SynchronousValueIteration, IsTheAverageOfCostsAtGammaZero) {
  const Chain chain = chain_of({{{0.5, 0, 1.0}, {0.25, 1, 7.0}, {0.25, 1, -4.0}}, {{1.0, 0, 0.1}}});
  const ChainSampler sampler(chain);
  SynchronousValueIteration iteration(2, Mean(), 0.0, PolynomialStep(1.0, 1.0, 1.0));
  pcg64 bits(3);
  pcg64 same(3);
  double sum = 0.0;
  for (int n = 1; n <= 1000; ++n) {
    ASSERT_EQ(iteration.sweep(sampler, bits), LearnerStatus::ok);
    sum += sampler.step(0, same).cost;
    (void)sampler.step(1, same);
    // Each of n updates rounds to a few ε of numbers up to 7.
    const double tolerance = 4.0 * n * 7.0 * std::numeric_limits<double>::epsilon();
    ASSERT_NEAR(iteration.values()[0], sum / n, tolerance);
    ASSERT_NEAR(iteration.values()[1], 0.1, tolerance);
  }
}

/// One state and costs ±1, γ = 1/2: the error follows e ← (1 - η/2) e + η ξ, so that its variance
/// is known at every n. The sum of 400 squares, divided by it, is χ² with 400 degrees of freedom:
/// 400 with deviation √800.
TEST(SynchronousValueIteration, HasTheVarianceOfALinearRecursion) {
  const ChainSampler sampler(chain_of({{{0.5, 0, 1.0}, {0.5, 0, -1.0}}}));
  constexpr int sweeps = 300;
  double variance = 0.0;
  PolynomialStep step;
  for (std::uint64_t n = 0; n < sweeps; ++n) {
    const double eta = step(n);
    variance = (1.0 - eta / 2.0) * (1.0 - eta / 2.0) * variance + eta * eta;
  }
  double squares = 0.0;
  for (std::size_t r = 0; r < 400; ++r) {
    pcg64 bits(7, r);
    SynchronousValueIteration iteration(1, Mean(), 0.5, step);
    for (int n = 0; n < sweeps; ++n) ASSERT_EQ(iteration.sweep(sampler, bits), LearnerStatus::ok);
    squares += iteration.values()[0] * iteration.values()[0];
  }
  EXPECT_NEAR(squares / variance, 400.0, 4.0 * std::sqrt(800.0));
}

TEST(SynchronousValueIteration, IsThePlainLoopBitForBit) {
  const Chain chain = mixed(library::forest());
  const ChainSampler sampler(chain);
  const AnyLoss loss = AnyLoss::parse("soft-quantile:0.3,0.5");
  SynchronousValueIteration iteration(3, loss, 0.9);
  pcg64 bits(9);
  pcg64 same(9);
  std::vector<double> values(3, 0.0);
  for (int n = 0; n < 500; ++n) {
    ASSERT_EQ(iteration.sweep(sampler, bits), LearnerStatus::ok);
    const std::vector<double> before = values;
    const double eta = PolynomialStep()(static_cast<std::uint64_t>(n));
    for (StateIndex x = 0; x < 3; ++x) {
      const auto [cost, next] = sampler.step(x, same);
      values[x] = before[x] + eta * loss.at(cost + 0.9 * before[next] - before[x]).value;
    }
    ASSERT_EQ(copy(iteration.values()), values);
  }
  EXPECT_EQ(iteration.sweeps(), 500);
}

TEST(AsynchronousValueIteration, TakesTheStepOfTheVisitsOfItsState) {
  AsynchronousValueIteration iteration(3, Mean(), 0.5, PolynomialStep(1.0, 1.0, 1.0));
  EXPECT_EQ(iteration.update(0, 4.0, 1), LearnerStatus::ok);  // η = 1
  EXPECT_THAT(iteration.values(), ElementsAre(4, 0, 0));
  EXPECT_EQ(iteration.update(0, 8.0, 1), LearnerStatus::ok);  // η = 1/2
  EXPECT_THAT(iteration.values(), ElementsAre(6, 0, 0));
  EXPECT_EQ(iteration.update(1, 1.0, 0), LearnerStatus::ok);  // η = 1, of 1 + 6/2
  EXPECT_THAT(iteration.values(), ElementsAre(6, 4, 0));
  EXPECT_THAT(iteration.visits(), ElementsAre(2, 1, 0));
}

/// With η = 6 and γ = 1/2 the error of ℓ(x) = x is multiplied by 1 - η (1-γ) = -2 in each step. It
/// counts as divergence once it exceeds 10⁸ times c / (1-γ).
TEST(StochasticValueIteration, ReportsDivergenceAtOnceAndKeepsItsValues) {
  AsynchronousValueIteration iteration(1, Mean(), 0.5, ConstantStep(6.0));
  double by_hand = 0.0;
  int n = 0;
  while (true) {
    const double next = by_hand + 6.0 * (1.0 + 0.5 * by_hand - by_hand);
    const LearnerStatus status = iteration.update(0, 1.0, 0);
    if (std::abs(next) > divergence_factor * 2.0) {
      EXPECT_EQ(status, LearnerStatus::diverged);
      break;
    }
    ASSERT_EQ(status, LearnerStatus::ok);
    by_hand = next;
    ASSERT_LT(++n, 100);
  }
  EXPECT_GT(n, 10);
  EXPECT_EQ(iteration.values()[0], by_hand);
  EXPECT_EQ(iteration.update(0, 1.0, 0), LearnerStatus::diverged);
  EXPECT_EQ(iteration.values()[0], by_hand);
  EXPECT_EQ(iteration.visits()[0], static_cast<std::uint64_t>(n));
}

TEST(StochasticValueIteration, TreatsAnOverflowingExponentialAsDivergence) {
  const ChainSampler sampler(chain_of({{{1.0, 0, 1.0}}, {{1.0, 1, 2000.0}}}));
  SynchronousValueIteration iteration(2, Entropic(1.0), 0.5, ConstantStep(0.1));
  pcg64 bits(1);
  EXPECT_EQ(iteration.sweep(sampler, bits), LearnerStatus::diverged);
  EXPECT_EQ(iteration.status(), LearnerStatus::diverged);
  EXPECT_THAT(iteration.values(), ElementsAre(0.0, 0.0));
  EXPECT_EQ(iteration.sweeps(), 0);
}

TEST(StochasticValueIteration, DoesNotTreatASmallStartAsDivergence) {
  AsynchronousValueIteration iteration(2, Mean(), 0.9, ConstantStep(1.0));
  EXPECT_EQ(iteration.update(0, 0.0, 1), LearnerStatus::ok);
  EXPECT_EQ(iteration.update(0, 1e-300, 1), LearnerStatus::ok);
  EXPECT_EQ(iteration.update(1, 1e300, 0), LearnerStatus::ok);
  EXPECT_EQ(iteration.update(0, -1e300, 1), LearnerStatus::ok);
}

TEST(StochasticValueIteration, RejectsInvalidStatesCostsAndDiscounts) {
  AsynchronousValueIteration iteration(2, Mean(), 1.0);
  EXPECT_THAT([&] { (void)iteration.update(2, 1.0, 0); },
              ThrowsMessage<InvalidInput>(HasSubstr("no state 2; accepted: a number below 2")));
  EXPECT_THAT([&] { (void)iteration.update(0, 1.0, 5); },
              ThrowsMessage<InvalidInput>(HasSubstr("no state 5")));
  EXPECT_THAT([&] { (void)iteration.update(0, std::nan(""), 1); },
              ThrowsMessage<InvalidInput>(HasSubstr("the cost is nan; accepted: a finite number")));
  EXPECT_EQ(iteration.status(), LearnerStatus::ok);
  EXPECT_THAT([] { AsynchronousValueIteration(2, Mean(), 1.01); },
              ThrowsMessage<InvalidInput>(HasSubstr("gamma = 1.01; accepted: a number from 0 to")));
  EXPECT_THAT([] { SynchronousValueIteration(2, Mean(), -0.1); },
              ThrowsMessage<InvalidInput>(HasSubstr("gamma = -0.1")));
  SynchronousValueIteration small(1, Mean(), 0.5);
  const ChainSampler sampler(chain_of({{{1.0, 1, 1.0}}, {{1.0, 0, 1.0}}}));
  pcg64 bits(1);
  EXPECT_THAT([&] { (void)small.sweep(sampler, bits); },
              ThrowsMessage<InvalidInput>(HasSubstr("no state 1; accepted: a number below 1")));
}

TEST(Trajectory, RestartsAfterItsEndAndReportsIt) {
  const Chain chain = chain_of({{{1.0, 1, 1.0}}, {{1.0, 2, 2.0}}, {}});
  const ChainSampler sampler(chain);
  pcg64 bits(1);
  Trajectory path(sampler, StartAt{StateIndex{0}}, bits);
  const auto first = path.step(bits);
  EXPECT_EQ(first.x, 0);
  EXPECT_EQ(first.cost, 1.0);
  EXPECT_EQ(first.next, 1);
  EXPECT_FALSE(first.ends);
  const auto second = path.step(bits);
  EXPECT_EQ(second.x, 1);
  EXPECT_EQ(second.next, 2);
  EXPECT_TRUE(second.ends);
  EXPECT_EQ(path.state(), 0);
}

TEST(Trajectory, DrawsItsStartsFromTheGivenLaw) {
  const ChainSampler sampler(chain_of({{{1.0, 2, 1.0}}, {{1.0, 2, 2.0}}, {}}));
  const StartLaw law(std::vector{0.25, 0.75, 0.0});
  pcg64 bits(1);
  Trajectory path(sampler, law, bits);
  int ones = 0;
  for (int n = 0; n < 10'000; ++n) ones += path.step(bits).x == 1 ? 1 : 0;
  // Binomial with deviation √(10000 · 3/16).
  EXPECT_NEAR(ones, 7500, 4.0 * std::sqrt(10'000 * 3.0 / 16.0));
}

TEST(Trajectory, RejectsATerminalStart) {
  const ChainSampler sampler(chain_of({{{1.0, 1, 1.0}}, {}}));
  pcg64 bits(1);
  EXPECT_THAT([&] { Trajectory(sampler, StartAt{StateIndex{1}}, bits); },
              ThrowsMessage<InvalidInput>(HasSubstr("starts in a terminal state")));
}

}  // namespace
}  // namespace shortfall::learn
