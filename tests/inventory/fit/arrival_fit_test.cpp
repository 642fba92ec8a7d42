#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/model/arrival.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/inventory/fit/records_for_tests.hpp"

namespace shortfall::inventory {
namespace {

/// A year of deliveries of 4 to 12 units, with the ages of `arrival` of the weekday.
Records with_deliveries(const std::vector<Arrival>& week, std::mt19937_64& bits,
                        std::size_t days = 365) {
  Records records = simulated({.days = days}, bits);
  records.columns.received = week.front().shelf_life();
  records.columns.ordered = true;
  for (DayRecord& day : records.days) {
    const std::uint32_t order = 4 + draw_index(bits, 9);
    const Arrival& arrival = week[week.size() == 1 ? 0 : weekday_of(day.date)];
    const std::vector<double> p = arrival.probabilities(order);
    day.ordered = order;
    day.received.assign(p.size(), 0);
    for (std::uint32_t unit = 0; unit < order; ++unit) ++day.received[drawn(p, draw_uniform(bits))];
  }
  return records;
}

const Arrival platelet_ages = Arrival::logit(5, {1.9, 3.1, 3.1, 2.5}, {-0.03, -0.06, -0.03, -0.09});

TEST(ArrivalFitTest, SharesAreFrequenciesWithWilsonIntervals) {
  std::mt19937_64 bits(1);
  const Records records = with_deliveries({Arrival::shares({0.05, 0.25, 0.7})}, bits);
  const Fit fit = fit_records(records, {.shelf_life = 3});
  ASSERT_EQ(fit.arrival.law, ArrivalLaw::shares);
  ASSERT_EQ(fit.arrival.shares.size(), 1U);
  std::vector<double> units(3);
  for (const DayRecord& day : records.days) {
    for (std::size_t i = 0; i < 3; ++i) units[i] += day.received[i];
  }
  const auto total = static_cast<double>(fit.arrival.units);
  EXPECT_EQ(units[0] + units[1] + units[2], total);
  EXPECT_EQ(fit.arrival.deliveries, 365U);
  double log_likelihood = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Share& share = fit.arrival.shares[0][i];
    EXPECT_NEAR(share.value, units[i] / total, 1e-15);
    log_likelihood += units[i] * std::log(share.value);
    for (const double end : {share.interval.low, share.interval.high}) {  // a score test at 5 %
      EXPECT_NEAR(std::abs(share.value - end) /
                      std::sqrt(end * (1.0 - end) / (total / fit.arrival.dispersion)),
                  1.959964, 1e-5);
    }
  }
  EXPECT_NEAR(fit.arrival.log_likelihood, log_likelihood, 1e-8);
  EXPECT_NEAR(fit.arrival.dispersion, 1.0, 0.2);  // 726 degrees of freedom: 4 · √(2/726)
}

TEST(ArrivalFitTest, WeekdaysWithOtherSharesAreKeptApart) {
  std::mt19937_64 bits(2);
  std::vector<Arrival> week(7, Arrival::shares({0.1, 0.3, 0.6}));
  week[3] = Arrival::shares({0.0, 0.1, 0.9});
  const Fit fit = fit_records(with_deliveries(week, bits), {.shelf_life = 3});
  ASSERT_EQ(fit.arrival.law, ArrivalLaw::shares);
  ASSERT_EQ(fit.arrival.shares.size(), 7U);
  EXPECT_LT(fit.arrival.weekday_p, 1e-6);
  EXPECT_EQ(fit.arrival.shares[3][0].value, 0.0);
  EXPECT_EQ(fit.arrival.shares[3][0].interval.low, 0.0);
  EXPECT_GT(fit.arrival.shares[3][0].interval.high, 0.0);
  EXPECT_NEAR(fit.arrival.shares[3][2].value, 0.9, 0.06);  // 416 units: error 0.015
  EXPECT_NEAR(fit.arrival.shares[0][2].value, 0.6, 0.1);
}

TEST(ArrivalFitTest, TheLogitIsFoundAndIsTheMaximum) {
  std::mt19937_64 bits(3);
  const Arrival truth = Arrival::logit(4, {1.0, 2.0, 3.0}, {0.0, -0.1, -0.3});
  const Records records = with_deliveries({truth}, bits, 730);
  const Fit fit = fit_records(records, {.shelf_life = 4});
  ASSERT_EQ(fit.arrival.law, ArrivalLaw::logit);
  EXPECT_LT(fit.arrival.order_p, 1e-10);
  std::vector<double> c0;
  std::vector<double> c1;
  for (std::size_t i = 0; i < 3; ++i) {
    c0.push_back(fit.arrival.c0[i].value);
    c1.push_back(fit.arrival.c1[i].value);
    EXPECT_LT(fit.arrival.c1[i].interval.low, fit.arrival.c1[i].value);
    EXPECT_LT(fit.arrival.c1[i].value, fit.arrival.c1[i].interval.high);
  }
  EXPECT_LT(fit.arrival.c1[2].interval.high, 0.0);
  // The likelihood is concave, and its maximum is where units and units times order are as many as
  // expected: a second method for the same numbers.
  const Arrival fitted = Arrival::logit(4, c0, c1);
  std::vector<double> excess(4);
  std::vector<double> moment(4);
  for (const DayRecord& day : records.days) {
    const std::vector<double> p = fitted.probabilities(*day.ordered);
    for (std::size_t i = 0; i < 4; ++i) {
      excess[i] += day.received[i] - *day.ordered * p[i];
      moment[i] += *day.ordered * (day.received[i] - *day.ordered * p[i]);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(excess[i], 0.0, 1e-4);  // of about 1000: the curvature in c0 is of that size
    EXPECT_NEAR(moment[i], 0.0, 1e-2);
  }
}

TEST(ArrivalFitTest, SharesThatDoNotDependOnTheOrderStayPlain) {
  std::mt19937_64 bits(4);
  int logits = 0;
  for (int year = 0; year < 40; ++year) {
    const Fit fit = fit_records(with_deliveries({Arrival::shares({0.1, 0.3, 0.6})}, bits, 140),
                                {.shelf_life = 3});
    logits += fit.arrival.law == ArrivalLaw::logit ? 1 : 0;
    EXPECT_EQ(fit.arrival.shares.size(), 1U);
  }
  EXPECT_LE(logits, 3);  // 0.4 expected
}

TEST(ArrivalFitTest, FreshUnitsAndAbsentAges) {
  std::mt19937_64 bits(5);
  const Fit fresh = fit_records(with_deliveries({Arrival::fresh(4)}, bits), {.shelf_life = 4});
  EXPECT_EQ(fresh.arrival.law, ArrivalLaw::fresh);
  EXPECT_EQ(fresh.arrival.shares[0][3].value, 1.0);
  EXPECT_GT(fresh.arrival.shares[0][3].interval.low, 0.99);
  const Fit partly = fit_records(with_deliveries({Arrival::shares({0.0, 0.4, 0.0, 0.6})}, bits),
                                 {.shelf_life = 4});
  EXPECT_EQ(partly.arrival.shares[0][0].value, 0.0);
  // The order matters, and no unit has one day left, on which coefficients are based.
  std::vector<Arrival> by_size;
  Records records = with_deliveries({Arrival::shares({0.0, 0.4, 0.6})}, bits);
  for (DayRecord& day : records.days) {
    if (*day.ordered > 8) day.received = {0, *day.ordered, 0};
  }
  const Fit logit = fit_records(records, {.shelf_life = 3});
  ASSERT_EQ(logit.arrival.law, ArrivalLaw::logit);
  const Arrival fitted = Arrival::logit(3, {logit.arrival.c0[0].value, logit.arrival.c0[1].value},
                                        {logit.arrival.c1[0].value, logit.arrival.c1[1].value});
  EXPECT_LT(fitted.probabilities(6)[0], 1e-9);
}

TEST(ArrivalFitTest, UnitsOfOneDeliveryMayBeAlike) {
  std::mt19937_64 bits(6);
  Records records = with_deliveries({Arrival::shares({0.2, 0.3, 0.5})}, bits);
  for (DayRecord& day : records.days) {  // all units of a day have the age of one of them
    const std::uint32_t age = drawn(std::vector<double>{0.2, 0.3, 0.5}, draw_uniform(bits));
    day.received.assign(3, 0);
    day.received[age] = *day.ordered;
  }
  const Fit fit = fit_records(records, {.shelf_life = 3});
  EXPECT_NEAR(fit.arrival.dispersion, 8.0, 2.0);  // as many as units in a delivery
  EXPECT_EQ(fit.arrival.law, ArrivalLaw::shares);
  EXPECT_EQ(fit.arrival.shares.size(), 1U) << "the apparent differences of weekdays are chance";
}

TEST(ArrivalFitTest, AllUnitsMayHaveOneAgeThatIsNotFresh) {
  std::mt19937_64 bits(8);
  for (std::size_t age = 0; age < 3; ++age) {
    std::vector<double> shares(4, 0.0);
    shares[age] = 1.0;
    const Fit fit =
        fit_records(with_deliveries({Arrival::shares(shares)}, bits, 20), {.shelf_life = 4});
    ASSERT_EQ(fit.arrival.law, ArrivalLaw::shares);
    ASSERT_EQ(fit.arrival.shares.size(), 1U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(fit.arrival.shares[0][i].value, i == age ? 1.0 : 0.0);
    }
    EXPECT_EQ(fit.arrival.weekday_p, 1.0);
    EXPECT_EQ(fit.arrival.order_p, 1.0);
  }
}

/// Deliveries of one age each, of very different sizes: intervals hold, and weekdays that are alike
/// differ significantly no more often than they should.
TEST(ArrivalFitTest, IntervalsHoldWhereEachDeliveryHasOneAge) {
  std::mt19937_64 bits(9);
  const std::vector<double> truth = {0.2, 0.3, 0.5};
  int held = 0;
  int significant = 0;
  constexpr int years = 300;
  for (int year = 0; year < years; ++year) {
    Records records = simulated({.days = 200}, bits);
    records.columns.received = 3;
    for (DayRecord& day : records.days) {
      day.received.assign(3, 0);
      day.received[drawn(truth, draw_uniform(bits))] = draw_index(bits, 4) == 0 ? 20 : 2;
    }
    const Fit fit = fit_records(records, {.shelf_life = 3, .by_weekday = ByWeekday::no});
    significant += fit.arrival.weekday_p < 0.01 ? 1 : 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Interval& interval = fit.arrival.shares[0][i].interval;
      held += interval.low <= truth[i] && truth[i] <= interval.high ? 1 : 0;
    }
  }
  EXPECT_GE(held, 0.93 * 3 * years);
  EXPECT_LE(significant, 0.025 * years);  // 0.01 expected; more in one of 100 cases
}

TEST(ArrivalFitTest, TwoDeliveriesSayNothingAboutWeekdays) {
  Records records = days_with(std::vector<std::uint32_t>{3, 4});
  records.columns.received = 3;
  records.days[0].received = {0, 2, 5};
  records.days[1].received = {3, 1, 0};
  EXPECT_EQ(fit_records(records, {.shelf_life = 3}).arrival.weekday_p, 1.0);
}

TEST(ArrivalFitTest, WithoutAgesUnitsAreTakenAsFresh) {
  std::mt19937_64 bits(7);
  const Fit fit = fit_records(simulated({}, bits), {.shelf_life = 5});
  EXPECT_EQ(fit.arrival.law, ArrivalLaw::unknown);
  EXPECT_THAT(fit.warnings,
              ::testing::Contains(::testing::Field(&Warning::code, WarningCode::ages_unknown)));
  Records records = with_deliveries({platelet_ages}, bits);
  io::expect_rejected([&] { fit_records(records, {.shelf_life = 4}); },
                      {"1 to 5 periods left", "the shelf life is 4"});
  *records.days[7].ordered += 2;
  EXPECT_THAT(
      fit_records(records, {.shelf_life = 5}).warnings,
      ::testing::Contains(::testing::AllOf(
          ::testing::Field(&Warning::code, WarningCode::deliveries_differ),
          ::testing::Field(&Warning::dates, ::testing::ElementsAre(records.days[7].date)))));
}

}  // namespace
}  // namespace shortfall::inventory
