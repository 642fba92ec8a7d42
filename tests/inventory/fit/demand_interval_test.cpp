// How certain fitted demand is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "inventory/fit/demand_candidates.hpp"
#include "inventory/fit/likelihood.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "tests/inventory/fit/records_for_tests.hpp"

namespace shortfall::inventory {
namespace {

TEST(DemandIntervalTest, PoissonIntervalsSolveTheirEquation) {
  std::mt19937_64 bits(3);
  const Fit fit = fit_records(simulated({.days = 200, .n = 0.0}, bits),
                              {.distribution = DemandLaw::poisson, .by_weekday = ByWeekday::no});
  const DemandOfDay& day = fit.demand.days[0];
  EXPECT_LT(day.mean_interval.low, day.mean);
  EXPECT_GT(day.mean_interval.high, day.mean);
  for (const double end : {day.mean_interval.low, day.mean_interval.high}) {
    EXPECT_NEAR(2.0 * 200.0 * (end - day.mean + day.mean * std::log(day.mean / end)),
                detail::chi_square_95, 1e-5);
  }
}

TEST(DemandIntervalTest, AWeekdayWithoutDemandHasMeanZero) {
  std::mt19937_64 bits(4);
  const Fit fit = fit_records(simulated({.days = 350, .mean = {6, 6, 6, 6, 6, 6, 0}}, bits),
                              {.distribution = DemandLaw::poisson, .by_weekday = ByWeekday::yes});
  const DemandOfDay& sunday = fit.demand.days[6];
  EXPECT_EQ(sunday.mean, 0.0);
  EXPECT_EQ(sunday.mean_interval.low, 0.0);
  // The mean with which 50 days without any demand have probability 0.05.
  EXPECT_NEAR(sunday.mean_interval.high, -std::log(0.05) / 50.0, 1e-8);
  EXPECT_FALSE(sunday.closed);
}

/// No records are so regular that the mean is known without doubt, whatever the law.
TEST(DemandIntervalTest, NoIntervalHasWidthZero) {
  for (const std::uint32_t demand : {0U, 1U, 5U}) {
    for (const std::size_t days : {1UL, 2UL, 30UL, 365UL}) {
      for (const auto law :
           {std::optional<DemandLaw>(), std::optional(DemandLaw::poisson),
            std::optional(DemandLaw::negative_binomial), std::optional(DemandLaw::empirical)}) {
        SCOPED_TRACE(fmt::format("{} on {} days", demand, days));
        const Fit fit =
            fit_records(days_with(std::vector<std::uint32_t>(days, demand)), {.distribution = law});
        const DemandOfDay& day = fit.demand.days.front();
        EXPECT_EQ(day.mean_interval.low == 0.0, demand == 0);
        EXPECT_LE(day.mean_interval.low, day.mean);
        // A share p of days that differ stays unseen on n days with probability (1 - p)^n. If they
        // differ by one unit, the mean is off by p.
        const double unseen = 1.0 - std::pow(0.05, 1.0 / static_cast<double>(days));
        EXPECT_GE(day.mean_interval.high - day.mean, unseen - 1e-9);
        EXPECT_LT(day.mean_interval.high, 1e3);
      }
    }
  }
}

TEST(DemandIntervalTest, IntervalsHoldTheTruthAsOftenAsTheySay) {
  // Of 150 years, 95 % are 142.5; four standard deviations are 10.7. the study has 1000 years.
  constexpr int years = 150;
  int mean_held = 0;
  int n_held = 0;
  double width = 0.0;
  std::mt19937_64 bits(5);
  for (int year = 0; year < years; ++year) {
    const detail::DemandGroups groups =
        detail::all_days(simulated({.days = 364, .stock = 12}, bits));
    const detail::DemandProblem problem(groups.counts, detail::Dispersion::common);
    const detail::DemandEstimate best = problem.maximum();
    const Interval mean = problem.mean_interval(best, 0);
    const Interval n = problem.n_interval(best);
    mean_held += mean.low <= 6.0 && 6.0 <= mean.high ? 1 : 0;
    n_held += n.low <= 11.0 && 11.0 <= n.high ? 1 : 0;
    width += (mean.high - mean.low) / 2.0 / years;
  }
  EXPECT_GE(mean_held, 132);
  EXPECT_LT(mean_held, years);
  EXPECT_GE(n_held, 132);
  EXPECT_LT(n_held, years);
  // Demand has variance 6 + 6² / 11. If no day sold out, an interval would end 1.96 standard errors
  // from the mean; one day in twenty does, which hides its demand above 12 and makes intervals
  // wider.
  const double standard_error = std::sqrt((6.0 + 36.0 / 11.0) / 364.0);
  EXPECT_GT(width, 1.96 * standard_error);
  EXPECT_LT(width, 1.06 * 1.96 * standard_error);
}

}  // namespace
}  // namespace shortfall::inventory
