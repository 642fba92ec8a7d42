// A plan beside the records.
#include "shortfall/inventory/plan/plan_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "shortfall/inventory/model/demand.hpp"

namespace shortfall::inventory {
namespace {

using std::chrono::days;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::chrono::sys_days records_begin = *parse_iso_date("2026-01-05");
const Criterion averse{AnyLoss::parse("expectile:0.8"), 0.7};

Model two_ages(std::vector<std::vector<double>> demand) {
  return Model({.capacity = 6,
                .max_order = {6},
                .arrival = {Arrival::fresh(2)},
                .demand = std::move(demand),
                .cost = {{.order = 2, .holding = 1, .shortage = 10, .wastage = 4}}});
}

Records sixteen_weeks() {
  Records records{.days = {}, .columns = {.stockout = true}};
  for (int t = 0; t < 112; ++t) {
    records.days.push_back({.date = records_begin + days(t),
                            .demand = static_cast<std::uint32_t>((t * 3) % 5),
                            .stockout = t % 10 == 9});
  }
  return records;
}

Plan plan_of(const Model& model) {
  return make_plan(model, averse, {.periods = 5, .replications = 5});
}

TEST(PlanRecords, HaveTheBacktestOfThePlanAndTheRules) {
  const Model model = two_ages({poisson_demand(2.0, 8)});
  const Records records = sixteen_weeks();
  const std::vector<Rule> own = {*parse_rule("base-stock:4"), *parse_rule("risk-neutral")};
  const PlanRecords found = plan_records(plan_of(model), records, own);
  const Backtest expected = backtest(model, averse, records, own);
  ASSERT_EQ(found.backtest.policies.size(), expected.policies.size());
  for (std::size_t k = 0; k < expected.policies.size(); ++k) {
    EXPECT_EQ(found.backtest.policies[k].name, expected.policies[k].name);
    EXPECT_EQ(found.backtest.policies[k].cost, expected.policies[k].cost);
  }
}

TEST(PlanRecords, CountDaysByDemandAndStockOuts) {
  const Records records = sixteen_weeks();
  const PlanRecords pooled = plan_records(plan_of(two_ages({poisson_demand(2.0, 8)})), records, {});
  ASSERT_TRUE(pooled.fit.has_value());
  ASSERT_EQ(pooled.observed.size(), 1U);
  // Demand 0, 3, 1, 4, 2 in turn, and a stock-out on every tenth day, when it is 4 or 2.
  EXPECT_THAT(pooled.observed[0].days, ElementsAre(23, 22, 22, 23, 22));
  EXPECT_THAT(pooled.observed[0].stockouts, ElementsAre(0, 0, 11, 0, 0));
  const std::vector<std::vector<double>> week(7, poisson_demand(2.0, 8));
  const PlanRecords by_day = plan_records(plan_of(two_ages(week)), records, {});
  ASSERT_EQ(by_day.observed.size(), 7U);
  std::size_t mondays = 0;
  for (const std::size_t count : by_day.observed[0].days) mondays += count;
  EXPECT_EQ(mondays, 16U);
}

TEST(PlanRecords, SayWhyThereIsNoFit) {
  Records records = sixteen_weeks();
  for (DayRecord& day : records.days) day.stockout = true;
  const PlanRecords found = plan_records(plan_of(two_ages({poisson_demand(2.0, 8)})), records, {});
  EXPECT_FALSE(found.fit.has_value());
  EXPECT_NE(found.not_fitted, "");
  EXPECT_FALSE(found.backtest.policies.empty());
}

TEST(PlanRecords, AddTheRuleInUseOnce) {
  const Model model = two_ages({poisson_demand(2.0, 8)});
  Records records = sixteen_weeks();
  EXPECT_THAT(with_rule_in_use({}, model, records), IsEmpty());
  records.columns.ordered = true;
  for (DayRecord& day : records.days) day.ordered = 2;
  const std::vector<Rule> found = with_rule_in_use({*parse_rule("base-stock:4")}, model, records);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].name, "fixed:2");
  EXPECT_EQ(with_rule_in_use(found, model, records).size(), 2U);
}

}  // namespace
}  // namespace shortfall::inventory
