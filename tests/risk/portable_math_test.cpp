#include "shortfall/numbers/portable_math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>

#include "shortfall/numbers/infinity.hpp"

namespace shortfall::portable {
namespace {

namespace portable_math_test {

/// The distance of x from an exact number, in units of the last place of that.
double units_between(double x, long double exact) {
  const double size = std::abs(static_cast<double>(exact));
  const double unit = std::nextafter(size, infinity) - size;
  return static_cast<double>(std::abs(x - exact) / unit);
}

struct Range {
  double low;
  double high;
};

/// The largest distance from a long double function at points drawn from a range.
double largest_error(const std::function<double(double)>& function,
                     const std::function<long double(long double)>& exact, Range range) {
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> draw(range.low, range.high);
  double largest = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double x = draw(bits);
    largest = std::max(largest, units_between(function(x), exact(x)));
  }
  return largest;
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace portable_math_test

using portable_math_test::largest_error;
using portable_math_test::not_a_number;
using portable_math_test::Range;

TEST(PortableMath, IsAsAccurateAsStated) {
  const auto exact_exp = [](long double x) { return std::exp(x); };
  const auto exact_expm1 = [](long double x) { return std::expm1(x); };
  const auto exact_log = [](long double x) { return std::log(x); };
  const auto exact_log1p = [](long double x) { return std::log1p(x); };
  for (const Range range : {Range{-1, 1}, Range{-708, 709.7}, Range{-1e-9, 1e-9}}) {
    EXPECT_LE(largest_error(exp, exact_exp, range), 1.1) << range.low;
    EXPECT_LE(largest_error(expm1, exact_expm1, range), 2.6) << range.low;
  }
  for (const Range range : {Range{0.5, 2}, Range{1e-300, 1e-290}, Range{1, 1e300}}) {
    EXPECT_LE(largest_error(log, exact_log, range), 1.0) << range.low;
  }
  for (const Range range : {Range{-0.9999, 2}, Range{-1e-9, 1e-9}, Range{1, 1e300}}) {
    EXPECT_LE(largest_error(log1p, exact_log1p, range), 1.0) << range.low;
  }
}

TEST(PortableMath, CosinesAreWithinTwoRoundings) {
  std::mt19937_64 bits(1);
  for (const double size : {4.0, 1e5, 1e12}) {
    std::uniform_real_distribution<double> draw(-size, size);
    for (int i = 0; i < 20000; ++i) {
      const double x = draw(bits);
      ASSERT_NEAR(cos(x), static_cast<double>(std::cos(static_cast<long double>(x))), 0x1p-52) << x;
    }
  }
}

TEST(PortableMath, EndsOfTheRangeAreThoseOfTheStandardLibrary) {
  EXPECT_EQ(exp(-infinity), 0.0);
  EXPECT_EQ(exp(infinity), infinity);
  EXPECT_EQ(exp(709.79), infinity);
  EXPECT_EQ(exp(-745.14), 0.0);
  EXPECT_EQ(exp(-745.1), std::numeric_limits<double>::denorm_min());
  EXPECT_LT(exp(709.78), infinity);
  EXPECT_EQ(exp(0.0), 1.0);
  EXPECT_EQ(expm1(-infinity), -1.0);
  EXPECT_EQ(expm1(infinity), infinity);
  EXPECT_LT(expm1(709.78), infinity);
  EXPECT_EQ(expm1(0.0), 0.0);
  EXPECT_EQ(log(0.0), -infinity);
  EXPECT_EQ(log(1.0), 0.0);
  EXPECT_EQ(log(infinity), infinity);
  EXPECT_NEAR(log(std::numeric_limits<double>::denorm_min()), -1074 * std::log(2.0), 1e-12);
  EXPECT_EQ(log1p(-1.0), -infinity);
  EXPECT_EQ(log1p(infinity), infinity);
  EXPECT_LT(log1p(std::numeric_limits<double>::max()), infinity);
  EXPECT_EQ(pow(2.0, 0.5), std::sqrt(2.0));
  EXPECT_EQ(cos(0.0), 1.0);
}

TEST(PortableMath, NothingIsMadeOfNothing) {
  for (const double x : {exp(not_a_number), expm1(not_a_number), log(not_a_number), log(-1.0),
                         log1p(not_a_number), log1p(-1.5), cos(infinity), cos(not_a_number)}) {
    EXPECT_TRUE(std::isnan(x));
  }
}

/// A checksum of many results, which no compiler, library or processor may change.
TEST(PortableMath, BitsAreThoseOfEveryMachine) {
  std::mt19937_64 bits(1);
  std::uint64_t sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double x = 30.0 * 0x1p-53 * static_cast<double>(bits() >> 11);
    for (const double y : {exp(x), exp(-x), expm1(x), expm1(-x), log(x), log1p(x), cos(x)}) {
      sum = 31 * sum + std::bit_cast<std::uint64_t>(y);
    }
  }
  EXPECT_EQ(sum, 1282830795442471304u);
}

}  // namespace
}  // namespace shortfall::portable
