#include "shortfall/learn/outlier_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "shortfall/checkpoint/checkpoint.hpp"

namespace shortfall::learn {
namespace {

/// A watch of `rows` losses of 1, with values of 5 where they are asked for.
OutlierWatch settled_watch(int rows) {
  OutlierWatch watch;
  for (int i = 0; i < rows; ++i) {
    EXPECT_FALSE(watch.add(i % 2 == 0 ? 1.0 : -1.0));
    if (watch.is_value_due()) watch.add_value(5.0);
  }
  return watch;
}

/// `rows` more, with these losses and values.
void go_on(OutlierWatch& watch, std::uint64_t rows, double loss, double value) {
  for (std::uint64_t i = 0; i < rows; ++i) {
    (void)watch.add(loss);
    if (watch.is_value_due()) watch.add_value(value);
  }
}

constexpr std::uint64_t window = OutlierWatch::rows_per_value * OutlierWatch::values_per_window;

TEST(OutlierWatch, FindsALossOfMoreThanAHundredTimesTheLargestOfAHundredRows) {
  EXPECT_FALSE(settled_watch(99).add(1e9));
  EXPECT_FALSE(settled_watch(100).add(100.0));
  EXPECT_TRUE(settled_watch(100).add(std::nextafter(100.0, 200.0)));
  EXPECT_TRUE(settled_watch(100).add(-101.0));
  OutlierWatch watch = settled_watch(100);
  ASSERT_TRUE(watch.add(200.0));
  watch.found(101, 7.0);
  EXPECT_EQ(watch.outliers(), 1U);
  EXPECT_EQ(watch.last().row, 101U);
  EXPECT_EQ(watch.last().cost, 7.0);
  EXPECT_EQ(watch.last().ratio, 200.0);
  EXPECT_FALSE(watch.add(201.0)) << "no longer a hundred times the largest";
}

TEST(OutlierWatch, ValuesAreUpsetAtMoreThanTenTimesThoseBeforeAndUntilAWindowWithinThat) {
  OutlierWatch watch = settled_watch(200);
  ASSERT_TRUE(watch.add(1e6));
  EXPECT_TRUE(watch.is_value_due());
  watch.add_value(50.0);
  EXPECT_FALSE(watch.is_upset());
  go_on(watch, window, 1.0, 50.0);
  EXPECT_FALSE(watch.is_upset());
  go_on(watch, OutlierWatch::rows_per_value, 1.0, 50.5);  // as an average that follows slowly
  EXPECT_TRUE(watch.is_upset());
  go_on(watch, 100 * window, 1.0, 50.5);
  EXPECT_TRUE(watch.is_upset());
  go_on(watch, 2 * window, 1.0, 50.0);
  EXPECT_FALSE(watch.is_upset());
  EXPECT_TRUE(watch.add(101.0)) << "compared with the losses of the last window";
}

TEST(OutlierWatch, ValuesThatGrowLongAfterAnOutlierAreNotUpsetByIt) {
  OutlierWatch watch = settled_watch(200);
  ASSERT_TRUE(watch.add(1e6));
  watch.add_value(6.0);
  go_on(watch, (OutlierWatch::windows_watched + 1) * window, 1.0, 5.0);
  go_on(watch, window, 1.0, 1e3);
  EXPECT_FALSE(watch.is_upset());
}

TEST(OutlierWatch, AnAcceptedOutlierIsNoLongerUpsetting) {
  OutlierWatch watch = settled_watch(200);
  ASSERT_TRUE(watch.add(1e6));
  (void)watch.is_value_due();
  watch.add_value(1e3);
  EXPECT_TRUE(watch.is_upset());
  watch.accept();
  EXPECT_FALSE(watch.is_upset());
  go_on(watch, 3 * window, 1.0, 1e3);
  EXPECT_FALSE(watch.is_upset());
}

// P(|u| > z) = z^-3: the expected number of outliers in a stream is below 1e-6 ln(2000).
TEST(OutlierWatch, FindsNoneInCostsOfFiniteVariance) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  for (int stream = 0; stream < 10; ++stream) {
    OutlierWatch watch;
    for (int i = 0; i < 200'000; ++i)
      EXPECT_FALSE(watch.add(std::pow(1.0 - uniform(random), -1.0 / 3.0)));
  }
}

TEST(OutlierWatch, ItsStateIsThatOfARunThatWasNotInterrupted) {
  OutlierWatch watch = settled_watch(1234);
  EXPECT_TRUE(watch.add(500.0));
  watch.found(1235, 3.0);
  io::StateWriter written;
  watch.archive(written);
  OutlierWatch read;
  io::StateReader state("a test", written.bytes());
  read.archive(state);
  state.finish();
  go_on(watch, 3 * window, 0.5, 60.0);
  go_on(read, 3 * window, 0.5, 60.0);
  io::StateWriter first;
  io::StateWriter second;
  watch.archive(first);
  read.archive(second);
  EXPECT_EQ(first.bytes(), second.bytes());
  EXPECT_TRUE(read.is_upset());
}

}  // namespace
}  // namespace shortfall::learn
