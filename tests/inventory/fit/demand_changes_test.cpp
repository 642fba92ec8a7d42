// Trends, level shifts and correlation of recorded demand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "inventory/fit/level_changes.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "tests/inventory/fit/records_for_tests.hpp"

namespace shortfall::inventory {
namespace {

TEST(DemandChangesTest, ATrendIsFoundWithItsSlope) {
  std::mt19937_64 bits(8);
  const Fit fit = fit_records(simulated({.days = 728, .growth = 0.3 / 365.25}, bits), {});
  EXPECT_LT(fit.demand.trend->p, 1e-4);
  EXPECT_NEAR(std::log1p(fit.demand.trend->change_per_year), 0.3, 0.12);  // error: 0.03
  EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::AnyOf(
                                ::testing::Field(&Warning::code, WarningCode::trend),
                                ::testing::Field(&Warning::code, WarningCode::level_shift))));
}

TEST(DemandChangesTest, ALevelShiftIsFoundWithItsDate) {
  std::mt19937_64 bits(9);
  Records before = simulated({.days = 400}, bits);
  const Records after = simulated({.days = 300, .mean = {8, 8, 8, 8, 8, 8, 8}}, bits);
  for (DayRecord day : after.days) {
    day.date += std::chrono::days(400);
    before.days.push_back(day);
  }
  const Fit fit = fit_records(before, {});
  const auto truth = before.days[400].date;
  EXPECT_LT(fit.demand.shift->p, 1e-6);
  EXPECT_LE(std::abs((fit.demand.shift->date - truth).count()), 21);
  EXPECT_NEAR(fit.demand.shift->change, 1.0 / 3.0, 0.15);
  EXPECT_THAT(fit.warnings,
              ::testing::Contains(::testing::Field(&Warning::code, WarningCode::level_shift)));
}

/// Demand rises shortly before the end: the date is right all the same, or said to be a bound.
TEST(DemandChangesTest, ALateLevelShiftIsNotDatedTooEarly) {
  std::mt19937_64 bits(33);
  for (const std::size_t day : std::vector<std::size_t>{25, 320, 340, 352, 358}) {
    SCOPED_TRACE(day);
    std::array<double, 7> mean{};
    mean.fill(day > 354 ? 30.0 : 14.0);
    Records records = simulated({.days = 364}, bits);
    const Records more = simulated({.days = 364, .mean = mean}, bits);
    for (std::size_t t = day; t < 364; ++t) records.days[t].demand = more.days[t].demand;
    const Fit fit = fit_records(records, {.by_weekday = ByWeekday::no});
    ASSERT_TRUE(fit.demand.shift.has_value());
    EXPECT_LT(fit.demand.shift->p, 0.01);
    const auto found = (fit.demand.shift->date - records.days.front().date).count();
    // Ten days are needed after a change.
    const auto dated = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(day), 354);
    EXPECT_LE(std::abs(found - dated), 3);
    EXPECT_EQ(fit.demand.shift->or_later, found == 354);
    if (day == 358) {
      EXPECT_THAT(
          fit.warnings,
          ::testing::Contains(::testing::AllOf(
              ::testing::Field(&Warning::code, WarningCode::level_shift_or_later),
              ::testing::Field(&Warning::dates, ::testing::ElementsAre(fit.demand.shift->date)))));
    }
  }
}

TEST(DemandChangesTest, ChangesAreRarelyFoundWhereThereAreNone) {
  EXPECT_NEAR(detail::largest_bridge_tail(8.85, 0.15), 0.05, 0.005);  // Andrews' points
  EXPECT_NEAR(detail::largest_bridge_tail(12.35, 0.15), 0.01, 0.001);
  std::mt19937_64 bits(10);
  int trends = 0;
  int shifts = 0;
  for (int year = 0; year < 100; ++year) {
    const Records records = simulated({.days = 364}, bits);
    std::vector<detail::ExpectedDay> days;
    for (const DayRecord& day : records.days) days.push_back({day.date, day.demand, false, 6.0});
    const detail::LevelChanges changes(std::move(days), 1.0 / 11.0);
    trends += changes.trend().p < 0.05 ? 1 : 0;
    const auto shift = changes.shift();
    shifts += shift && shift->p < 0.05 ? 1 : 0;
  }
  EXPECT_LE(trends, 14);  // 5 expected, standard deviation 2.2
  EXPECT_LE(shifts, 14);
}

TEST(DemandChangesTest, AStepIsNotCalledATrend) {
  std::mt19937_64 bits(31);
  for (const std::size_t day : std::vector<std::size_t>{110, 182, 250}) {
    Records records = simulated({.days = 364}, bits);
    const Records more = simulated({.days = 364, .mean = {10, 10, 10, 10, 10, 10, 10}}, bits);
    for (std::size_t t = day; t < 364; ++t) records.days[t].demand = more.days[t].demand;
    const Fit fit = fit_records(records, {});
    EXPECT_LT(fit.demand.trend->p, 0.01) << day;  // a trend is better than nothing, too
    EXPECT_GT(fit.demand.shift->ratio, fit.demand.trend->ratio) << day;
    EXPECT_THAT(fit.warnings,
                ::testing::Contains(::testing::Field(&Warning::code, WarningCode::level_shift)))
        << day;
  }
}

TEST(DemandChangesTest, ConstantDemandHasNoChangesAndNoCorrelation) {
  std::mt19937_64 bits(32);
  Records records = simulated({.days = 200}, bits);
  for (DayRecord& day : records.days) day.demand = 5;
  const Fit fit = fit_records(records, {});
  EXPECT_EQ(fit.demand.autocorrelation, 0.0);
  EXPECT_FALSE(fit.demand.shift && fit.demand.shift->p < 0.5);
  EXPECT_THAT(fit.warnings, ::testing::Not(::testing::Contains(
                                ::testing::Field(&Warning::code, WarningCode::dependent_days))));
}

}  // namespace
}  // namespace shortfall::inventory
