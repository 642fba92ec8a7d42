#include "shortfall/learn/td.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "shortfall/errors/error.hpp"
#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "tests/learn/transitions_for_tests.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall::learn {
namespace {

using testing::RandomTransitions;
using Long = long double;
using Vector = std::vector<double>;

constexpr double gamma = 0.9;

/// Steps small enough for features of length √d.
PolynomialStep small_step() {
  return PolynomialStep(0.1, 100.0, 2.0 / 3.0);
}

Vector copy(std::span<const double> values) {
  return {values.begin(), values.end()};
}

/// φᵀθ in the order of summation specified in vector_kernels.hpp.
double in_lanes(std::span<const double> theta, std::span<const double> phi) {
  std::array<double, 8> lane{};
  for (std::size_t i = 0; i < phi.size(); ++i) lane[i % 8] += theta[i] * phi[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

TEST(Td, WithTheMeanIsClassicalTdBitForBit) {
  for (const std::size_t d : {1u, 10u, 37u}) {
    RandomTransitions stream(d);
    Td<Mean> td(d, Mean(), gamma, small_step());
    Vector theta(d);
    PolynomialStep step = small_step();
    for (std::uint64_t n = 0; n < 20000; ++n) {
      stream.advance();
      const double error = stream.cost() + gamma * in_lanes(theta, stream.phi_next()) -
                           in_lanes(theta, stream.phi());
      const double scale = step(n) * error;
      for (std::size_t i = 0; i < d; ++i) theta[i] += scale * stream.phi()[i];
      ASSERT_EQ(td.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
    }
    EXPECT_EQ(copy(td.theta()), theta) << d;
  }
}

/// The recursion as written in the paper, in extended precision: θ ← θ + η ζ ℓ((γφ' - φ)ᵀθ + c).
class LiteralTd {
 public:
  LiteralTd(std::size_t d, double lambda) : lambda_(lambda), theta_(d), zeta_(d) {}

  void update(const AnyLoss& loss, const RandomTransitions& stream, double eta) {
    Long error = stream.cost();
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      error += (static_cast<Long>(gamma) * stream.phi_next()[i] - stream.phi()[i]) * theta_[i];
      zeta_[i] = static_cast<Long>(gamma) * lambda_ * zeta_[i] + stream.phi()[i];
    }
    const Long value = loss.at(static_cast<double>(error)).value;
    for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] += eta * zeta_[i] * value;
  }

  const std::vector<Long>& theta() const { return theta_; }

 private:
  Long lambda_;
  std::vector<Long> theta_;
  std::vector<Long> zeta_;
};

TEST(Td, AgreesWithTheLiteralRecursionForEveryLoss) {
  constexpr std::size_t d = 10;
  for (const AnyLoss& loss : testing::all_losses()) {
    // Exponential losses of errors near 30 need even smaller steps.
    if (std::holds_alternative<Entropic>(loss.variant()) && loss.at(1.0).value > 0.1) continue;
    RandomTransitions stream(d);
    Td<AnyLoss> td(d, loss, gamma, small_step());
    TdLambda<AnyLoss> traces(d, loss, gamma, 0.5, small_step());
    LiteralTd literal(d, 0.0);
    LiteralTd literal_traces(d, 0.5);
    PolynomialStep step = small_step();
    double largest = 0.0;
    for (std::uint64_t n = 0; n < 10000; ++n) {
      stream.advance();
      literal.update(loss, stream, step(n));
      literal_traces.update(loss, stream, step(n));
      ASSERT_EQ(td.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
      ASSERT_EQ(traces.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
      largest = std::max(largest, std::abs(td.theta()[0]));
    }
    ASSERT_GT(largest, 1e-4) << loss.to_string();
    for (std::size_t i = 0; i < d; ++i) {
      EXPECT_NEAR(td.theta()[i], static_cast<double>(literal.theta()[i]), 1e-9) << loss.to_string();
      EXPECT_NEAR(traces.theta()[i], static_cast<double>(literal_traces.theta()[i]), 1e-9)
          << loss.to_string();
    }
  }
}

TEST(TdLambda, WithoutTraceIsTdBitForBit) {
  RandomTransitions stream(7);
  Td<Expectile> td(7, Expectile(0.9), gamma, small_step());
  TdLambda<Expectile> traces(7, Expectile(0.9), gamma, 0.0, small_step());
  for (int n = 0; n < 5000; ++n) {
    stream.advance();
    ASSERT_EQ(td.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
    ASSERT_EQ(traces.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
  }
  EXPECT_EQ(copy(td.theta()), copy(traces.theta()));
}

TEST(TdLambda, SpreadsAnEpisodeOverItsTraceAndThenDropsIt) {
  // Two one-hot states, γ = 1/2, λ = 1, η = 1/4, costs 4 then 8 at the end: by hand
  // ζ₁ = (1, 0), θ₁ = (1, 0); ζ₂ = (1/2, 1), δ₂ = 8 - 0, θ₂ = (1 + 1, 2).
  TdLambda<Mean, ConstantStep> td(2, Mean(), 0.5, 1.0, ConstantStep(0.25));
  ASSERT_EQ(td.update(Vector{1, 0}, 4.0, Vector{0, 1}), LearnerStatus::ok);
  EXPECT_EQ(copy(td.theta()), (Vector{1.0, 0.0}));
  ASSERT_EQ(td.update_terminal(Vector{0, 1}, 8.0), LearnerStatus::ok);
  EXPECT_EQ(copy(td.theta()), (Vector{2.0, 2.0}));
  EXPECT_EQ(copy(td.trace()), (Vector{0.0, 0.0}));
}

TEST(Td, AnEndHasValueZero) {
  Td<Mean, ConstantStep> td(1, Mean(), 1.0, ConstantStep(0.5));
  const Vector start{4.0};
  td.start_from(start);
  ASSERT_EQ(td.update_terminal(Vector{1.0}, 6.0), LearnerStatus::ok);  // 4 + (6 - 4) / 2
  EXPECT_EQ(td.theta()[0], 5.0);
  ASSERT_EQ(td.update(Vector{1.0}, 6.0, Vector{1.0}), LearnerStatus::ok);  // 5 + (6 + 5 - 5) / 2
  EXPECT_EQ(td.theta()[0], 8.0);
  EXPECT_EQ(td.value(Vector{2.0}), 16.0);
}

TEST(Td, AWarmStartIsNotTreatedAsDivergence) {
  // No costs yet, and the second state has value 5 from the initial weights alone.
  Td td(2, Mean(), gamma, PolynomialStep());
  td.start_from(Vector{0.0, 5.0});
  EXPECT_EQ(td.update(Vector{1, 0}, 0.0, Vector{1, 0}), LearnerStatus::ok);
  EXPECT_EQ(td.update(Vector{0, 1}, 0.0, Vector{1, 0}), LearnerStatus::ok);
  EXPECT_THROW(td.start_from(Vector{1.0, 1.0}), InvalidInput);
}

TEST(Td, DivergesBeforeItsWeightsLeaveTheRangeOfDouble) {
  Td<Mean, ConstantStep> td(1, Mean(), gamma, ConstantStep(1e300));
  EXPECT_EQ(td.update(Vector{1.0}, 1e100, Vector{1.0}), LearnerStatus::diverged);
  EXPECT_EQ(td.theta()[0], 0.0);
  EXPECT_EQ(td.updates(), 0u);
}

TEST(Td, IsAValue) {
  RandomTransitions stream(3);
  Td<Expectile> one(3, Expectile(0.7), gamma, small_step());
  stream.advance();
  ASSERT_EQ(one.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
  Td<Expectile> other = one;
  const Vector before = copy(one.theta());
  stream.advance();
  ASSERT_EQ(other.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
  EXPECT_EQ(copy(one.theta()), before);
  EXPECT_NE(copy(other.theta()), before);
}

TEST(Td, RejectsInvalidInputAndStaysUnchanged) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Td td(2, Mean(), gamma, PolynomialStep());
  const Vector good{1.0, 2.0};
  ASSERT_EQ(td.update(good, 1.0, good), LearnerStatus::ok);
  const Vector theta = copy(td.theta());
  EXPECT_THROW((void)td.update(Vector{1.0}, 1.0, good), InvalidInput);
  EXPECT_THROW((void)td.update(good, 1.0, Vector{}), InvalidInput);
  EXPECT_THROW((void)td.update(good, 1.0, Vector{1.0, 2.0, 3.0}), InvalidInput);
  EXPECT_THROW((void)td.update(Vector{nan, 1.0}, 1.0, good), InvalidInput);
  EXPECT_THROW((void)td.update(good, 1.0, Vector{1.0, infinity}), InvalidInput);
  EXPECT_THROW((void)td.update(good, nan, good), InvalidInput);
  EXPECT_THROW((void)td.update(good, -infinity, good), InvalidInput);
  EXPECT_THROW((void)td.value(Vector{1.0}), InvalidInput);
  EXPECT_EQ(td.status(), LearnerStatus::ok);
  EXPECT_EQ(td.updates(), 1u);
  EXPECT_EQ(copy(td.theta()), theta);
  Td by_hand(2, Mean(), gamma, PolynomialStep());
  ASSERT_EQ(by_hand.update(good, 1.0, good), LearnerStatus::ok);
  ASSERT_EQ(by_hand.update(good, 3.0, good), LearnerStatus::ok);
  ASSERT_EQ(td.update(good, 3.0, good), LearnerStatus::ok);
  EXPECT_EQ(copy(td.theta()), copy(by_hand.theta()));
}

TEST(Td, RejectsInvalidParameters) {
  EXPECT_THROW(Td<Mean>(0, Mean(), gamma), InvalidInput);
  EXPECT_THROW(Td<Mean>(1, Mean(), 1.1), InvalidInput);
  EXPECT_THROW(Td<Mean>(1, Mean(), -0.1), InvalidInput);
  EXPECT_THROW(TdLambda<Mean>(1, Mean(), gamma, 1.1), InvalidInput);
  EXPECT_THROW(TdLambda<Mean>(1, Mean(), gamma, -0.1), InvalidInput);
}

TEST(Averaged, StartsAtTheCurrentUpdate) {
  Td<Mean, ConstantStep> td(1, Mean(), 0.0, ConstantStep(0.5));
  for (int n = 0; n < 100; ++n) (void)td.update(Vector{1.0}, 8.0, Vector{1.0});
  Averaged averaged(td);
  (void)averaged.update(Vector{1.0}, 0.0, Vector{1.0});  // 8 → 4
  (void)averaged.update(Vector{1.0}, 0.0, Vector{1.0});  // 4 → 2
  EXPECT_NEAR(averaged.theta()[0], 3.0, 1e-12);
  EXPECT_THROW(Averaged(td, 99), InvalidInput);
  EXPECT_NO_THROW(Averaged(td, 100));
  const std::uint64_t never = ~std::uint64_t{0};
  Averaged last(Td<Mean>(1, Mean(), 0.0), never);
  (void)last.update(Vector{1.0}, 8.0, Vector{1.0});
  EXPECT_EQ(last.theta()[0], last.last().theta()[0]);
}

TEST(Averaged, ReportsTheMeanOfTheIteratesAfterTheBurnIn) {
  constexpr std::size_t d = 5;
  for (const std::uint64_t from : {0u, 100u}) {
    RandomTransitions stream(d);
    Averaged averaged(Td<Expectile>(d, Expectile(0.2), gamma, small_step()), from);
    std::vector<Long> sum(d);
    for (std::uint64_t n = 1; n <= 3000; ++n) {
      stream.advance();
      ASSERT_EQ(averaged.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
      if (n <= from) {
        ASSERT_EQ(copy(averaged.theta()), copy(averaged.last().theta()));
      }
      for (std::size_t i = 0; n > from && i < d; ++i) sum[i] += averaged.last().theta()[i];
    }
    for (std::size_t i = 0; i < d; ++i) {
      EXPECT_NEAR(averaged.theta()[i], static_cast<double>(sum[i] / static_cast<Long>(3000 - from)),
                  1e-11);
    }
    EXPECT_NE(copy(averaged.theta()), copy(averaged.last().theta()));
    EXPECT_EQ(averaged.value(Vector{1, 0, 0, 0, 0}), averaged.theta()[0]);
  }
}

}  // namespace
}  // namespace shortfall::learn
