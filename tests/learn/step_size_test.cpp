#include "shortfall/learn/step_size.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "shortfall/errors/error.hpp"

namespace shortfall::learn {
namespace {

TEST(PolynomialStep, AgreesWithThePower) {
  for (const double delta : {0.0, 0.5, 2.0 / 3.0, 1.0, 2.0}) {
    for (const double b2 : {0.5, 100.0, 5000.0}) {
      PolynomialStep step(2.0, b2, delta);
      for (std::uint64_t n = 0; n < 20000; ++n) {
        const double exact = 2.0 * std::pow(static_cast<double>(n) + b2, -delta);
        ASSERT_NEAR(step(n), exact, 2e-15 * exact) << n << " " << delta << " " << b2;
      }
      for (const double n : {1e6, 123456789.0, 1e12, 1e15}) {
        const double exact = 2.0 * std::pow(n + b2, -delta);
        ASSERT_NEAR(step(static_cast<std::uint64_t>(n)), exact, 2e-15 * exact);
      }
    }
  }
}

// 1/b₂ is infinite, η₀ is not.
TEST(PolynomialStep, IsANumberForTheLeastPositiveOffset) {
  const double least = std::numeric_limits<double>::denorm_min();
  PolynomialStep step(2.0, least, 0.5);
  const double exact = 2.0 / std::sqrt(least);
  EXPECT_NEAR(step(0), exact, 2e-15 * exact);
  EXPECT_EQ(step(1), 2.0);
}

TEST(PolynomialStep, DoesNotDependOnWhereARunBegan) {
  PolynomialStep whole;
  std::vector<double> steps;
  for (std::uint64_t n = 0; n < 9000; ++n) steps.push_back(whole(n));
  for (const std::uint64_t begin : {1u, 31u, 4000u, 4097u, 8191u}) {
    PolynomialStep late;
    for (std::uint64_t n = begin; n < 9000; ++n) ASSERT_EQ(late(n), steps[n]) << begin;
  }
}

TEST(PolynomialStep, SatisfiesTheAssumptionFromOneHalfExclusiveToOne) {
  EXPECT_TRUE(PolynomialStep().assumption().holds);
  EXPECT_TRUE(PolynomialStep(1.0, 1.0, 1.0).assumption().holds);
  EXPECT_TRUE(PolynomialStep(1.0, 1.0, 0.500001).assumption().holds);
  EXPECT_FALSE(PolynomialStep(1.0, 1.0, 0.5).assumption().holds);
  EXPECT_FALSE(PolynomialStep(1.0, 1.0, 1.000001).assumption().holds);
}

TEST(PolynomialStep, HasTheFiniteLimitRequiredByTheAssumption) {
  for (const auto& [delta, limit] : {std::pair{1.0, 0.5}, std::pair{0.75, 0.0}}) {
    PolynomialStep step(2.0, 100.0, delta);
    const std::uint64_t n = 1u << 20;
    // The difference is δ (n + b₂)^(δ-1) / b₁ up to a factor 1 + O(1/n); rounding adds 1/η · 1e-15.
    EXPECT_NEAR(1.0 / step(n + 1) - 1.0 / step(n), limit,
                0.375 * std::pow(n, delta - 1.0) * 1.01 * (delta < 1) + 1e-9);
  }
}

TEST(StepSize, UserDefinedRulesAreNotAssumedToConverge) {
  EXPECT_FALSE(step_size_assumption(ConstantStep(0.1)).holds);
  const auto rule = [](std::uint64_t n) { return 1.0 / static_cast<double>(n + 1); };
  EXPECT_FALSE(step_size_assumption(rule).holds);
  EXPECT_TRUE(step_size_assumption(PolynomialStep()).holds);
}

TEST(StepSize, RejectsInvalidSteps) {
  EXPECT_THROW(PolynomialStep(0.0, 1.0, 1.0), InvalidInput);
  EXPECT_THROW(PolynomialStep(1.0, 0.0, 1.0), InvalidInput);
  EXPECT_THROW(PolynomialStep(1.0, 1.0, -0.1), InvalidInput);
  EXPECT_THROW(PolynomialStep(1.0, 1.0, std::nan("")), InvalidInput);
  EXPECT_THROW(ConstantStep(0.0), InvalidInput);
  EXPECT_THROW(ConstantStep{INFINITY}, InvalidInput);
}

}  // namespace
}  // namespace shortfall::learn
