#include "shortfall/learn/scenarios.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "tests/mdp/chi_square.hpp"

namespace shortfall::learn {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<std::uint64_t> draws(Scenarios::Bits bits, int count) {
  std::vector<std::uint64_t> result;
  for (int i = 0; i < count; ++i) result.push_back(bits());
  return result;
}

TEST(Scenarios, StratifyTheirFirstNumber) {
  for (const std::uint32_t count : {1U, 2U, 3U, 7U, 50U, 1024U, 100'003U}) {
    const Scenarios scenarios(count, 5);
    ASSERT_EQ(scenarios.size(), count);
    for (std::uint32_t k = 0; k < count; ++k) {
      Scenarios::Bits bits = scenarios[k];
      ASSERT_EQ(draw_index(bits, count), k) << "of " << count;
    }
  }
}

/// 10000 fractions uniform on [0, 1) have mean 1/2 and mean square 1/3 within 4 standard errors,
/// √(1/12 / 10⁴) and √(4/45 / 10⁴).
TEST(Scenarios, AreUniformWithinTheirParts) {
  const std::uint32_t count = 10'000;
  const Scenarios scenarios(count, 6);
  double mean = 0.0;
  double square = 0.0;
  for (std::uint32_t k = 0; k < count; ++k) {
    Scenarios::Bits bits = scenarios[k];
    const double fraction = split_draw(bits(), count).fraction;
    mean += fraction / count;
    square += fraction * fraction / count;
  }
  EXPECT_NEAR(mean, 1.0 / 2.0, 4.0 * std::sqrt(1.0 / 12.0 / count));
  EXPECT_NEAR(square, 1.0 / 3.0, 4.0 * std::sqrt(4.0 / 45.0 / count));
}

TEST(Scenarios, DependOnTheSeedAlone) {
  const Scenarios once(20, 7);
  const Scenarios again(20, 7);
  const Scenarios other(20, 8);
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_EQ(draws(once[k], 10), draws(again[k], 10));
    const auto here = draws(once[k], 10);
    const auto there = draws(other[k], 10);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NE(here[i], there[i]);
  }
}

TEST(Scenarios, RestartWhenAccessedAgain) {
  const Scenarios scenarios(4, 9);
  Scenarios::Bits bits = scenarios[2];
  const std::uint64_t first = bits();
  const std::uint64_t second = bits();
  EXPECT_EQ(draws(scenarios[2], 2), (std::vector{first, second}));
  Scenarios::Bits copy = bits;  // a copy continues from its current position
  EXPECT_EQ(copy(), bits());
}

/// 64-bit numbers, so that 20000 draws coincide with a probability of 20000² / 2⁶⁵ = 1e-11.
TEST(Scenarios, NeverRepeatNumbers) {
  const Scenarios scenarios(2000, 10);
  std::set<std::uint64_t> seen;
  for (std::size_t k = 0; k < 2000; ++k) {
    for (const std::uint64_t number : draws(scenarios[k], 10)) seen.insert(number);
  }
  EXPECT_EQ(seen.size(), 20'000);
}

/// For any first number, the second and third are uniform and independent of it: counts in
/// 4 × 4 × 4 cells. Stratification of the first one only lowers the statistic.
TEST(Scenarios, AreUniformAndIndependentAfterTheFirstNumber) {
  const Scenarios scenarios(32'000, 11);
  std::vector<std::size_t> counts(64, 0);
  for (std::size_t k = 0; k < scenarios.size(); ++k) {
    Scenarios::Bits bits = scenarios[k];
    std::size_t cell = 0;
    for (int i = 0; i < 3; ++i) cell = 4 * cell + draw_index(bits, 4);
    ++counts[cell];
  }
  const auto [statistic, threshold] =
      testing::chi_square(counts, std::vector<double>(64, 1.0 / 64.0));
  EXPECT_LT(statistic, threshold);
}

/// The mean of the first number over S scenarios has a standard deviation of 1/(S √(12 S)), where
/// independent draws have 1/√(12 S).
TEST(Scenarios, CoverWhatTheFirstNumberDecidesEvenly) {
  const std::size_t count = 100;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Scenarios scenarios(count, seed);
    double mean = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      Scenarios::Bits bits = scenarios[k];
      mean += draw_uniform(bits) / 100.0;
    }
    EXPECT_NEAR(mean, 0.5, 5.0 / (100.0 * std::sqrt(1200.0))) << seed;
  }
}

TEST(Scenarios, RejectZeroAndTooMany) {
  EXPECT_THAT([] { Scenarios(0, 1); },
              ThrowsMessage<InvalidInput>(HasSubstr("0 scenarios; accepted: 1 to 4294967295")));
  EXPECT_THAT([] { Scenarios(std::size_t{1} << 32, 1); },
              ThrowsMessage<InvalidInput>(HasSubstr("4294967296 scenarios")));
}

}  // namespace
}  // namespace shortfall::learn
