#include "shortfall/learn/averager_td.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "tests/learn/averagers_for_tests.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall::learn::averagers {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RandomCells;
using ::testing::ThrowsMessage;
using Vector = std::vector<double>;

constexpr double gamma = 0.9;
static_assert(Learner<AveragerTd<>> && Learner<Averaged<AveragerTd<>>>);

PolynomialStep small_step() {
  return PolynomialStep(0.5, 100.0, 2.0 / 3.0);
}

/// Exponentials of errors near 30 need smaller steps than these.
bool is_steep(const AnyLoss& loss) {
  return std::holds_alternative<Entropic>(loss.variant()) && loss.at(1.0).value > 0.1;
}

Vector copy(std::span<const double> values) {
  return {values.begin(), values.end()};
}

TEST(AveragerTd, MovesEachCellByItsOwnError) {
  AveragerTd<Mean, ConstantStep> td(2, Mean(), 0.5, ConstantStep(1.0));
  ASSERT_EQ(td.update(Vector{0.25, 0.75}, 8.0, Vector{0, 1}), LearnerStatus::ok);
  EXPECT_EQ(copy(td.theta()), (Vector{2.0, 6.0}));
  EXPECT_EQ(td.last_loss(), 8.0);
  // Errors 8 + 3 - 2 and 8 + 3 - 6 with weight 2, all at the old θ.
  ASSERT_EQ(td.update(Vector{0.5, 0.25}, 8.0, Vector{0, 1}, 2.0), LearnerStatus::ok);
  EXPECT_EQ(copy(td.theta()), (Vector{11.0, 8.5}));
  EXPECT_EQ(td.last_loss(), 11.5);
  // The value is 0 at the end.
  ASSERT_EQ(td.update_terminal(Vector{0, 1}, 1.5), LearnerStatus::ok);
  EXPECT_EQ(copy(td.theta()), (Vector{11.0, 1.5}));
  EXPECT_EQ(td.updates(), 3u);
  EXPECT_NEAR(td.effective_samples(), 16.0 / 6.0, 1e-15);
  EXPECT_EQ(td.value(Vector{0.5, 0.5}), 6.25);
}

TEST(AveragerTd, OnHardAggregationIsTdBitForBit) {
  constexpr std::size_t d = 13;
  for (const AnyLoss& loss : testing::all_losses()) {
    if (is_steep(loss)) continue;
    RandomCells stream(d, 1);
    Averaged td(Td<AnyLoss>(d, loss, gamma, small_step()), 1000);
    Averaged averager(AveragerTd<AnyLoss>(d, loss, gamma, small_step()), 1000);
    Averaged sparse = averager;
    for (int n = 0; n < 5000; ++n) {
      stream.advance();
      if (n % 50 == 49) {
        ASSERT_EQ(td.update_terminal(stream.phi(), stream.cost()), LearnerStatus::ok);
        ASSERT_EQ(averager.update_terminal(stream.phi(), stream.cost()), LearnerStatus::ok);
        ASSERT_EQ(sparse.update_terminal(stream.sparse(), stream.cost()), LearnerStatus::ok);
        continue;
      }
      const double weight = n % 3 == 0 ? 1.0 : stream.weight();
      ASSERT_EQ(td.update(stream.phi(), stream.cost(), stream.phi_next(), weight),
                LearnerStatus::ok);
      ASSERT_EQ(averager.update(stream.phi(), stream.cost(), stream.phi_next(), weight),
                LearnerStatus::ok);
      ASSERT_EQ(sparse.update(stream.sparse(), stream.cost(), stream.sparse_next(), weight),
                LearnerStatus::ok);
      ASSERT_EQ(td.last_loss(), averager.last_loss());
    }
    EXPECT_EQ(copy(td.theta()), copy(averager.theta())) << loss.to_string();
    EXPECT_EQ(copy(td.last().theta()), copy(averager.last().theta())) << loss.to_string();
    EXPECT_EQ(copy(td.theta()), copy(sparse.theta())) << loss.to_string();
    EXPECT_EQ(td.effective_samples(), averager.effective_samples());
    const Vector one{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(td.interval(one).low, averager.interval(one).low);
  }
}

/// The recursion as it is written.
void update_plainly(Vector& theta, const AnyLoss& loss, const RandomCells& stream, double eta) {
  double next = 0.0;
  for (std::size_t j = 0; j < theta.size(); ++j) next += theta[j] * stream.phi_next()[j];
  const Vector old = theta;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double error = stream.cost() + gamma * next - old[i];
    theta[i] += eta * loss.at(error).value * stream.weight() * stream.phi()[i];
  }
}

TEST(AveragerTd, IsThePlainLoopBitForBitForEveryLoss) {
  for (const auto& [d, active] : {std::pair{1u, 1u}, {10u, 3u}, {50u, 50u}, {300u, 8u}}) {
    for (const AnyLoss& loss : testing::all_losses()) {
      if (is_steep(loss)) continue;
      RandomCells stream(d, active);
      AveragerTd<AnyLoss> dense(d, loss, gamma, small_step());
      AveragerTd<AnyLoss> sparse = dense;
      PolynomialStep step = small_step();
      Vector theta(d);
      for (std::uint64_t n = 0; n < 300; ++n) {
        stream.advance();
        update_plainly(theta, loss, stream, step(n));
        ASSERT_EQ(dense.update(stream.phi(), stream.cost(), stream.phi_next(), stream.weight()),
                  LearnerStatus::ok);
        ASSERT_EQ(
            sparse.update(stream.sparse(), stream.cost(), stream.sparse_next(), stream.weight()),
            LearnerStatus::ok);
      }
      EXPECT_EQ(copy(dense.theta()), theta) << loss.to_string();
      EXPECT_EQ(copy(sparse.theta()), theta) << loss.to_string();
      EXPECT_EQ(sparse.value(stream.sparse()), dense.value(stream.sparse()));
      // Two orders of at most 50 products.
      EXPECT_NEAR(sparse.value(stream.sparse()), dense.value(stream.phi()),
                  1e-14 * std::abs(dense.value(stream.phi())));
    }
  }
}

TEST(AveragerTd, SkipsCellsThatAreListedWithZero) {
  AveragerTd<Entropic, ConstantStep> td(2, Entropic(1.0), gamma, ConstantStep(0.1));
  td.start_from(Vector{0.0, -1e4});  // whose loss would be infinite
  const std::vector<std::uint32_t> index{0, 1};
  const Vector value{1.0, 0.0};
  ASSERT_EQ(td.update({index, value}, 0.5, {index, value}), LearnerStatus::ok);
  EXPECT_EQ(td.theta()[1], -1e4);
  EXPECT_NEAR(td.theta()[0], 0.1 * std::expm1(0.5), 1e-15);
}

TEST(AveragerTd, RefusesOtherFeaturesAndStaysUnchanged) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  AveragerTd td(3, Mean(), gamma, PolynomialStep());
  const Vector good{0.25, 0.0, 0.75};
  ASSERT_EQ(td.update(good, 1.0, good), LearnerStatus::ok);
  const Vector theta = copy(td.theta());
  const auto message = [&](const Vector& phi, const Vector& next) {
    try {
      (void)td.update(phi, 1.0, next);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(message({0.5, -0.25, 0.5}, good),
            "feature 2 is -0.25; accepted by averagers: features >= 0 that sum to at most 1");
  EXPECT_EQ(
      message(good, {0.5, 0.0, 0.75}),
      "next features sum to 1.25, the largest is next feature 3: 0.75; accepted by averagers: "
      "features >= 0 that sum to at most 1");
  EXPECT_THAT(message(good, {nan, 0.0, 0.0}), HasSubstr("next feature 1 is nan"));
  EXPECT_THAT(message({0.0, 0.0, infinity}, good), HasSubstr("feature 3 is inf"));
  EXPECT_THAT(message({1.0, 1e-11, 0.0}, good), HasSubstr("sum to 1.00000000001"));
  EXPECT_THROW((void)td.update(Vector{1.0}, 1.0, good), InvalidInput);
  EXPECT_THROW((void)td.update(good, 1.0, Vector{1.0}), InvalidInput);
  EXPECT_THROW((void)td.update(good, nan, good), InvalidInput);
  EXPECT_THROW((void)td.update(good, 1.0, good, -1.0), InvalidInput);
  EXPECT_THROW((void)td.update_terminal(Vector{1.0, 1.0, 1.0}, 1.0), InvalidInput);
  const auto sparse = [&](std::vector<std::uint32_t> index, const Vector& value) {
    (void)td.update({index, value}, 1.0, {});
  };
  EXPECT_THAT(
      [&] {
        sparse({0, 3}, {0.5, 0.5});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("the index 3 of a feature; accepted: 0 to 2")));
  EXPECT_THAT(
      [&] {
        sparse({1, 1}, {0.5, 0.5});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("accepted: increasing indices")));
  EXPECT_THAT(
      [&] {
        sparse({1}, {0.5, 0.5});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("1 indices with 2 values")));
  EXPECT_EQ(copy(td.theta()), theta);
  EXPECT_EQ(td.updates(), 1u);
  // What rounding may add to a sum of 1 is accepted.
  EXPECT_EQ(message({1.0, 5e-13, 0.0}, good), "taken");
  EXPECT_EQ(td.updates(), 2u);
}

TEST(AveragerTd, AWarmStartIsNotDivergenceAndHugeStepsAre) {
  AveragerTd td(2, Mean(), gamma, PolynomialStep());
  td.start_from(Vector{0.0, 5.0});
  EXPECT_EQ(td.update(Vector{1, 0}, 0.0, Vector{1, 0}), LearnerStatus::ok);
  EXPECT_EQ(td.update(Vector{0, 1}, 0.0, Vector{1, 0}), LearnerStatus::ok);
  EXPECT_THROW(td.start_from(Vector{1.0, 1.0}), InvalidInput);
  AveragerTd<Mean, ConstantStep> huge(2, Mean(), gamma, ConstantStep(1e300));
  EXPECT_EQ(huge.update(Vector{0.5, 0.5}, 1e100, Vector{1, 0}), LearnerStatus::diverged);
  EXPECT_EQ(copy(huge.theta()), (Vector{0.0, 0.0}));
  EXPECT_EQ(huge.updates(), 0u);
}

TEST(AveragerTd, ResumesFromItsStateToTheSameBits) {
  constexpr std::size_t d = 20;
  RandomCells stream(d, 4);
  Averaged td(AveragerTd<Expectile>(d, Expectile(0.8), gamma, small_step()), 10);
  const auto advance = [&](auto& learner) {
    stream.advance();
    (void)learner.update(stream.sparse(), stream.cost(), stream.sparse_next(), stream.weight());
  };
  for (int n = 0; n < 100; ++n) advance(td);
  io::StateWriter writer;
  td.archive(writer);
  Averaged other(AveragerTd<Expectile>(d, Expectile(0.8), gamma, small_step()), 10);
  io::StateReader reader("the file", writer.bytes());
  other.archive(reader);
  reader.finish();
  const RandomCells before = stream;
  for (int n = 0; n < 100; ++n) advance(td);
  stream = before;
  for (int n = 0; n < 100; ++n) advance(other);
  EXPECT_EQ(copy(td.theta()), copy(other.theta()));
  EXPECT_EQ(td.updates(), other.updates());
}

/// The chain of the paper's counterexample at p = 0.99, whose feature (1, δ) is divided by δ
/// = 1.15: TD walks away (divergence_test.cpp). There are no costs and the value is 0. As γφ' < 1,
/// each step brings θ nearer to 0, by a factor of at most 1 - η (1-γ)/(11 δ) = 1 - 0.0079 η. The
/// steps sum to more than 5000, which is a factor of e^-39.
TEST(AveragerTd, SolvesTheCounterexampleFromAnyStart) {
  const auto example = library::counterexample(0.99, library::DeltaRoot::smaller);
  const double delta = example.features(1, 0);
  ASSERT_GT(delta, 1.0);
  const Vector phi[2] = {{1.0 / delta}, {1.0}};
  for (const double start : {-100.0, 1.0, 1e6}) {
    AveragerTd td(1, example.loss, example.gamma, PolynomialStep(10.0, 100.0, 0.51));
    td.start_from(Vector{start});
    pcg64 bits(1);
    std::size_t x = 0;
    for (int n = 0; n < 100000; ++n) {
      const std::size_t next = draw_uniform(bits) < 0.99 ? 1 - x : x;
      ASSERT_EQ(td.update(phi[x], 0.0, phi[next]), LearnerStatus::ok);
      x = next;
    }
    EXPECT_LE(std::abs(td.theta()[0]), 1e-16 * std::abs(start));
  }
}

}  // namespace
}  // namespace shortfall::learn::averagers
