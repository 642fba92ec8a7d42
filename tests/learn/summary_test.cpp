#include "shortfall/learn/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Deviations from the mean 3 are -2, -1, 3, their squares 14; over 3 · 2.
TEST(Summary, HasTheStandardErrorComputedByHand) {
  const Summary summary = summarise(std::vector{1.0, 2.0, 6.0});
  EXPECT_EQ(summary.mean, 3.0);
  EXPECT_DOUBLE_EQ(summary.standard_error, std::sqrt(14.0 / 6.0));
  EXPECT_EQ(summary.median, 2.0);
}

TEST(Summary, HasTheMedianOfAnEvenNumberBetweenTheMiddleTwo) {
  EXPECT_EQ(summarise(std::vector{9.0, 1.0, 4.0, 2.0}).median, 3.0);
  EXPECT_EQ(summarise(std::vector{5.0, 7.0}).median, 6.0);
}

TEST(Summary, IsInfiniteIfAValueIsExceptForTheMedian) {
  const Summary some = summarise(std::vector{infinity, 1.0, 2.0});
  EXPECT_EQ(some.mean, infinity);
  EXPECT_EQ(some.standard_error, infinity);
  EXPECT_EQ(some.median, 2.0);
  EXPECT_EQ(summarise(std::vector{infinity, 1.0}).median, infinity);
  EXPECT_EQ(summarise(std::vector{infinity, infinity, 1.0}).median, infinity);
}

TEST(Summary, HasNoStandardErrorForOneValueAndIsNanForNone) {
  const Summary one = summarise(std::vector{4.0});
  EXPECT_EQ(one.mean, 4.0);
  EXPECT_EQ(one.median, 4.0);
  EXPECT_TRUE(std::isnan(one.standard_error));
  EXPECT_TRUE(std::isnan(summarise({}).mean));
  EXPECT_TRUE(std::isnan(summarise({}).median));
}

TEST(LogSpaced, RoundsToDistinctIntegers) {
  EXPECT_THAT(log_spaced(1, 20, 3), ElementsAre(1, 2, 5, 10, 20));
  // 10^(k/10): 1, 1.26, 1.58, 2.00, 2.51, 3.16, 3.98, 5.01, 6.31, 7.94
  EXPECT_THAT(log_spaced(1, 12, 10), ElementsAre(1, 2, 3, 4, 5, 6, 8, 10, 12));
}

TEST(LogSpaced, EndsAtTheLastPointOnce) {
  const auto points = log_spaced(1, 1'000'000, 10);
  EXPECT_EQ(points.front(), 1);
  EXPECT_EQ(points.back(), 1'000'000);
  EXPECT_EQ(points[points.size() - 2], 794'328);
  EXPECT_THAT(log_spaced(7, 7, 1), ElementsAre(7));
  EXPECT_THAT(log_spaced(3, 300, 1), ElementsAre(3, 30, 300));
  EXPECT_EQ(log_spaced(1, ~std::uint64_t{0}, 1).back(), ~std::uint64_t{0});
}

TEST(LogSpaced, RejectsInvalidRanges) {
  EXPECT_THAT(
      [] { (void)log_spaced(0, 10, 1); },
      ThrowsMessage<InvalidInput>(HasSubstr("points from 0 to 10, 1 per decade; accepted")));
  EXPECT_THAT([] { (void)log_spaced(5, 4, 1); }, ThrowsMessage<InvalidInput>(HasSubstr("5 to 4")));
  EXPECT_THAT([] { (void)log_spaced(1, 4, 0); },
              ThrowsMessage<InvalidInput>(HasSubstr("0 per decade")));
}

}  // namespace
}  // namespace shortfall::learn
