// Failures of policy evaluation from samples, and how they are reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "tests/learn/sampled_evaluation_for_tests.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::learn {
namespace {

using ::testing::Each;
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
