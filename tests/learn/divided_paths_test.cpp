#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/learn/sampled_evaluation_for_tests.hpp"
#include "tests/mdp/chains_for_tests.hpp"

/// One path, cut into trajectories, and trajectories that are discarded when they are singular.
namespace shortfall::learn::divided_paths {
namespace {

EvaluationOptions divided_td(std::size_t trajectories) {
  EvaluationOptions options = options_of(Algorithm::td);
  options.steps = EvaluationOptions::Steps::given;
  options.learner.step = ConstantStep(0.02);
  options.features = FeatureChange::none;
  options.restart = 0.0;
  options.paths = EvaluationOptions::Paths::divided;
  options.trajectories = trajectories;
  return options;
}

/// TD along one path, which begins anew with the initial weights after each piece.
TEST(DividedPath, GoesOnWhereTheLastTrajectoryEnded) {
  const Chain chain = random_chain();
  const ChainSampler sampler(chain);
  const StartAt<StateIndex> start{2};
  const EvaluationOptions options = divided_td(4);
  const std::vector<double> guess{1, 2, 3, 4, 5, 6};
  const Evaluation found = evaluate_from_samples(Simulation{sampler, six, start}, guess, options);
  std::vector<double> mean(6, 0.0);
  pcg64 bits = stream_generator(options.seed, 0);
  Trajectory path(sampler, start, bits);
  for (int r = 0; r < 4; ++r) {
    std::vector<double> theta = guess;
    for (int n = 0; n < 1000; ++n) {
      const auto [x, cost, next, ends, restarts] = path.step(bits);
      theta[x] += 0.02 * options.learner.loss.at(cost + gamma_here * theta[next] - theta[x]).value;
    }
    for (std::size_t j = 0; j < 6; ++j) mean[j] += theta[j] / 4.0;
  }
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(found.theta[j], mean[j], 1e-12 * std::abs(mean[j]));
  }
  EXPECT_EQ(found.used, 4);
}

TEST(DividedPath, OfOnePieceIsASeparateOne) {
  EvaluationOptions options = divided_td(1);
  const std::vector<double> divided = evaluate(random_chain(), six, options).theta;
  options.paths = EvaluationOptions::Paths::separate;
  EXPECT_EQ(evaluate(random_chain(), six, options).theta, divided);
}

TEST(DividedPath, IsTheSameForAnyNumberOfThreads) {
  const EvaluationOptions options = divided_td(7);
  const std::vector<double> one = evaluate(random_chain(), six, options, {}, {.threads = 1}).theta;
  EXPECT_EQ(evaluate(random_chain(), six, options, {}, {.threads = 3}).theta, one);
}

TEST(DividedPath, CanBeStoppedBeforeItIsCut) {
  EvaluationOptions options = divided_td(4);
  options.samples = 400'000;
  std::size_t calls = 0;
  const Monitor monitor = [&](const Progress& progress) {
    EXPECT_EQ(progress.done, 0);
    return ++calls == 3 ? Request::stop : Request::proceed;
  };
  const Evaluation found = evaluate(random_chain(), six, options, {}, {.monitor = monitor});
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(found.stopped, 4);
  EXPECT_EQ(found.used, 0);
}

/// State 0 leads to 1 or, once in 300 steps or so, to 2, and both lead back. A warm-up without a
/// visit to 2 has a singular matrix, which a later visit mends.
TEST(SingularTrajectories, AreDiscardedAtTheEndOfTheWarmUpOrGoOn) {
  const Chain chain =
      testing::chain_of({{{0.995, 1, 1.0}, {0.005, 2, 1.0}}, {{1.0, 0, 2.0}}, {{1.0, 0, 3.0}}});
  const ChainSampler sampler(chain);
  const features::Tabular three(3);
  const StartAt<StateIndex> start{0};
  EvaluationOptions options = options_of(Algorithm::newton, Mean{});
  options.features = FeatureChange::none;
  options.restart = 0.0;
  options.trajectories = 20;
  options.samples = 20 * 4000;
  options.learner.newton = {.warmup = 300, .variant = NewtonVariant::as_published};
  std::size_t unseen_at_first = 0;
  for (std::uint64_t r = 0; r < 20; ++r) {
    pcg64 bits = stream_generator(options.seed, r);
    Trajectory path(sampler, start, bits);
    bool is_seen = false;
    for (int n = 0; n < 300; ++n) is_seen = path.step(bits).x == 2 || is_seen;
    unseen_at_first += is_seen ? 0 : 1;
  }
  ASSERT_GT(unseen_at_first, 3);  // of 20 with probability 0.995^150 = 0.47 each
  ASSERT_LT(unseen_at_first, 17);
  const auto run = [&] {
    return evaluate_from_samples(Simulation{sampler, three, start}, {}, options);
  };
  const Evaluation waited = run();
  EXPECT_EQ(waited.singular, 0);
  EXPECT_EQ(waited.used, 20);
  options.singular = EvaluationOptions::Singular::discarded;
  const Evaluation discarded = run();
  EXPECT_EQ(discarded.singular, unseen_at_first);
  EXPECT_EQ(discarded.used, 20 - unseen_at_first);
}

}  // namespace
}  // namespace shortfall::learn::divided_paths
