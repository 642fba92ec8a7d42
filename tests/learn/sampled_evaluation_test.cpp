#include "shortfall/learn/sampled_evaluation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pcg_random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/features/dense.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/learn/summary.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "tests/learn/sampled_evaluation_for_tests.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::learn {
namespace {

using ::testing::Each;

/// Compares lists of six values, one list per state, with the exact ones: the mean over seeds is
/// off by its standard error, estimated from the spread. Allows 5 of them, since the estimate from
/// ten seeds is itself off by a quarter; small compared with the differences between states.
void expect_unbiased(const std::vector<std::vector<double>>& found,
                     const std::vector<double>& exact) {
  const auto [low, high] = std::ranges::minmax(exact);
  for (std::size_t x = 0; x < found.size(); ++x) {
    const Summary summary = summarise(found[x]);
    EXPECT_NEAR(summary.mean, exact[x], 5.0 * summary.standard_error) << "state " << x;
    EXPECT_LT(summary.standard_error, 0.02 * (high - low)) << "state " << x;
  }
}

/// With steps n^(-2/3), iterates spread about the root with a variance of that order, and the bias
/// is of the same order if the loss is curved: 4 times smaller with 8 times the samples. The
/// combination of both has none of that order. The initial guess is forgotten in a first round.
TEST(EvaluationFromSamples, ByTdFindsTheExactValuesWithOneFeaturePerState) {
  const Chain chain = random_chain();
  for (const char* spec : {"mean", "expectile:0.8", "entropic:0.05"}) {
    EvaluationOptions options = options_of(Algorithm::td, AnyLoss::parse(spec));
    const Solution exact =
        evaluate_by_newton(chain, {options.learner.loss, gamma_here}, {.tolerance = 1e-9});
    std::vector<std::vector<double>> found(6);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto run = [&](std::size_t samples, std::uint64_t use, const auto& guess) {
        options.samples = samples;
        options.seed = 10 * seed + use;
        const Evaluation result = evaluate(chain, six, options, guess);
        EXPECT_EQ(result.used, 4);
        return result.theta;
      };
      const std::vector<double> brief = run(4000, 1, run(4000, 0, std::vector<double>{}));
      const std::vector<double> longer = run(32'000, 2, brief);
      for (std::size_t x = 0; x < 6; ++x) {
        found[x].push_back((4.0 * longer[x] - brief[x]) / 3.0);
      }
    }
    SCOPED_TRACE(spec);
    expect_unbiased(found, exact.values);
  }
}

/// Newton's warm-up is at the guess and leaves an error in proportion to its share of the samples,
/// which a few rounds make arbitrarily small.
TEST(EvaluationFromSamples, ByNewtonFindsTheExactValuesWithOneFeaturePerState) {
  const Chain chain = random_chain();
  for (const char* spec : {"mean", "expectile:0.8", "entropic:0.05"}) {
    EvaluationOptions options = options_of(Algorithm::newton, AnyLoss::parse(spec));
    options.samples = 12'000;
    const Solution exact =
        evaluate_by_newton(chain, {options.learner.loss, gamma_here}, {.tolerance = 1e-9});
    std::vector<std::vector<double>> found(6);
    for (options.seed = 1; options.seed <= 10; ++options.seed) {
      std::vector<double> theta;
      for (int round = 0; round < 4; ++round) {
        const Evaluation result = evaluate(chain, six, options, theta);
        ASSERT_EQ(result.used, 4);
        theta = result.theta;
      }
      for (std::size_t x = 0; x < 6; ++x) found[x].push_back(theta[x]);
    }
    SCOPED_TRACE(spec);
    expect_unbiased(found, exact.values);
  }
}

/// Boyan's chain ends, and its value c (13, 9, 5, 1) is exact for every loss at γ = 1.
TEST(EvaluationFromSamples, GivesTheEndValueZero) {
  const AnyLoss loss = Expectile(0.7);
  const double c = library::boyan_final_cost(loss);
  const Chain chain = under_policy(library::boyan_chain(c), [] {
    Policy only(library::boyan_states, 0);
    only.back() = no_action;
    return only;
  }());
  const ChainSampler sampler(chain);
  const features::Dense map(library::boyan_features());
  EvaluationOptions options = options_of(Algorithm::newton, loss);
  options.learner.gamma = 1.0;
  options.samples = 8000;
  std::vector<std::vector<double>> found(4);
  for (options.seed = 1; options.seed <= 10; ++options.seed) {
    std::vector<double> theta;
    for (int round = 0; round < 3; ++round) {
      theta =
          evaluate_from_samples(Simulation{sampler, map, StartAt{StateIndex{0}}}, theta, options)
              .theta;
    }
    for (std::size_t j = 0; j < 4; ++j) found[j].push_back(theta[j]);
  }
  expect_unbiased(found, {13.0 * c, 9.0 * c, 5.0 * c, c});
}

/// Powers of two change only the exponents, as long as nothing has a scale of its own.
TEST(EvaluationFromSamples, DoesNotDependOnTheUnitOfCost) {
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
    for (const char* spec : {"mean", "expectile:0.8"}) {
      const EvaluationOptions options = options_of(algorithm, AnyLoss::parse(spec));
      const std::vector<double> guess{10, 20, 30, 40, 50, 60};
      const Evaluation one = evaluate(random_chain(), six, options, guess);
      const Evaluation binary =
          evaluate(random_chain(1024.0), six, options, {10240, 20480, 30720, 40960, 51200, 61440});
      const Evaluation decimal =
          evaluate(random_chain(1000.0), six, options, {10000, 20000, 30000, 40000, 50000, 60000});
      EXPECT_EQ(binary.change, 1024.0 * one.change);
      for (std::size_t x = 0; x < 6; ++x) {
        EXPECT_EQ(binary.theta[x], 1024.0 * one.theta[x]) << spec;
        // A thousand contracting steps, each with a few roundings.
        EXPECT_NEAR(decimal.theta[x] / 1000.0, one.theta[x], 1e-11 * std::abs(one.theta[x]));
      }
    }
  }
}

TEST(EvaluationFromSamples, DoesNotDependOnTheScaleOfFeatures) {
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
    const EvaluationOptions options = options_of(algorithm);
    const Evaluation one = evaluate(random_chain(), six, options);
    const auto scaled = [&](const Eigen::VectorXd& scales) {
      const Eigen::MatrixXd phi = scales.asDiagonal();
      return evaluate(random_chain(), features::Dense(phi), options).theta;
    };
    Eigen::VectorXd powers(6);
    powers << 1.0, 0.0625, 64.0, 1024.0, 0x1.0p-40, 2.0;
    const Eigen::VectorXd others = 1000.0 * powers;
    const std::vector<double> binary = scaled(powers);
    const std::vector<double> decimal = scaled(others);
    for (std::size_t x = 0; x < 6; ++x) {
      const auto j = static_cast<Eigen::Index>(x);
      EXPECT_EQ(binary[x] * powers(j), one.theta[x]);
      EXPECT_NEAR(decimal[x] * others(j), one.theta[x], 1e-11 * std::abs(one.theta[x]));
    }
  }
}

TEST(EvaluationFromSamples, IsBitwiseIdenticalForAnyNumberOfThreads) {
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::td_lambda, Algorithm::newton}) {
    EvaluationOptions options = options_of(algorithm);
    options.trajectories = 7;
    options.learner.lambda = 0.5;
    const Evaluation one = evaluate(random_chain(), six, options, {}, {.threads = 1});
    for (const int threads : {2, 3, 0}) {
      const Evaluation other = evaluate(random_chain(), six, options, {}, {.threads = threads});
      EXPECT_EQ(one.theta, other.theta);
      EXPECT_EQ(one.change, other.change);
    }
    options.seed = 2;
    EXPECT_NE(one.theta, evaluate(random_chain(), six, options).theta);
  }
}

/// Second method: the path of the pilot and of two trajectories, and Td along them, by hand.
TEST(EvaluationFromSamples, IsTheMeanOfLearnersInOrthonormalFeaturesOfThePilot) {
  const Chain chain = random_chain();
  const ChainSampler sampler(chain);
  const StartAt<StateIndex> start{0};
  const PolynomialStep step(0.5, 30.0, 0.7);
  EvaluationOptions options = options_of(Algorithm::td);
  options.learner.step = step;
  options.steps = EvaluationOptions::Steps::given;
  options.samples = 601;  // 300 each
  options.trajectories = 2;
  options.pilot = 200;
  options.seed = 5;
  const std::vector<double> guess{1, 2, 3, 4, 5, 6};
  const Evaluation found = evaluate_from_samples(Simulation{sampler, six, start}, guess, options);

  const double p = 0.9 * (1.0 - gamma_here * gamma_here);
  std::vector<StateIndex> seen;
  pcg64 pilot_bits = stream_generator(5, 2);
  Trajectory pilot(sampler, start, pilot_bits, p);
  for (int n = 0; n < 200; ++n) seen.push_back(pilot.step(pilot_bits).x);
  const features::Orthonormal map(
      six, features::Orthonormalisation(features::Dense::of(six, seen), 1e-3));
  std::vector<double> mean(6, 0.0);
  for (const std::uint64_t r : {0U, 1U}) {
    pcg64 bits = stream_generator(5, r);
    Trajectory path(sampler, start, bits, p);
    Td<Expectile> td(6, Expectile(0.8), gamma_here, step);
    td.start_from(map.change().to_orthonormal(guess));
    std::vector<double> phi(6);
    std::vector<double> phi_next(6);
    for (int n = 0; n < 300; ++n) {
      const auto [x, cost, next, ends, restarts] = path.step(bits);
      map.write(x, phi);
      map.write(next, phi_next);
      ASSERT_EQ(td.update(phi, cost, phi_next), LearnerStatus::ok);
    }
    for (std::size_t j = 0; j < 6; ++j) mean[j] += td.theta()[j];
  }
  for (double& weight : mean) weight /= 2.0;
  const std::vector<double> expected = map.change().from_orthonormal(mean);
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(found.theta[j], expected[j], 1e-13 * std::abs(expected[j]));
  }

  // The change over the pilot's states. With a ridge of 0.001 weights count for 1.001 times their
  // mean square.
  double square = 0.0;
  for (const StateIndex x : seen) square += std::pow(found.theta[x] - guess[x], 2.0) / 200.0;
  EXPECT_GT(found.change, std::sqrt(square) * (1.0 - 1e-12));
  EXPECT_LT(found.change, std::sqrt(1.001 * square) * (1.0 + 1e-12));
}

TEST(EvaluationFromSamples, RestartsByDefaultWithTheDiscountStillBelowOne) {
  EvaluationOptions options = options_of(Algorithm::td);
  const std::vector<double> by_default = evaluate(random_chain(), six, options).theta;
  options.restart = 0.9 * (1.0 - gamma_here * gamma_here);
  EXPECT_EQ(evaluate(random_chain(), six, options).theta, by_default);
  options.restart = 0.0;
  EXPECT_NE(evaluate(random_chain(), six, options).theta, by_default);
}

/// State 0 leads to one of n states, at random, and each of these only to itself, at cost 1 + x.
Chain fan(StateIndex traps) {
  std::vector<std::vector<testing::Move>> rows(1 + traps);
  for (StateIndex y = 1; y <= traps; ++y) {
    rows[0].push_back({1.0 / traps, y, 0.0});
    rows[y].push_back({1.0, y, 1.0 + y});
  }
  return testing::chain_of(rows);
}

/// Without restarts a path visits state 0 once and one of two others from then on. The pilot's is
/// the one with features; trajectories trapped in the other have a singular matrix.
TEST(EvaluationFromSamples, CountsSingularTrajectoriesAndLeavesThemOut) {
  const ChainSampler sampler(fan(2));
  const features::Tabular three(3);
  const StartAt<StateIndex> start{0};
  EvaluationOptions options = options_of(Algorithm::newton, Mean{});
  options.trajectories = 9;
  options.samples = 9000;
  options.pilot = 100;
  options.restart = 0.0;
  const auto first_move = [&](std::uint64_t stream) {
    pcg64 bits = stream_generator(options.seed, stream);
    return sampler.step(0, bits).next;
  };
  const StateIndex seen = first_move(9);
  std::size_t elsewhere = 0;
  for (std::uint64_t r = 0; r < 9; ++r) {
    if (first_move(r) != seen) ++elsewhere;
  }
  ASSERT_GT(elsewhere, 0);
  ASSERT_LT(elsewhere, 9);
  std::vector<double> theta;
  for (int round = 0; round < 5; ++round) {
    const Evaluation found =
        evaluate_from_samples(Simulation{sampler, three, start}, theta, options);
    EXPECT_EQ(found.singular, elsewhere);
    EXPECT_EQ(found.used, 9 - elsewhere);
    EXPECT_EQ(found.diverged, 0);
    theta = found.theta;
  }
  // V = (1 + x) / (1 - γ). Without noise each round leaves a fraction of the error.
  EXPECT_NEAR(theta[seen], (1.0 + seen) / (1.0 - gamma_here), 1e-9);
}

TEST(EvaluationFromSamples, WithRestartsRevisitsTransientStates) {
  const ChainSampler sampler(fan(2));
  EvaluationOptions options = options_of(Algorithm::newton, Mean{});
  options.trajectories = 9;
  options.samples = 18'000;
  std::vector<double> theta;
  for (int round = 0; round < 8; ++round) {
    const Evaluation found = evaluate_from_samples(
        Simulation{sampler, features::Tabular(3), StartAt{StateIndex{0}}}, theta, options);
    EXPECT_EQ(found.used, 9);
    EXPECT_EQ(found.singular, 0);
    theta = found.theta;
  }
  EXPECT_NEAR(theta[1], 10.0, 1e-9);
  EXPECT_NEAR(theta[2], 15.0, 1e-9);
  // State 0 is visited after each start, in a fraction p of all steps: between 8 and 12 choices, of
  // deviation 2.
  const double p = 0.9 * (1.0 - gamma_here * gamma_here);
  EXPECT_NEAR(theta[0], 10.0, 4.0 * 2.0 / std::sqrt(18'000.0 * p));
}

TEST(EvaluationFromSamples, ReturnsTheInitialGuessIfNoTrajectoryCanBeUsed) {
  const ChainSampler sampler(fan(500));
  EvaluationOptions options = options_of(Algorithm::newton, Mean{});
  options.restart = 0.0;
  options.learner.newton.warmup = 600;
  std::vector<double> guess(501);
  for (std::size_t x = 0; x < 501; ++x) guess[x] = 0.1 * static_cast<double>(x);
  const Evaluation found = evaluate_from_samples(
      Simulation{sampler, features::Tabular(501), StartAt{StateIndex{0}}}, guess, options);
  EXPECT_EQ(found.used, 0);
  EXPECT_EQ(found.singular, 4);
  EXPECT_EQ(found.theta, guess);
  EXPECT_EQ(found.change, 0.0);
}

// Failures of policy evaluation from samples, and how they are reported.

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(EvaluationFromSamples, CountsTrajectoriesThatDiverge) {
  EvaluationOptions options = options_of(Algorithm::td);
  options.steps = EvaluationOptions::Steps::given;
  options.learner.step = ConstantStep(100.0);
  const Evaluation found = evaluate(random_chain(), six, options);
  EXPECT_EQ(found.diverged, 4);
  EXPECT_EQ(found.used, 0);
  EXPECT_THAT(found.theta, Each(0.0));
  options.learner.step = ConstantStep(0.01);
  EXPECT_EQ(evaluate(random_chain(), six, options).used, 4);
}

TEST(EvaluationFromSamples, RejectsInvalidOptions) {
  const auto expect_message = [](const char* part, auto change, std::size_t guess = 0) {
    EvaluationOptions options = options_of(Algorithm::newton);
    change(options);
    EXPECT_THAT(
        [&] { (void)evaluate(random_chain(), six, options, std::vector<double>(guess, 1.0)); },
        ThrowsMessage<InvalidInput>(HasSubstr(part)));
  };
  const auto nothing = [](EvaluationOptions&) {};
  expect_message("an initial guess of 5 weights; accepted: none, or 6", nothing, 5);
  expect_message("3 samples in 4 trajectories; accepted: at least one trajectory, and one sample",
                 [](auto& options) { options.samples = 3; });
  expect_message("4000 samples in 0 trajectories", [](auto& o) { o.trajectories = 0; });
  expect_message("a pilot of 0 samples; accepted: one or more", [](auto& o) { o.pilot = 0; });
  expect_message("restart probability = 1; accepted: a number in [0, 1)",
                 [](auto& options) { options.restart = 1.0; });
  expect_message("restart probability = -0.5", [](auto& options) { options.restart = -0.5; });
  expect_message("restart probability = nan",
                 [](auto& options) { options.restart = std::nan(""); });
  // 500 by default, in trajectories of 2000 / 4.
  expect_message("a warm-up of 500 samples in trajectories of 500; accepted: fewer than that",
                 [](auto& options) { options.samples = 2000; });
  expect_message("a warm-up of 1000 samples in trajectories of 1000",
                 [](auto& options) { options.learner.newton.warmup = 1000; });
  EvaluationOptions enough = options_of(Algorithm::newton);
  enough.samples = 2004;
  EXPECT_EQ(evaluate(random_chain(), six, enough).used, 4);
  EvaluationOptions td = options_of(Algorithm::td);
  td.samples = 4;  // TD has no warm-up
  EXPECT_EQ(evaluate(random_chain(), six, td).used, 4);
}

TEST(EvaluationFromSamples, PropagatesExceptionsOfATrajectory) {
  const ChainSampler sampler(testing::chain_of({{{1.0, 1, 1.0}}, {}}));
  EXPECT_THAT(
      [&] {
        (void)evaluate_from_samples(
            Simulation{sampler, features::Tabular(2), StartAt{StateIndex{1}}}, {},
            options_of(Algorithm::td));
      },
      ThrowsMessage<InvalidInput>(HasSubstr("starts in a terminal state")));
}

}  // namespace
}  // namespace shortfall::learn
