#include "studies/platelet_week.hpp"

#include <gtest/gtest.h>

#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

/// Orders up to `up_to` while at most 8 units are left; one less for some ages of the largest
/// `by_age` of these totals.
WeekOptimum week_with(double tau, int up_to, int by_age) {
  WeekOptimum week{.tau = tau,
                   .shelf_life = 8,
                   .states = 70,
                   .value = 100.0,
                   .error_bound = 1e-7,
                   .seconds = 5.0,
                   .static_value = 100.0 + 10.0 * tau,
                   .static_error_bound = 1e-7};
  for (std::size_t day = 0; day < 7; ++day) {
    for (int total = 0; total <= 9; ++total) {
      const int most = total <= 8 ? up_to - total : 0;
      week.orders.push_back({.day = day,
                             .total = static_cast<std::size_t>(total),
                             .least = total <= 8 - by_age || total == 9 ? most : most - 1,
                             .most = most});
    }
  }
  return week;
}

Results conclusion(const std::vector<WeekOptimum>& weeks) {
  return conclude(platelet_week({}), weeks);
}

TEST(PlateletWeek, ConfirmsWhatHoldsOfAllLevels) {
  const Results results =
      conclusion({week_with(0.1, 14, 1), week_with(0.5, 17, 2), week_with(0.9, 18, 3)});
  for (const Finding& finding : results.findings) {
    EXPECT_EQ(finding.verdict, Verdict::confirmed) << finding.claim;
  }
  EXPECT_EQ(results.tables.at("optima").size(), 3U);
  EXPECT_EQ(results.tables.at("orders").size(), 3U * 7U * 10U);
}

TEST(PlateletWeek, RefutesWhatFailsAtOneLevel) {
  std::vector<WeekOptimum> weeks{week_with(0.1, 14, 1), week_with(0.5, 17, 1),
                                 week_with(0.9, 16, 1)};
  weeks[0].error_bound = 2e-6;
  weeks[2].static_value = 103.0;
  for (const Finding& finding : conclusion(weeks).findings) {
    EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.claim;
  }
}

TEST(PlateletWeek, LeavesShelfLifeEightOpenWhereItIsNotSolved) {
  std::vector<WeekOptimum> weeks{week_with(0.1, 14, 1), week_with(0.9, 18, 1)};
  for (WeekOptimum& week : weeks) week.shelf_life = 5;
  EXPECT_EQ(verdict_on(conclusion(weeks), "The optimum of a week"), Verdict::open);
}

TEST(PlateletWeek, SolvesShelfLifeFiveWithAnOptimumThatNoOtherOrdersBeat) {
  const Study study = platelet_week({.scale = Scale::quick});
  ASSERT_EQ(study.parts.size(), 3U);
  const auto week = computed<WeekOptimum>(study.parts[1]);
  EXPECT_EQ(week.tau, 0.5);
  EXPECT_EQ(week.states, 7U * 10626U);
  EXPECT_GE(week.static_value + week.static_error_bound, week.value - week.error_bound);
  EXPECT_LE(week.error_bound, 1e-6);
  EXPECT_EQ(week.at_empty().size(), 7U);
  EXPECT_EQ(week.orders.size(), 7U * 21U);
  for (const WeekOrder& order : week.orders) {
    EXPECT_LE(order.least, order.most);
    EXPECT_LE(order.most + static_cast<int>(order.total), 20);
  }
}

}  // namespace
}  // namespace shortfall::studies
