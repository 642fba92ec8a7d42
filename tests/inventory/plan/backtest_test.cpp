#include "shortfall/inventory/plan/backtest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "inventory/plan/replay.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Not;
using Units = std::vector<std::uint32_t>;
using std::chrono::days;

const std::chrono::sys_days monday = *parse_iso_date("2026-11-02");
const Criterion cautious{AnyLoss::parse("expectile:0.8"), 0.7};

auto has_code(WarningCode code) {
  return Field(&Warning::code, code);
}

/// Three periods, at most 4 units on Saturdays and none on Sundays, all of them fresh.
Model week_model() {
  return Model({.capacity = 8,
                .max_order = {8, 8, 8, 8, 8, 4, 0},
                .arrival = {Arrival::fresh(3)},
                .demand = {poisson_demand(2.5, 8)},
                .cost = {{.order = 5, .unit = 1, .holding = 1, .shortage = 10, .wastage = 4}}});
}

/// The rows of a day after the first, in days.
struct Row {
  int day;
  std::uint32_t demand;
  int stockout;
  std::uint32_t ordered;
  Units received;
};

Records records_of(const std::vector<Row>& rows) {
  Records records{.days = {}, .columns = {.stockout = true, .ordered = true, .received = 3}};
  for (const Row& row : rows) {
    records.days.push_back({.date = monday + days(row.day),
                            .demand = row.demand,
                            .stockout = row.stockout != 0,
                            .ordered = row.ordered,
                            .received = row.received});
  }
  return records;
}

/// Each delivery has one age, so that no age is random.
Records twenty_days() {
  return records_of({{0, 3, 0, 4, {0, 0, 4}},
                     {1, 2, 0, 2, {0, 2, 0}},
                     {2, 5, 0, 4, {0, 4, 0}},
                     {3, 1, 1, 0, {0, 0, 0}},
                     {4, 4, 0, 6, {6, 0, 0}},
                     {5, 2, 1, 0, {0, 0, 0}},
                     {7, 6, 1, 5, {0, 0, 5}},
                     {8, 0, 0, 3, {0, 0, 3}},
                     {9, 1, 0, 0, {0, 0, 0}},
                     {10, 2, 0, 2, {0, 2, 0}},
                     {11, 7, 1, 3, {3, 0, 0}},
                     {12, 1, 1, 0, {0, 0, 0}},
                     {14, 3, 0, 6, {0, 6, 0}},
                     {15, 4, 0, 0, {0, 0, 0}},
                     {16, 0, 0, 5, {0, 0, 5}},
                     {17, 2, 0, 0, {0, 0, 0}},
                     {18, 1, 0, 0, {0, 0, 0}},
                     {19, 5, 0, 6, {0, 0, 6}}});
}

std::vector<Rule> rules_named(const std::vector<std::string>& names) {
  std::vector<Rule> rules;
  for (const std::string& name : names) rules.push_back(*parse_rule(name));
  return rules;
}

/// A line of the tables below.
struct Line {
  Units stock;
  std::uint32_t ordered;
  Units received;
  std::uint32_t demand;
  std::uint32_t missing;
  std::uint32_t left;
  std::uint32_t expired;
  double cost;
};

void expect_days(const BacktestPolicy& policy, const std::vector<Line>& table) {
  ASSERT_EQ(policy.days.size(), table.size());
  double cost = 0.0;
  for (std::size_t t = 0; t < table.size(); ++t) {
    const BacktestDay& day = policy.days[t];
    SCOPED_TRACE(policy.name + ", " + iso_date(day.date));
    EXPECT_EQ(day.date, monday + days(t));
    EXPECT_EQ(day.is_closed, t == 6 || t == 13);
    EXPECT_EQ(day.stock, table[t].stock);
    EXPECT_EQ(day.ordered, table[t].ordered);
    EXPECT_EQ(day.received, table[t].received);
    EXPECT_EQ(day.demand, table[t].demand);
    EXPECT_EQ(day.missing, table[t].missing);
    EXPECT_EQ(day.left, table[t].left);
    EXPECT_EQ(day.expired, table[t].expired);
    EXPECT_EQ(day.cost, table[t].cost);
    cost += table[t].cost;
  }
  EXPECT_EQ(policy.cost, cost);
  EXPECT_EQ(policy.order_cost + policy.unit_cost + policy.holding_cost + policy.shortage_cost +
                policy.wastage_cost,
            cost);
}

/// Costs: 5 per order and 1 per unit, holding 1, shortage 10, wastage 4. On days without a delivery
/// in the records, units arrive fresh, as in the plan.
TEST(Backtest, OfTwentyDaysIsThatDoneByHand) {
  const Backtest result =
      backtest(week_model(), cautious, twenty_days(), rules_named({"base-stock:6"}));
  ASSERT_EQ(result.policies.size(), 3u);
  EXPECT_EQ(result.days, 18u);
  EXPECT_EQ(result.closed_days, 2u);
  EXPECT_EQ(result.censored_days, 5u);
  EXPECT_THAT(result.start, ElementsAre(0u, 0u));
  // stock, ordered, received, demand, missing, left, expired, cost
  expect_days(result.policies[1],
              {{{0, 0}, 6, {0, 0, 6}, 3, 0, 3, 0, 14},    // Mon
               {{0, 3}, 3, {0, 3, 0}, 2, 0, 4, 0, 12},    // Tue, of age 2 as recorded
               {{4, 0}, 2, {0, 2, 0}, 5, 0, 1, 0, 8},     // Wed
               {{1, 0}, 5, {0, 0, 5}, 1, 0, 5, 0, 15},    // Thu, fresh
               {{0, 5}, 1, {1, 0, 0}, 4, 0, 2, 0, 8},     // Fri
               {{2, 0}, 4, {0, 0, 4}, 2, 0, 4, 0, 13},    // Sat
               {{0, 4}, 0, {0, 0, 0}, 0, 0, 4, 0, 4},     // Sun, closed
               {{4, 0}, 2, {0, 0, 2}, 6, 0, 0, 0, 7},     // Mon
               {{0, 0}, 6, {0, 0, 6}, 0, 0, 6, 0, 17},    // Tue
               {{0, 6}, 0, {0, 0, 0}, 1, 0, 5, 0, 5},     // Wed
               {{5, 0}, 1, {0, 1, 0}, 2, 0, 4, 3, 22},    // Thu, 3 of 5 expire
               {{1, 0}, 5, {5, 0, 0}, 7, 1, 0, 0, 20},    // Fri, one short
               {{0, 0}, 4, {0, 0, 4}, 1, 0, 3, 0, 12},    // Sat, at most 4
               {{0, 3}, 0, {0, 0, 0}, 0, 0, 3, 0, 3},     // Sun, closed
               {{3, 0}, 3, {0, 3, 0}, 3, 0, 3, 0, 11},    // Mon
               {{3, 0}, 3, {0, 0, 3}, 4, 0, 2, 0, 10},    // Tue
               {{0, 2}, 4, {0, 0, 4}, 0, 0, 6, 0, 15},    // Wed
               {{2, 4}, 0, {0, 0, 0}, 2, 0, 4, 0, 4},     // Thu
               {{4, 0}, 2, {0, 0, 2}, 1, 0, 5, 3, 24},    // Fri, 3 of 4 expire
               {{0, 2}, 4, {0, 0, 4}, 5, 0, 1, 0, 10}});  // Sat
  const BacktestPolicy& base = result.policies[1];
  EXPECT_EQ(base.cost, 234.0);
  EXPECT_DOUBLE_EQ(base.cost_per_day, 234.0 / 18.0);  // the two closed days are no days
  EXPECT_EQ(base.orders, 16u);
  EXPECT_EQ(base.units_ordered, 55u);
  EXPECT_EQ(base.units_short, 1u);
  EXPECT_EQ(base.days_short, 1u);
  EXPECT_EQ(base.units_expired, 6u);
  EXPECT_DOUBLE_EQ(base.service_level, 1.0 - 1.0 / 49.0);
  // On the second Tuesday the records say that all 4 were supplied, from 3 that are known.
  expect_days(result.policies[2], {{{0, 0}, 4, {0, 0, 4}, 3, 0, 1, 0, 10},    // Mon
                                   {{0, 1}, 2, {0, 2, 0}, 2, 0, 1, 0, 8},     // Tue
                                   {{1, 0}, 4, {0, 4, 0}, 5, 0, 0, 0, 9},     // Wed
                                   {{0, 0}, 0, {0, 0, 0}, 1, 1, 0, 0, 10},    // Thu, short
                                   {{0, 0}, 6, {6, 0, 0}, 4, 0, 2, 2, 21},    // Fri, 2 expire
                                   {{0, 0}, 0, {0, 0, 0}, 2, 2, 0, 0, 20},    // Sat, short
                                   {{0, 0}, 0, {0, 0, 0}, 0, 0, 0, 0, 0},     // Sun, closed
                                   {{0, 0}, 5, {0, 0, 5}, 6, 1, 0, 0, 20},    // Mon, short
                                   {{0, 0}, 3, {0, 0, 3}, 0, 0, 3, 0, 11},    // Tue
                                   {{0, 3}, 0, {0, 0, 0}, 1, 0, 2, 0, 2},     // Wed
                                   {{2, 0}, 2, {0, 2, 0}, 2, 0, 2, 0, 9},     // Thu
                                   {{2, 0}, 3, {3, 0, 0}, 7, 2, 0, 0, 28},    // Fri, short
                                   {{0, 0}, 0, {0, 0, 0}, 1, 1, 0, 0, 10},    // Sat, short
                                   {{0, 0}, 0, {0, 0, 0}, 0, 0, 0, 0, 0},     // Sun, closed
                                   {{0, 0}, 6, {0, 6, 0}, 3, 0, 3, 0, 14},    // Mon
                                   {{3, 0}, 0, {0, 0, 0}, 4, 0, 0, 0, 0},     // Tue, see above
                                   {{0, 0}, 5, {0, 0, 5}, 0, 0, 5, 0, 15},    // Wed
                                   {{0, 5}, 0, {0, 0, 0}, 2, 0, 3, 0, 3},     // Thu
                                   {{3, 0}, 0, {0, 0, 0}, 1, 0, 2, 2, 10},    // Fri, 2 expire
                                   {{0, 0}, 6, {0, 0, 6}, 5, 0, 1, 0, 12}});  // Sat
  EXPECT_EQ(result.policies[2].cost, 212.0);
  EXPECT_EQ(result.policies[2].orders, 11u);
  EXPECT_EQ(result.policies[2].units_short, 7u);
  EXPECT_EQ(result.policies[2].days_short, 5u);
  EXPECT_EQ(result.policies[2].units_expired, 4u);
  EXPECT_THAT(result.warnings,
              Contains(AllOf(has_code(WarningCode::demand_censored), Field(&Warning::count, 5u),
                             Field(&Warning::total, 18u))));
  EXPECT_THAT(result.warnings, Contains(AllOf(has_code(WarningCode::actual_not_explained),
                                              Field(&Warning::count, 1u))));
}

TEST(Backtest, OfThePlanOrdersWhatTheSolverSays) {
  const Model model = week_model();
  const Backtest result = backtest(model, cautious, twenty_days(), {});
  const Solution solution = solve(model, cautious);
  const BacktestPolicy& plan = result.policies.front();
  EXPECT_EQ(plan.name, "plan");
  std::vector<std::uint8_t> stock(2, 0);
  for (const BacktestDay& day : plan.days) {
    ASSERT_THAT(day.stock, ElementsAre(stock[0], stock[1])) << iso_date(day.date);
    const std::size_t state =
        weekday_of(day.date) * model.stocks().size() + model.stocks().rank(stock);
    EXPECT_EQ(day.ordered, static_cast<std::uint32_t>(solution.policy[state]));
    std::vector<std::uint8_t> w(3);
    for (std::size_t i = 0; i < 3; ++i) {
      w[i] = static_cast<std::uint8_t>(day.received[i] + (i < 2 ? stock[i] : 0));
    }
    age(w, day.demand, stock);
  }
  EXPECT_GT(plan.orders, 5u);
}

/// Mixed ages: an order of the recorded size brings what came.
TEST(Backtest, OfTheRecordedOrdersIsWhatHappened) {
  Records records = records_of({{0, 3, 0, 5, {1, 1, 3}},
                                {1, 4, 0, 5, {0, 3, 2}},
                                {2, 6, 0, 5, {2, 2, 1}},
                                {3, 4, 0, 5, {0, 4, 1}},
                                {4, 5, 0, 5, {3, 1, 1}}});
  Model model = week_model();
  ModelParts parts = model.parts();
  parts.capacity = 30;
  parts.max_order = {30};
  model = Model(parts);
  const Backtest result = backtest(model, cautious, records, rules_named({"fixed:5"}));
  const BacktestPolicy& fixed = result.policies[1];
  const BacktestPolicy& actual = result.policies[2];
  EXPECT_EQ(fixed.cost, actual.cost);
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_EQ(fixed.days[t].received, records.days[t].received);
    EXPECT_EQ(fixed.days[t].stock, actual.days[t].stock);
  }
}

TEST(RecordedDeliveries, OfALargerOrderContainThoseOfASmallerOne) {
  const Model model({.capacity = 40,
                     .max_order = {40},
                     .arrival = {Arrival::logit(3, {0.5, 1.0}, {0.0, 0.0})},
                     .demand = {{0.5, 0.5}},
                     .cost = {{}}});
  for (const Units& received : {Units{2, 5, 3}, Units{0, 0, 0}, Units{}}) {
    for (int day = 0; day < 30; ++day) {
      const DayRecord record{.date = monday + days(day), .received = received};
      const RecordedDeliveries deliveries(model, 7);
      Units smaller(3, 0);
      for (std::uint32_t z = 0; z <= 40; ++z) {
        const Units larger = deliveries.of_order(record, z);
        EXPECT_EQ(std::accumulate(larger.begin(), larger.end(), 0U), z);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_GE(larger[i], smaller[i]);
        smaller = larger;
      }
      EXPECT_EQ(deliveries.of_order(record, 17), deliveries.of_order(record, 17));
    }
  }
}

/// Shares within five standard errors, from the plan and from a delivery.
TEST(RecordedDeliveries, HaveTheSharesOfThePlanOrOfTheDay) {
  const Model model({.capacity = 40,
                     .max_order = {40},
                     .arrival = {Arrival::logit(3, {0.5, 1.0}, {0.0, 0.0})},
                     .demand = {{0.5, 0.5}},
                     .cost = {{}}});
  const RecordedDeliveries deliveries(model, 1);
  const std::vector<double> of_plan = model.arrival(0).probabilities(4);
  const std::vector<double> of_day = {0.1, 0.3, 0.6};
  for (const bool recorded : {false, true}) {
    std::vector<double> sum(3, 0.0);
    constexpr int count = 5000;
    for (int day = 0; day < count; ++day) {
      DayRecord record{.date = monday + days(day)};
      if (recorded) record.received = {2, 6, 12};
      const Units delivery = deliveries.of_order(record, 4);
      for (std::size_t i = 0; i < 3; ++i) sum[i] += delivery[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const double p = recorded ? of_day[i] : of_plan[i];
      EXPECT_NEAR(sum[i] / (4.0 * count), p, 5.0 * std::sqrt(p * (1.0 - p) / (4.0 * count)));
    }
  }
}

/// By hand, m = 3. Day 1: 5 wanted, 2 came, so 3 were there. Day 2: nothing is left, 2 wanted, so 2
/// had at least two periods left. They, too, are there on day 1, and are the fresher ones.
TEST(RecordedStart, ExplainsTheFirstDays) {
  const Model model = week_model();
  const auto start = [&](const Records& records) {
    return recorded_start(model, calendar_of(records));
  };
  EXPECT_THAT(start(records_of({{0, 5, 0, 2, {0, 0, 2}}, {1, 2, 0, 0, {0, 0, 0}}})),
              ElementsAre(3u, 2u));
  // A stock-out says nothing about what was there.
  EXPECT_THAT(start(records_of({{0, 5, 1, 2, {0, 0, 2}}, {1, 2, 0, 0, {0, 0, 0}}})),
              ElementsAre(0u, 2u));
  // Day 3 is beyond the life of any unit of the first morning.
  EXPECT_THAT(start(records_of(
                  {{0, 1, 0, 1, {0, 0, 1}}, {1, 1, 0, 1, {0, 0, 1}}, {2, 9, 0, 0, {0, 0, 0}}})),
              ElementsAre(0u, 0u));
  // 2 expired on day 1 beside 1 that was used; 1 more on day 2.
  Records wasted = records_of({{0, 1, 0, 1, {0, 0, 1}}, {1, 0, 0, 0, {0, 0, 0}}});
  wasted.days[0].wasted = 2;
  wasted.days[1].wasted = 1;
  EXPECT_THAT(start(wasted), ElementsAre(3u, 1u));
}

/// What a planner would do: a plan for the mean demand so far.
Model plan_of_mean(const Records& known) {
  double sum = 0.0;
  for (const DayRecord& day : known.days) sum += day.demand;
  ModelParts parts = week_model().parts();
  parts.demand = {poisson_demand(sum / static_cast<double>(known.days.size()), 8)};
  return Model(parts);
}

TEST(Backtest, WithRefitsKnowsNothingOfLaterDays) {
  const BacktestOptions options{.refit_days = 4, .refit = plan_of_mean};
  const Records records = twenty_days();
  const Backtest before = backtest(week_model(), cautious, records, {}, options);
  EXPECT_THAT(before.refits, ElementsAre(monday + days(4), monday + days(8), monday + days(12),
                                         monday + days(16)));
  Records changed = records;
  const std::chrono::sys_days from = monday + days(9);
  for (DayRecord& day : changed.days) {
    if (day.date >= from) day.demand = 8 - std::min<std::uint32_t>(day.demand, 8);
  }
  const Backtest after = backtest(week_model(), cautious, changed, {}, options);
  // The first four days are for fitting only.
  EXPECT_EQ(before.warmup_days, 4u);
  EXPECT_EQ(before.days, 14u);
  EXPECT_EQ(before.policies[0].days.front().date, monday + days(4));
  bool differs = false;
  for (std::size_t t = 0; t < before.policies[0].days.size(); ++t) {
    const BacktestDay& a = before.policies[0].days[t];
    const BacktestDay& b = after.policies[0].days[t];
    if (a.date <= from) {
      EXPECT_EQ(a.ordered, b.ordered) << iso_date(a.date);
    } else {
      differs = differs || a.ordered != b.ordered;
    }
  }
  EXPECT_TRUE(differs);
  // Each refit sees the rows before its day.
  std::vector<std::size_t> rows;
  const BacktestOptions counting{.refit_days = 7, .refit = [&](const Records& known) {
                                   rows.push_back(known.days.size());
                                   EXPECT_LT(known.days.back().date,
                                             monday + days(7 * rows.size()));
                                   return plan_of_mean(known);
                                 }};
  (void)backtest(week_model(), cautious, records, {}, counting);
  EXPECT_THAT(rows, ElementsAre(6u, 12u));
}

/// The same with the plan that is fitted to the records, on fifteen weeks of Poisson demand that
/// doubles in the last seven: fitted plans follow, and nothing before a change tells that it comes.
TEST(Backtest, WithFittedPlansKnowsNothingOfLaterDays) {
  pcg64 generator(11);
  const auto draw = [&](double mean) {
    const std::vector<double> law = poisson_demand(mean, 12);
    double left = draw_uniform(generator);
    std::uint32_t d = 0;
    while (d < 12 && left >= law[d]) left -= law[d++];
    return d;
  };
  Records records{.days = {}, .columns = {.stockout = true}};
  for (int t = 0; t < 105; ++t) {
    if (t % 7 == 6) continue;  // Sundays are closed
    records.days.push_back({.date = monday + days(t), .demand = draw(t < 56 ? 1.5 : 3.0)});
  }
  const Model plan = week_model();
  const BacktestOptions options{
      .refit_days = 28, .refit = [&](const Records& known) { return refitted(plan, known); }};
  const Backtest doubled = backtest(plan, cautious, records, {}, options);
  EXPECT_EQ(doubled.refits.size(), 3u);
  EXPECT_THAT(doubled.warnings, ElementsAre(has_code(WarningCode::ages_drawn)));
  Records without_change = records;
  for (DayRecord& day : without_change.days) {
    if (day.date >= monday + days(56)) day.demand /= 2;
  }
  const Backtest other = backtest(plan, cautious, without_change, {}, options);
  std::uint64_t more_ordered = 0;
  for (std::size_t t = 0; t < doubled.policies[0].days.size(); ++t) {
    const BacktestDay& a = doubled.policies[0].days[t];
    const BacktestDay& b = other.policies[0].days[t];
    if (a.date <= monday + days(56)) {
      EXPECT_EQ(a.ordered, b.ordered) << t;
    }
    if (a.date >= monday + days(84)) more_ordered += a.ordered > b.ordered ? 1U : 0U;
  }
  EXPECT_GT(more_ordered, 5u);
  // The fitted plan has the weekdays of the records, and the costs and orders of the first plan.
  const Model fitted = refitted(plan, records);
  EXPECT_EQ(fitted.parts().cost, plan.parts().cost);
  EXPECT_EQ(fitted.parts().max_order, plan.parts().max_order);
  EXPECT_EQ(fitted.parts().arrival, plan.parts().arrival);
  EXPECT_EQ(fitted.demand(6).front(), 1.0);
}

/// The plan that is given, which may have seen all days, orders nothing in a comparison with
/// refits: neither it nor what came before the first refit changes any number of any policy.
TEST(Backtest, WithRefitsBeginsWithTheFirstOfThem) {
  const BacktestOptions options{.refit_days = 7, .refit = plan_of_mean};
  const Records records = twenty_days();
  const std::vector<Rule> rules = rules_named({"base-stock:6"});
  const Backtest result = backtest(week_model(), cautious, records, rules, options);
  ModelParts other = week_model().parts();
  other.demand = {poisson_demand(6.0, 8)};
  const Backtest same = backtest(Model(other), cautious, records, rules, options);
  Records later = records;
  later.days.erase(later.days.begin(), later.days.begin() + 6);
  const Backtest alone = backtest(week_model(), cautious, later, rules);
  ASSERT_EQ(result.policies.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(result.policies[k].cost, same.policies[k].cost);
    EXPECT_EQ(result.policies[k].days.size(), 13u);
    if (k == 0) continue;
    EXPECT_EQ(result.policies[k].cost, alone.policies[k].cost);
    EXPECT_EQ(result.policies[k].units_short, alone.policies[k].units_short);
  }
  EXPECT_EQ(result.days, 12u);
  EXPECT_EQ(result.closed_days, 1u);
  EXPECT_EQ(result.warmup_days, 6u);
  EXPECT_EQ(alone.warmup_days, 0u);
  EXPECT_THAT(alone.warnings, Contains(has_code(WarningCode::plan_may_know_days)));
  EXPECT_THAT(result.warnings, Each(Not(has_code(WarningCode::plan_may_know_days))));
}

TEST(Backtest, KeepsThePlanWhereARefitIsImpossible) {
  const auto refit_of = [](std::vector<std::size_t> possible) -> BacktestOptions {
    return {.refit_days = 5, .refit = [possible, calls = 0u](const Records& known) mutable {
              if (std::ranges::find(possible, calls++) != possible.end())
                return plan_of_mean(known);
              throw InvalidInput("too few days");
            }};
  };
  const auto run = [&](std::vector<std::size_t> possible) {
    return backtest(week_model(), cautious, twenty_days(), {}, refit_of(std::move(possible)));
  };
  const Backtest second = run({1});
  EXPECT_THAT(second.refits, ElementsAre(monday + days(10)));
  EXPECT_EQ(second.policies[0].days.front().date, monday + days(10));
  const auto failed_on = [](std::chrono::sys_days date) {
    return AllOf(has_code(WarningCode::refit_failed), Field(&Warning::dates, ElementsAre(date)),
                 Field(&Warning::names, ElementsAre("too few days")));
  };
  EXPECT_THAT(second.warnings, Contains(failed_on(monday + days(5))));
  EXPECT_THAT(second.warnings, Contains(failed_on(monday + days(15))));
  EXPECT_THROW((void)run({}), InvalidInput);
}

TEST(Backtest, WithoutDeliveriesStartsEmptyAndDrawsAges) {
  Records records = twenty_days();
  records.columns.received = 0;
  for (DayRecord& day : records.days) day.received.clear();
  const Backtest result = backtest(week_model(), cautious, records, {});
  EXPECT_EQ(result.policies.back().name, "actual");
  EXPECT_THAT(result.start, ElementsAre(0u, 0u));
  EXPECT_THAT(result.warnings, Contains(has_code(WarningCode::ages_drawn)));
  for (DayRecord& day : records.days) day.ordered.reset();
  EXPECT_EQ(backtest(week_model(), cautious, records, {}).policies.back().name, "plan");
}

/// Three units expire on a closed Sunday, which the records have on Monday: they count once.
TEST(Backtest, CountsWhatExpiredOnAClosedDayOnce) {
  Records records =
      records_of({{4, 0, 0, 3, {0, 0, 3}}, {5, 0, 0, 0, {0, 0, 0}}, {7, 1, 1, 1, {0, 0, 1}}});
  records.columns.wasted = true;
  for (DayRecord& day : records.days) day.wasted = 0;
  records.days[2].wasted = 3;
  const Backtest result = backtest(week_model(), cautious, records, {});
  EXPECT_EQ(result.closed_days, 1u);
  const BacktestPolicy& actual = result.policies.back();
  EXPECT_EQ(actual.units_expired, 3u);
  EXPECT_EQ(actual.days[2].expired, 0u);
  EXPECT_EQ(actual.days[3].expired, 3u);
  EXPECT_EQ(actual.units_short, 0u);
  EXPECT_THAT(result.warnings, ElementsAre(has_code(WarningCode::demand_censored),
                                           has_code(WarningCode::plan_may_know_days)));
  EXPECT_THAT(result.start, ElementsAre(0u, 0u));
}

/// The stock ran out on the second day, when all of the recorded demand was met, by every policy:
/// no day is known to be short, for any of them, and all that is known of shortages is a bound.
TEST(Backtest, CountsADayAsShortByTheSameRuleForAllPolicies) {
  Records records = records_of({{0, 1, 0, 2, {0, 0, 2}}, {1, 1, 1, 0, {0, 0, 0}}});
  const Backtest result = backtest(week_model(), cautious, records, rules_named({"fixed:2"}));
  for (const BacktestPolicy& policy : result.policies) {
    EXPECT_EQ(policy.days_short, 0u) << policy.name;
    EXPECT_EQ(policy.units_short, 0u) << policy.name;
  }
  EXPECT_EQ(result.policies[0].shortages, Shortages::of_recorded_demand);
  EXPECT_EQ(result.policies[1].shortages, Shortages::of_recorded_demand);
  EXPECT_EQ(result.policies[2].shortages, Shortages::at_least);
  records.days[1].stockout = false;
  for (const BacktestPolicy& policy : backtest(week_model(), cautious, records, {}).policies) {
    EXPECT_EQ(policy.shortages, Shortages::exact) << policy.name;
  }
  records.days[1].demand = 9;
  const Backtest missing = backtest(week_model(), cautious, records, rules_named({"fixed:2"}));
  EXPECT_EQ(missing.policies[1].days_short, 1u);
}

TEST(Backtest, WarnsOfLongGaps) {
  const auto warnings = [](int second) {
    return backtest(week_model(), cautious,
                    records_of({{0, 1, 0, 1, {0, 0, 1}}, {second, 1, 0, 1, {0, 0, 1}}}), {})
        .warnings;
  };
  EXPECT_THAT(warnings(15), Each(Not(has_code(WarningCode::closed_for_long))));
  EXPECT_THAT(warnings(16), Contains(has_code(WarningCode::closed_for_long)));
}

TEST(Backtest, UsesOrdersThatAreKnown) {
  const Model model = week_model();
  const Policy orders = base_stock_policy(model, 6);
  const Backtest result = backtest(model, cautious, twenty_days(), rules_named({"base-stock:6"}),
                                   {.plan_orders = orders});
  EXPECT_EQ(result.policies[0].cost, result.policies[1].cost);
  EXPECT_EQ(result.policies[0].cost, 234.0);
  EXPECT_THROW((void)backtest(model, cautious, twenty_days(), {}, {.plan_orders = Policy{1}}),
               InvalidInput);
}

TEST(Backtest, RefusesWhatDoesNotFit) {
  const auto run = [](const Records& records, const BacktestOptions& options) {
    (void)backtest(week_model(), cautious, records, {}, options);
  };
  const Records records = twenty_days();
  EXPECT_THROW(run(records, {.start = Units{1}}), InvalidInput);
  EXPECT_NO_THROW(run(records, {.start = Units{8, 1}})) << "above the capacity";
  EXPECT_THROW(run(records, {.refit_days = 7}), InvalidInput);
  EXPECT_THROW(run(records, {.refit_days = 20, .refit = plan_of_mean}), InvalidInput);
  EXPECT_NO_THROW(run(records, {.refit_days = 19, .refit = plan_of_mean}));
  EXPECT_THROW(run(records, {.refit_days = 7,
                             .refit = plan_of_mean,
                             .plan_orders = base_stock_policy(week_model(), 6)}),
               InvalidInput);
  Records other = records;
  other.columns.received = 4;
  for (DayRecord& day : other.days) day.received.assign(4, 0);
  EXPECT_THROW(run(other, {}), InvalidInput);
  EXPECT_THROW(run({}, {}), InvalidInput);
}

}  // namespace
}  // namespace shortfall::inventory
