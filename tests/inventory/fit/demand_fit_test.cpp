// The law of demand that fits records best: its maximum, the choice of the law, goodness of fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "inventory/fit/demand_candidates.hpp"
#include "inventory/fit/likelihood.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "tests/inventory/fit/demand_for_tests.hpp"
#include "tests/inventory/fit/records_for_tests.hpp"

namespace shortfall::inventory {
namespace {

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
  EXPECT_THAT(fit.warnings,
              ::testing::Contains(::testing::Field(&Warning::code, WarningCode::poisson_suffices)));
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
  EXPECT_THAT(wrong.warnings, ::testing::Contains(::testing::Field(
                                  &Warning::code, WarningCode::poisson_contradicted)));
}

}  // namespace
}  // namespace shortfall::inventory
