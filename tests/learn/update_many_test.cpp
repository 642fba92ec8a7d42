#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "shortfall/error.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "tests/learn/transitions_for_tests.hpp"

namespace shortfall::learn {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::size_t d = 3;

/// Transitions of which every seventh ends an episode.
struct Batch {
  explicit Batch(std::size_t count) {
    testing::RandomTransitions stream(d);
    for (std::size_t i = 0; i < count; ++i) {
      stream.advance();
      phi.insert(phi.end(), stream.phi().begin(), stream.phi().end());
      phi_next.insert(phi_next.end(), stream.phi_next().begin(), stream.phi_next().end());
      cost.push_back(stream.cost());
      terminal.push_back(i % 7 == 6 ? 1 : 0);
    }
  }
  Transitions transitions() const { return {phi, cost, phi_next, terminal}; }

  std::vector<double> phi, cost, phi_next;
  std::vector<std::uint8_t> terminal;
};

std::vector<LearnerOptions> all_algorithms() {
  const LearnerOptions td{.loss = Expectile(0.9), .gamma = 0.8};
  LearnerOptions averaged = td;
  averaged.average_from = 0;
  LearnerOptions td_lambda = td;
  td_lambda.algorithm = Algorithm::td_lambda;
  td_lambda.lambda = 0.7;
  LearnerOptions newton = td;
  newton.algorithm = Algorithm::newton;
  newton.newton.warmup = 20;
  return {td, averaged, td_lambda, newton};
}

TEST(UpdateMany, IsBitwiseIdenticalToSingleUpdates) {
  const Batch batch(500);
  for (const LearnerOptions& options : all_algorithms()) {
    AnyLearner many(d, options);
    AnyLearner one(d, options);
    EXPECT_EQ(many.update_many(batch.transitions()), LearnerStatus::ok);
    for (std::size_t i = 0; i < batch.cost.size(); ++i) {
      const auto phi = std::span(batch.phi).subspan(i * d, d);
      if (batch.terminal[i] != 0) {
        one.update_terminal(phi, batch.cost[i]);
      } else {
        one.update(phi, batch.cost[i], std::span(batch.phi_next).subspan(i * d, d));
      }
    }
    EXPECT_TRUE(std::ranges::equal(many.theta(), one.theta()));
    EXPECT_EQ(many.updates(), one.updates());
  }
}

TEST(UpdateMany, StopsAtDivergence) {
  const Batch batch(500);
  AnyLearner learner(d, {.loss = Mean(), .gamma = 0.8, .step = ConstantStep(1e5)});
  EXPECT_EQ(learner.update_many(batch.transitions()), LearnerStatus::diverged);
  EXPECT_LT(learner.updates(), 500);
}

TEST(UpdateMany, KeepsUpdatesBeforeANumberThatIsNotFinite) {
  Batch batch(50);
  batch.cost[20] = std::numeric_limits<double>::quiet_NaN();
  AnyLearner learner(d, {.loss = Mean(), .gamma = 0.8});
  EXPECT_THAT([&] { (void)learner.update_many(batch.transitions()); },
              ThrowsMessage<InvalidInput>(HasSubstr("transition 20: ")));
  EXPECT_EQ(learner.updates(), 20);
}

TEST(UpdateMany, ChecksLengthsBeforeItLearns) {
  const Batch batch(10);
  AnyLearner learner(d, {.loss = Mean(), .gamma = 0.8});
  for (std::size_t broken = 0; broken < 3; ++broken) {
    Transitions transitions = batch.transitions();
    if (broken == 0) transitions.phi = transitions.phi.subspan(1);
    if (broken == 1) transitions.phi_next = transitions.phi_next.subspan(d);
    if (broken == 2) transitions.terminal = transitions.terminal.subspan(1);
    EXPECT_THAT([&] { (void)learner.update_many(transitions); },
                ThrowsMessage<InvalidInput>(HasSubstr("for each cost 3 features of the state")));
  }
  EXPECT_EQ(learner.updates(), 0);
}

}  // namespace
}  // namespace shortfall::learn
