#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "inventory/chi_square.hpp"
#include "inventory/demand_candidates.hpp"
#include "inventory/demand_maximum.hpp"
#include "inventory/demand_terms.hpp"
#include "inventory/level_changes.hpp"
#include "shortfall/infinity.hpp"
#include "shortfall/inventory/fit.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/inventory/records_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using detail::DemandTerms;

// ---- The laws, against plain sums in extended precision

long double plain_log_probability(unsigned k, long double mean, long double n) {
  return std::lgamma(n + k) - std::lgamma(n) - std::lgamma(k + 1.0L) +
         n * std::log(n / (n + mean)) + k * std::log(mean / (n + mean));
}

long double plain_log_tail(unsigned k, long double mean, long double n) {
  long double sum = 0;
  for (unsigned j = k; j < k + 2000; ++j) sum += std::exp(plain_log_probability(j, mean, n));
  return std::log(sum);
}

TEST(DemandTermsTest, TermsAndDerivativesEqualPlainSums) {
  for (const long double n : {0.7L, 11.0L, 400.0L}) {
    for (const long double mean : {0.4L, 6.0L, 30.0L}) {
      for (const unsigned k : {0U, 1U, 5U, 12U, 60U}) {
        const auto alpha = static_cast<double>(1.0L / n);
        const auto mu = static_cast<double>(mean);
        const DemandTerms terms(alpha, 60);
        constexpr long double h = 1e-6L;
        for (const bool tail : {false, true}) {
          const auto plain = [&](long double m, long double size) {
            return tail ? plain_log_tail(k, m, size) : plain_log_probability(k, m, size);
          };
          const auto term = tail ? terms.at_least(k, mu) : terms.exactly(k, mu);
          const auto by_mean =
              (plain(mean * std::exp(h), n) - plain(mean * std::exp(-h), n)) / (2 * h);
          const auto step = h / n;
          const auto by_alpha =
              (plain(mean, 1 / (1 / n + step)) - plain(mean, 1 / (1 / n - step))) / (2 * step);
          SCOPED_TRACE(fmt::format("n {} mean {} k {} {}", static_cast<double>(n), mu, k, tail));
          // Where P(D >= k) is nearly one, its logarithm is nearly zero, so the error is absolute.
          EXPECT_NEAR(term.value, static_cast<double>(plain(mean, n)),
                      1e-12 * (1 + std::abs(term.value)));
          EXPECT_NEAR(term.by_log_mean, static_cast<double>(by_mean),
                      1e-9 * (1 + std::abs(term.by_log_mean)));
          EXPECT_NEAR(term.by_dispersion, static_cast<double>(by_alpha),
                      1e-7 * (1 + std::abs(term.by_dispersion)));
        }
      }
    }
  }
}

TEST(DemandTermsTest, NoDispersionIsThePoissonLaw) {
  const DemandTerms poisson(0.0, 30);
  const DemandTerms nearly(1e-9, 30);
  for (const std::size_t k : std::vector<std::size_t>{0, 3, 9, 30}) {
    EXPECT_NEAR(
        poisson.exactly(k, 5.0).value,
        static_cast<double>(k) * std::log(5.0) - 5.0 - std::lgamma(static_cast<double>(k) + 1.0),
        1e-12);
    EXPECT_NEAR(poisson.at_least(k, 5.0).value, nearly.at_least(k, 5.0).value, 1e-6);
    EXPECT_NEAR(poisson.at_least(k, 5.0).by_dispersion, nearly.at_least(k, 5.0).by_dispersion,
                1e-4);
  }
}

// ---- The maximum

/// Where a function with one maximum has it, by golden section.
long double golden_section(long double low, long double high,
                           const std::function<long double(long double)>& f) {
  const long double ratio = (std::sqrt(5.0L) - 1) / 2;
  long double a = high - ratio * (high - low);
  long double b = low + ratio * (high - low);
  long double at_a = f(a);
  long double at_b = f(b);
  while (high - low > 1e-10L) {
    if (at_a < at_b) {
      low = a;
      a = b;
      at_a = at_b;
      at_b = f(b = low + ratio * (high - low));
    } else {
      high = b;
      b = a;
      at_b = at_a;
      at_a = f(a = high - ratio * (high - low));
    }
  }
  return (low + high) / 2;
}

TEST(DemandFitTest, EuropeanRedMitesHaveTheirPublishedEstimate) {
  // Bliss and Fisher, Biometrics 9 (1953): mites on 150 apple leaves; k = 1.02459 by maximum
  // likelihood.
  std::vector<std::uint32_t> mites;
  std::uint32_t number = 0;
  for (const int leaves : {70, 38, 17, 10, 9, 3, 2, 1}) {
    mites.insert(mites.end(), static_cast<std::size_t>(leaves), number++);
  }
  const Fit fit = fit_records(days_with(mites), {.distribution = DemandLaw::negative_binomial,
                                                 .by_weekday = ByWeekday::no});
  EXPECT_NEAR(fit.demand.days[0].n, 1.02459, 5e-6);
  EXPECT_NEAR(fit.demand.days[0].mean, 172.0 / 150.0, 1e-7);
}

TEST(DemandFitTest, CensoredWeekdaysEqualAnIndependentMaximum) {
  std::mt19937_64 bits(1);
  const Records records =
      simulated({.days = 364, .mean = {7, 6, 5, 6, 8, 4, 3}, .n = 6.0, .stock = 9}, bits);
  const Fit fit = fit_records(
      records, {.distribution = DemandLaw::negative_binomial, .by_weekday = ByWeekday::yes});
  ASSERT_EQ(fit.demand.days.size(), 7U);
  ASSERT_FALSE(fit.demand.candidates.front().n_by_weekday);
  // Days by weekday and record, so that golden section within golden section is quick.
  std::array<std::map<std::pair<bool, unsigned>, int>, 7> counts;
  for (const DayRecord& day : records.days) {
    ++counts[weekday_of(day.date)][{day.stockout, day.demand}];
  }
  const auto log_likelihood = [&](std::size_t weekday, long double mean, long double n) {
    long double sum = 0;
    for (const auto& [record, days] : counts[weekday]) {
      long double below = 0;
      for (unsigned k = 0; record.first && k < record.second; ++k) {
        below += std::exp(plain_log_probability(k, mean, n));
      }
      sum += days *
             (record.first ? std::log(1 - below) : plain_log_probability(record.second, mean, n));
    }
    return sum;
  };
  const auto best_mean = [&](std::size_t weekday, long double n) {
    return std::exp(golden_section(std::log(1.0L), std::log(20.0L), [&](long double log_mean) {
      return log_likelihood(weekday, std::exp(log_mean), n);
    }));
  };
  const auto profile = [&](long double log_n) {
    long double sum = 0;
    for (std::size_t w = 0; w < 7; ++w) {
      sum += log_likelihood(w, best_mean(w, std::exp(log_n)), std::exp(log_n));
    }
    return sum;
  };
  const long double log_n = golden_section(std::log(3.0L), std::log(15.0L), profile);
  EXPECT_NEAR(static_cast<double>(fit.demand.days[0].n / std::exp(log_n)), 1.0, 1e-6);
  for (std::size_t w = 0; w < 7; ++w) {
    EXPECT_NEAR(static_cast<double>(fit.demand.days[w].mean / best_mean(w, std::exp(log_n))), 1.0,
                1e-6);
  }
  EXPECT_NEAR(fit.demand.log_likelihood, static_cast<double>(profile(log_n)), 1e-8);
}

TEST(DemandFitTest, CensoringRecoversTheTruthThatRecordedDemandMisses) {
  std::mt19937_64 bits(2);
  Records records = simulated({.days = 730, .n = 11.0, .stock = 7}, bits);
  const FitOptions options{.distribution = DemandLaw::negative_binomial,
                           .by_weekday = ByWeekday::no};
  const DemandOfDay censored = fit_records(records, options).demand.days[0];
  const double error = (censored.mean_interval.high - censored.mean_interval.low) / (2 * 1.96);
  EXPECT_NEAR(censored.mean, 6.0, 3.0 * error);
  for (DayRecord& day : records.days) day.stockout = false;
  const Fit naive = fit_records(records, {.distribution = DemandLaw::empirical});
  EXPECT_LT(naive.demand.days[0].mean, 6.0 - 5.0 * error);
}

TEST(DemandFitTest, DaysThatVaryLittleArePoisson) {
  std::vector<std::uint32_t> demands;
  for (std::uint32_t t = 0; t < 70; ++t) demands.push_back(4 + t % 3);
  const Fit fit = fit_records(days_with(demands), {.distribution = DemandLaw::negative_binomial,
                                                   .by_weekday = ByWeekday::no});
  EXPECT_EQ(fit.demand.law, DemandLaw::poisson);
  EXPECT_EQ(fit.demand.days[0].n, infinity);
  EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::HasSubstr("no more than Poisson")));
}

TEST(DemandFitTest, TheEmpiricalLawIsTheProductLimitEstimate) {
  // Known demand 1, 2, 2, 4, and a stock-out at 3. At risk: 5 at 1, 4 at 2, 1 at 4.
  const std::vector<std::uint32_t> demands = {1, 2, 2, 4, 3};
  Records records = days_with(demands);
  records.days.back().stockout = true;
  const Fit fit = fit_records(records, {.distribution = DemandLaw::empirical});
  const std::vector<double> expected = {0.0, 0.2, 0.4, 0.0, 0.4};
  ASSERT_EQ(fit.demand.days[0].probabilities.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(fit.demand.days[0].probabilities[k], expected[k], 1e-15);
  }
  EXPECT_NEAR(fit.demand.days[0].mean, 2.6, 1e-14);
  EXPECT_NEAR(fit.demand.log_likelihood, std::log(0.2) + 4.0 * std::log(0.4), 1e-12);
}

// ---- Intervals

TEST(DemandFitTest, PoissonIntervalsSolveTheirEquation) {
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

TEST(DemandFitTest, AWeekdayWithoutDemandHasMeanZero) {
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
TEST(DemandFitTest, NoIntervalHasWidthZero) {
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

TEST(DemandFitTest, IntervalsHoldTheTruthAsOftenAsTheySay) {
  // Of 150 years, 95 % are 142.5; four standard deviations are 10.7. the study has 1000 years.
  constexpr int years = 150;
  int mean_held = 0;
  int n_held = 0;
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
  }
  EXPECT_GE(mean_held, 132);
  EXPECT_LT(mean_held, years);
  EXPECT_GE(n_held, 132);
  EXPECT_LT(n_held, years);
}

// ---- The choice

TEST(DemandFitTest, TheLawAndItsWeekdaysAreChosenByTheirEvidence) {
  std::mt19937_64 bits(6);
  const auto chosen = [&](const SimulatedDays& what) {
    return fit_records(simulated(what, bits), {}).demand;
  };
  const DemandFit plain = chosen({.n = 0.0});
  EXPECT_EQ(plain.law, DemandLaw::poisson);
  EXPECT_EQ(plain.days.size(), 1U);
  const DemandFit dispersed = chosen({.n = 6.0});
  EXPECT_EQ(dispersed.law, DemandLaw::negative_binomial);
  EXPECT_EQ(dispersed.days.size(), 1U);
  const DemandFit weekly = chosen({.mean = {14.4, 16.7, 13.1, 14.2, 15.4, 9.3, 9.8}, .n = 0.0});
  EXPECT_EQ(weekly.law, DemandLaw::poisson);
  EXPECT_EQ(weekly.days.size(), 7U);
  EXPECT_TRUE(weekly.by_weekday);
  std::vector<std::uint32_t> packs;
  for (int t = 0; t < 365; ++t) packs.push_back(bits() % 4 == 0 ? 12 : 0);
  EXPECT_EQ(fit_records(days_with(packs), {}).demand.law, DemandLaw::empirical);
}

// ---- Tests of the fit

TEST(DemandFitTest, GoodnessOfFitHasItsSizeAndFails) {
  std::mt19937_64 bits(7);
  // 200 years of the fitted law, with stock-outs: 10 of 200 are below 0.05; at most 10 + 4 · 3.1.
  int rejected = 0;
  double sum = 0.0;
  for (int year = 0; year < 200; ++year) {
    const detail::DemandGroups groups =
        detail::all_days(simulated({.days = 364, .stock = 10}, bits));
    const detail::DemandEstimate best =
        detail::DemandProblem(groups.counts, detail::Dispersion::common).maximum();
    const auto test = detail::goodness_of_fit(groups.counts, {best.mean, {best.dispersion}});
    rejected += test->p < 0.05 ? 1 : 0;
    sum += test->p;
  }
  EXPECT_LE(rejected, 22);
  EXPECT_GE(rejected, 1);
  EXPECT_NEAR(sum / 200.0, 0.5, 4.0 * std::sqrt(1.0 / 12.0 / 200.0)) << "p is uniform";
  const Fit wrong = fit_records(simulated({.days = 730, .n = 4.0}, bits),
                                {.distribution = DemandLaw::poisson, .by_weekday = ByWeekday::no});
  EXPECT_LT(wrong.demand.goodness->p, 1e-4);
  EXPECT_THAT(wrong.warnings, ::testing::Contains(::testing::HasSubstr("does not look Poisson")));
}

TEST(DemandFitTest, ATrendIsFoundWithItsSlope) {
  std::mt19937_64 bits(8);
  const Fit fit = fit_records(simulated({.days = 728, .growth = 0.3 / 365.25}, bits), {});
  EXPECT_LT(fit.demand.trend->p, 1e-4);
  EXPECT_NEAR(std::log1p(fit.demand.trend->change_per_year), 0.3, 0.12);  // error: 0.03
  EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::HasSubstr("demand ")));
}

TEST(DemandFitTest, ALevelShiftIsFoundWithItsDate) {
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
  EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::HasSubstr("--since")));
}

/// Demand rises shortly before the end: the date is right all the same, or said to be a bound.
TEST(DemandFitTest, ALateLevelShiftIsNotDatedTooEarly) {
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
      EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::HasSubstr(
                                    "on or after " + iso_date(fit.demand.shift->date))));
    }
  }
}

TEST(DemandFitTest, ChangesAreRarelyFoundWhereThereAreNone) {
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

TEST(DemandFitTest, AStepIsNotCalledATrend) {
  std::mt19937_64 bits(31);
  for (const std::size_t day : std::vector<std::size_t>{110, 182, 250}) {
    Records records = simulated({.days = 364}, bits);
    const Records more = simulated({.days = 364, .mean = {10, 10, 10, 10, 10, 10, 10}}, bits);
    for (std::size_t t = day; t < 364; ++t) records.days[t].demand = more.days[t].demand;
    const Fit fit = fit_records(records, {});
    EXPECT_LT(fit.demand.trend->p, 0.01) << day;  // a trend is better than nothing, too
    EXPECT_GT(fit.demand.shift->ratio, fit.demand.trend->ratio) << day;
    EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::HasSubstr("--since"))) << day;
  }
}

TEST(DemandFitTest, ConstantDemandHasNoChangesAndNoCorrelation) {
  std::mt19937_64 bits(32);
  Records records = simulated({.days = 200}, bits);
  for (DayRecord& day : records.days) day.demand = 5;
  const Fit fit = fit_records(records, {});
  EXPECT_EQ(fit.demand.autocorrelation, 0.0);
  EXPECT_FALSE(fit.demand.shift && fit.demand.shift->p < 0.5);
  EXPECT_THAT(fit.warnings, ::testing::Not(::testing::Contains(::testing::HasSubstr("busy"))));
}

// ---- Days

TEST(DemandFitTest, ClosedDaysAndHolidaysAreRecognised) {
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
  EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::HasSubstr("no row is on a Sunday")));
}

/// Two weeks may be holidays; more may be rows that are missing.
TEST(DemandFitTest, LongGapsAreNamed) {
  std::mt19937_64 bits(14);
  const Records all = simulated({.days = 364}, bits);
  const auto warnings = [&](std::ptrdiff_t from, std::ptrdiff_t days) {
    Records records = all;
    records.days.erase(records.days.begin() + from, records.days.begin() + from + days);
    return fit_records(records, {}).warnings;
  };
  const auto of_gap = ::testing::HasSubstr("there is no row from");
  EXPECT_THAT(warnings(100, 14), ::testing::Each(::testing::Not(of_gap)));
  EXPECT_THAT(warnings(100, 15),
              ::testing::Contains(::testing::HasSubstr(
                  "there is no row from 2025-04-16 to 2025-04-30 (15 days): taken as closed; if "
                  "rows are missing, add them, or use only the days from then on with --since "
                  "2025-05-01")));
}

TEST(DemandFitTest, WeekdaysWithoutOrdersAreRecognised) {
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

TEST(DemandFitTest, FewDaysAreFittedTogetherWithAWarning) {
  std::mt19937_64 bits(13);
  const Records month = simulated({.days = 24, .mean = {16, 16, 16, 16, 16, 2, 2}}, bits);
  const Fit fit = fit_records(month, {});
  EXPECT_EQ(fit.demand.days.size(), 1U);
  EXPECT_THAT(fit.warnings,
              ::testing::Contains(::testing::HasSubstr("too few days: Thursday has 3")));
  EXPECT_THAT(fit.warnings, ::testing::Contains(::testing::HasSubstr("only 24 days")));
  EXPECT_EQ(fit_records(month, {.by_weekday = ByWeekday::yes}).demand.days.size(), 7U);
  const Records one = days_with(std::vector<std::uint32_t>{4});
  EXPECT_EQ(fit_records(one, {}).demand.days.size(), 1U);
  EXPECT_EQ(fit_records(one, {}).demand.law, DemandLaw::poisson) << "not: always four";
}

TEST(DemandFitTest, RefusesRecordsThatTellNothing) {
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
