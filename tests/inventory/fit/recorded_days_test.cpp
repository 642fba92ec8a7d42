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

/// Two years of 103 Sundays without a row, and one with one.
TEST(RecordedDaysTest, ARowOnAClosedWeekdayIsLeftOutAndNamed) {
  std::mt19937_64 bits(21);
  const Records regular = simulated({.days = 728, .mean = {9, 8, 7, 6, 5, 4, -1}}, bits);
  Records records = regular;
  DayRecord sunday = records.days[300];
  sunday.date = *parse_iso_date("2025-12-28");
  ASSERT_EQ(weekday_of(sunday.date), 6U);
  const auto next = std::ranges::find_if(
      records.days, [&](const DayRecord& day) { return day.date > sunday.date; });
  records.days.insert(next, sunday);
  const Fit fit = fit_records(records, {});
  const Fit expected = fit_records(regular, {});
  EXPECT_TRUE(fit.closed[6]);
  EXPECT_EQ(fit.holidays, expected.holidays);
  EXPECT_TRUE(fit.demand.by_weekday);
  EXPECT_EQ(fit.demand.log_likelihood, expected.demand.log_likelihood);
  const auto warning = std::ranges::find(fit.warnings, WarningCode::stray_rows, &Warning::code);
  ASSERT_NE(warning, fit.warnings.end());
  EXPECT_EQ(warning->dates, std::vector{sunday.date});
  EXPECT_EQ(warning->total, 103U);
  EXPECT_THAT(fit.warnings, ::testing::Each(::testing::Not(
                                ::testing::Field(&Warning::code, WarningCode::closed_weekdays))));
}

/// A quarter of the days is an exception, more is not; nor is what chance explains.
TEST(RecordedDaysTest, FewRowsOnAWeekdayAreExceptionsOnlyBesideManyOnOthers) {
  std::mt19937_64 bits(22);
  const Records all = simulated({.days = 280}, bits);
  const auto is_closed = [&](std::size_t sundays, std::uint64_t one_in) {
    Records records = all;
    std::size_t seen = 0;
    std::mt19937_64 gaps(1);
    std::erase_if(records.days, [&](const DayRecord& day) {
      if (weekday_of(day.date) == 6) return ++seen <= 40 - sundays;
      return one_in > 1 && gaps() % one_in != 0;
    });
    return fit_records(records, {}).closed[6];
  };
  EXPECT_TRUE(is_closed(10, 1)) << "10 of 40 Sundays";
  EXPECT_FALSE(is_closed(11, 1));
  EXPECT_FALSE(is_closed(10, 4)) << "every fourth day has a row, whatever the weekday";
}

TEST(RecordedDaysTest, AFirstDayWithoutAnOrderSaysNothingAboutItsWeekday) {
  Records week = days_with(std::vector<std::uint32_t>{3, 4, 5, 4, 3, 2, 4});
  week.columns.ordered = true;
  for (DayRecord& day : week.days) day.ordered = 5;
  week.days[0].ordered = 0;
  EXPECT_EQ(fit_records(week, {}).without_orders, (std::array<bool, 7>{}));
}

TEST(RecordedDaysTest, ATypingErrorIsNamedByItsDay) {
  std::mt19937_64 bits(23);
  Records records = simulated({.days = 200}, bits);
  const auto unlikely = [&] {
    std::vector<std::string> dates;
    for (const Warning& warning : fit_records(records, {}).warnings) {
      if (warning.code == WarningCode::unlikely_demand) dates.push_back(iso_date(warning.dates[0]));
    }
    return dates;
  };
  EXPECT_THAT(unlikely(), ::testing::IsEmpty());
  records.days[57].demand = 150;
  const std::string first = iso_date(records.days[57].date);
  EXPECT_THAT(unlikely(), ::testing::ElementsAre(first));
  records.days[90].demand = 120;
  EXPECT_THAT(unlikely(), ::testing::UnorderedElementsAre(first, iso_date(records.days[90].date)));
}

/// A tenth of the days has a demand of up to 60: the largest is no error.
TEST(RecordedDaysTest, RareLargeDemandsAreNoTypingErrors) {
  std::mt19937_64 bits(24);
  int named = 0;
  for (int sample = 0; sample < 100; ++sample) {
    std::vector<std::uint32_t> demands;
    for (int day = 0; day < 200; ++day) {
      demands.push_back(draw_index(bits, 10) == 0 ? 1 + draw_index(bits, 60) : 0);
    }
    const Fit fit = fit_records(days_with(demands), {.by_weekday = ByWeekday::no});
    named += std::ranges::count(fit.warnings, WarningCode::unlikely_demand, &Warning::code) > 0;
  }
  EXPECT_EQ(named, 0);
}

/// A shelf that is filled to `stock` with fresh units each morning; what is left expires.
Records with_shelf(double mean, std::uint32_t stock, StockoutMeaning marked,
                   std::mt19937_64& bits) {
  Records records{.days = {}, .columns = {.stockout = true, .ordered = true, .received = 1}};
  const std::vector<double> law = poisson_demand(mean, 60);
  for (int t = 0; t < 365; ++t) {
    DayRecord& day = records.days.emplace_back();
    day.date = *parse_iso_date("2025-01-06") + std::chrono::days(t);
    const std::uint32_t demand = drawn(law, draw_uniform(bits));
    day.ordered = stock;
    day.received = {stock};
    day.demand = std::min(demand, stock);
    day.stockout = marked == StockoutMeaning::more_than ? demand > stock : demand >= stock;
  }
  return records;
}

/// Both meanings, each fitted as what it is: 95 % intervals hold the mean in 95 % of years, and the
/// records themselves show which is meant. Taken for the other, they do not (0.77 for 1).
TEST(RecordedDaysTest, BothMeaningsOfAStockoutAreFittedWithoutBias) {
  std::mt19937_64 bits(25);
  constexpr int years = 60;
  for (const auto& [mean, stock] : {std::pair(1.0, 1U), {3.0, 3U}, {6.0, 6U}}) {
    for (const auto marked : {StockoutMeaning::at_least, StockoutMeaning::more_than}) {
      double sum = 0.0;
      int held = 0;
      for (int year = 0; year < years; ++year) {
        const Fit fit =
            fit_records(with_shelf(mean, stock, marked, bits),
                        {.distribution = DemandLaw::poisson, .by_weekday = ByWeekday::no});
        EXPECT_EQ(fit.stockout, marked);
        EXPECT_EQ(fit.stockout_source, StockoutSource::records);
        const DemandOfDay& day = fit.demand.days[0];
        sum += day.mean;
        held += day.mean_interval.low <= mean && mean <= day.mean_interval.high ? 1 : 0;
      }
      // 365 days know a mean within 6, 4 and 2 % or so; 60 years eight times as well.
      EXPECT_NEAR(sum / years, mean, 0.03 * mean);
      EXPECT_GE(held, 50);  // of 57 expected; 50 or fewer in one of 800 cases
    }
    const Records unmet = with_shelf(mean, stock, StockoutMeaning::more_than, bits);
    const Fit wrong = fit_records(unmet, {.distribution = DemandLaw::poisson,
                                          .by_weekday = ByWeekday::no,
                                          .stockout = StockoutMeaning::at_least});
    EXPECT_LT(wrong.demand.days[0].mean, 0.97 * mean);
    EXPECT_EQ(wrong.stockout_source, StockoutSource::option);
  }
}

TEST(RecordedDaysTest, WithoutDeliveriesTheMeaningOfAStockoutIsAssumed) {
  std::mt19937_64 bits(26);
  Records records = with_shelf(3.0, 3, StockoutMeaning::more_than, bits);
  for (DayRecord& day : records.days) {
    day.received.clear();
    day.ordered.reset();
  }
  const Fit fit = fit_records(records, {});
  EXPECT_EQ(fit.stockout, StockoutMeaning::at_least);
  EXPECT_EQ(fit.stockout_source, StockoutSource::assumed);
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
