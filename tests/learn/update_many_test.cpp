#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "tests/learn/averagers_for_tests.hpp"
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
    EXPECT_TRUE(has_values(many.update_many(batch.transitions())));
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

/// Rows of the features of averagers, dense and sparse, of which every seventh ends an episode.
struct CellBatch {
  explicit CellBatch(std::size_t dimension, std::size_t count) {
    testing::RandomCells stream(dimension, 3);
    for (std::size_t i = 0; i < count; ++i) {
      stream.advance();
      add(stream.sparse(), begin, index, value);
      add(stream.sparse_next(), next_begin, next_index, next_value);
      phi.insert(phi.end(), stream.phi().begin(), stream.phi().end());
      phi_next.insert(phi_next.end(), stream.phi_next().begin(), stream.phi_next().end());
      cost.push_back(stream.cost());
      weight.push_back(stream.weight());
      terminal.push_back(i % 7 == 6 ? 1 : 0);
    }
  }
  static void add(SparseFeatures row, std::vector<std::size_t>& begins,
                  std::vector<std::uint32_t>& indices, std::vector<double>& values) {
    indices.insert(indices.end(), row.index.begin(), row.index.end());
    values.insert(values.end(), row.value.begin(), row.value.end());
    begins.push_back(indices.size());
  }
  Transitions dense() const { return {phi, cost, phi_next, terminal, weight}; }
  SparseTransitions sparse() const {
    return {{begin, index, value}, cost, {next_begin, next_index, next_value}, terminal, weight};
  }

  std::vector<std::size_t> begin{0}, next_begin{0};
  std::vector<std::uint32_t> index, next_index;
  std::vector<double> value, next_value, phi, phi_next, cost, weight;
  std::vector<std::uint8_t> terminal;
};

TEST(UpdateMany, IsBitwiseIdenticalForSparseFeatures) {
  constexpr std::size_t cells = 9;
  const CellBatch batch(cells, 300);
  std::vector<LearnerOptions> all = all_algorithms();
  for (const Algorithm algorithm : {Algorithm::averager_td, Algorithm::averager_newton}) {
    LearnerOptions options = all.front();
    options.algorithm = algorithm;
    options.newton.warmup = 20;
    all.push_back(options);
    options.half_life = 100.0;
    all.push_back(options);
    options.average_from = 10;
    if (algorithm == Algorithm::averager_td) all.push_back(options);
  }
  for (const LearnerOptions& options : all) {
    AnyLearner dense(cells, options);
    AnyLearner sparse(cells, options);
    const LearnerStatus status = dense.update_many(batch.dense());
    EXPECT_TRUE(has_values(status));
    EXPECT_EQ(sparse.update_many(batch.sparse()), status);
    EXPECT_TRUE(std::ranges::equal(dense.theta(), sparse.theta())) << to_string(options.algorithm);
    EXPECT_EQ(dense.updates(), 300u);
    EXPECT_EQ(sparse.updates(), 300u);
    const SparseFeatures row = batch.sparse().phi.row(0);
    double value = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      value += row.value[k] * sparse.theta()[row.index[k]];
    }
    EXPECT_EQ(sparse.value(row), value);
  }
}

TEST(UpdateMany, ChecksSparseRows) {
  CellBatch batch(9, 20);
  AnyLearner learner(9, {.algorithm = Algorithm::averager_td, .loss = Mean(), .gamma = 0.8});
  const auto refuse = [&](const SparseTransitions& given, const char* part) {
    EXPECT_THAT([&] { (void)learner.update_many(given); },
                ThrowsMessage<InvalidInput>(HasSubstr(part)));
  };
  SparseTransitions given = batch.sparse();
  given.phi.begin = given.phi.begin.subspan(1);
  refuse(given, "20 costs with 19 and 20 rows of features");
  given = batch.sparse();
  given.phi.value = given.phi.value.subspan(1);
  refuse(given, "accepted: one value for each index");
  std::swap(batch.begin[4], batch.begin[5]);
  refuse(batch.sparse(), "begins at entry");
  std::swap(batch.begin[4], batch.begin[5]);
  EXPECT_EQ(learner.updates(), 0u);
  batch.value[batch.begin[5]] = -0.5;
  EXPECT_THAT([&] { (void)learner.update_many(batch.sparse()); },
              ThrowsMessage<InvalidInput>(HasSubstr("transition 5: feature")));
  EXPECT_EQ(learner.updates(), 5u);
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
