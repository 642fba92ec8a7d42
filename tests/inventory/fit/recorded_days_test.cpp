// Closed days, gaps, weekdays without orders, and too few days.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

#include <array>
#include <vector>

#include "shortfall/inventory/fit/fit.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/inventory/fit/records_for_tests.hpp"

namespace shortfall::inventory {
namespace {

TEST(RecordedDaysTest, ClosedDaysAndHolidaysAreRecognised) {
  std::mt19937_64 bits(11);
  Records records = simulated({.days = 364, .mean = {6, 6, 6, 6, 6, 6, -1}}, bits);
  records.days.erase(records.days.begin() + 100, records.days.begin() + 103);
  const Fit fit = fit_records(records, {});
  EXPECT_EQ(fit.holidays, 3U);
  EXPECT_TRUE(fit.closed[6]);
  EXPECT_TRUE(fit.without_orders[6]);
  EXPECT_FALSE(fit.closed[5]);
  ASSERT_EQ(fit.demand.days.size(), 7U);
  EXPECT_FALSE(fit.demand.by_weekday);
  EXPECT_TRUE(fit.demand.days[6].closed);
  EXPECT_EQ(fit.demand.days[6].mean, 0.0);
  EXPECT_EQ(fit.demand.days[0].mean, fit.demand.days[5].mean);
  EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::AllOf(
                                ::testing::Field(&Warning::code, WarningCode::closed_weekdays),
                                ::testing::Field(&Warning::weekdays, ::testing::ElementsAre(6U)))));
}

/// Two weeks may be holidays; more may be rows that are missing.
TEST(RecordedDaysTest, LongGapsAreNamed) {
  std::mt19937_64 bits(14);
  const Records all = simulated({.days = 364}, bits);
  const auto warnings = [&](std::ptrdiff_t from, std::ptrdiff_t days) {
    Records records = all;
    records.days.erase(records.days.begin() + from, records.days.begin() + from + days);
    return fit_records(records, {}).warnings;
  };
  const auto of_gap = ::testing::Field(&Warning::code, WarningCode::missing_rows);
  EXPECT_THAT(warnings(100, 14), ::testing::Each(::testing::Not(of_gap)));
  const std::vector<Warning> found = warnings(100, 15);
  const auto of_15_days = std::ranges::find(found, WarningCode::missing_rows, &Warning::code);
  ASSERT_NE(of_15_days, found.end());
  ASSERT_EQ(of_15_days->gaps.size(), 1U);
  EXPECT_EQ(iso_date(of_15_days->gaps[0].first), "2025-04-16");
  EXPECT_EQ(iso_date(of_15_days->gaps[0].last), "2025-04-30");
}

TEST(RecordedDaysTest, WeekdaysWithoutOrdersAreRecognised) {
  std::mt19937_64 bits(12);
  Records records = simulated({.days = 140}, bits);
  records.columns.ordered = true;
  for (DayRecord& day : records.days) {
    const bool weekend = weekday_of(day.date) >= 5;
    day.ordered = weekend || bits() % 3 == 0 ? 0 : 9;
  }
  const Fit fit = fit_records(records, {});
  EXPECT_EQ(fit.without_orders, (std::array<bool, 7>{0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(fit.closed, (std::array<bool, 7>{}));
  records.days.resize(14);  // two weekends: (1/3)⁴ may be chance
  EXPECT_EQ(fit_records(records, {}).without_orders, (std::array<bool, 7>{}));
}

TEST(RecordedDaysTest, FewDaysAreFittedTogetherWithAWarning) {
  std::mt19937_64 bits(13);
  const Records month = simulated({.days = 24, .mean = {16, 16, 16, 16, 16, 2, 2}}, bits);
  const Fit fit = fit_records(month, {});
  EXPECT_EQ(fit.demand.days.size(), 1U);
  EXPECT_THAT(fit.warnings,
              ::testing::Contains(::testing::AllOf(
                  ::testing::Field(&Warning::code, WarningCode::weekdays_not_separated),
                  ::testing::Field(&Warning::weekdays, ::testing::ElementsAre(3U)),
                  ::testing::Field(&Warning::count, 3U))));
  EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::AllOf(
                                ::testing::Field(&Warning::code, WarningCode::few_days),
                                ::testing::Field(&Warning::count, 24U))));
  EXPECT_EQ(fit_records(month, {.by_weekday = ByWeekday::yes}).demand.days.size(), 7U);
  const Records one = days_with(std::vector<std::uint32_t>{4});
  EXPECT_EQ(fit_records(one, {}).demand.days.size(), 1U);
  EXPECT_EQ(fit_records(one, {}).demand.law, DemandLaw::poisson) << "not: always four";
}

TEST(RecordedDaysTest, RefusesRecordsThatTellNothing) {
  Records records = days_with(std::vector<std::uint32_t>{4, 5, 6});
  for (DayRecord& day : records.days) day.stockout = true;
  io::expect_rejected([&] { fit_records(records, {}); }, {"ran out on every day", "accepted: "});
  io::expect_rejected([&] { fit_records({}, {}); }, {"there is no day"});
  io::expect_rejected([&] { fit_records(days_with(std::vector<std::uint32_t>{1001}), {}); },
                      {"2025-01-06: demand 1001", "0 to 1000"});
  io::expect_rejected(
      [&] { fit_records(days_with(std::vector<std::uint32_t>{1}), {.shelf_life = 11}); },
      {"shelf_life = 11", "1 to 10"});
}

}  // namespace
}  // namespace shortfall::inventory
