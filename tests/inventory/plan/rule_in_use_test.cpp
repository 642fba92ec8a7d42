// The rule behind recorded orders.
#include "shortfall/inventory/plan/rule_in_use.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "shortfall/inventory/model/demand.hpp"

namespace shortfall::inventory {
namespace {

using std::chrono::days;
using ::testing::HasSubstr;

const std::chrono::sys_days first_order_day = *parse_iso_date("2026-01-05");

/// Fresh units of two periods: what is left of a delivery is the stock of the next morning.
Model two_periods() {
  return Model({.capacity = 12,
                .max_order = {12, 12, 12, 12, 12, 6, 0},
                .arrival = {Arrival::fresh(2)},
                .demand = {poisson_demand(3.0, 12)}});
}

/// Ten weeks of a rule that sees the stock, with demands 0 to 6 in turn; closed on Sundays.
Records recorded(const std::function<std::uint32_t(std::uint32_t stock, int day)>& rule) {
  Records records{.days = {}, .columns = {.ordered = true, .received = 2}};
  std::uint32_t stock = 0;  // with one period left
  for (int t = 0; t < 70; ++t) {
    if (t % 7 == 6) {
      stock = 0;
      continue;
    }
    const auto demand = static_cast<std::uint32_t>((t * 5) % 7);
    const std::uint32_t order = rule(stock, t);
    records.days.push_back({.date = first_order_day + days(t),
                            .demand = demand,
                            .ordered = order,
                            .received = {0, order}});
    const std::uint32_t from_fresh = demand > stock ? demand - stock : 0;
    stock = order > from_fresh ? order - from_fresh : 0;
  }
  return records;
}

std::uint32_t within_day(std::uint32_t order, std::uint32_t stock, int day) {
  return std::min({order, day % 7 == 5 ? 6U : 12U, 12U - stock});
}

Rule found_rule(const std::function<std::uint32_t(std::uint32_t stock, int day)>& rule) {
  const RuleInUse found = rule_in_use(two_periods(), recorded(rule));
  EXPECT_EQ(found.agreement, 1.0);
  EXPECT_EQ(found.reason, "");
  return found.rule.value_or(Rule{.name = "none"});
}

TEST(RuleInUse, IsFoundFromTheOrders) {
  const auto up_to_seven = [](std::uint32_t stock, int day) {
    return within_day(stock < 7 ? 7 - stock : 0, stock, day);
  };
  EXPECT_EQ(found_rule(up_to_seven).name, "base-stock:7");
  const auto always_five = [](std::uint32_t stock, int day) { return within_day(5, stock, day); };
  EXPECT_EQ(found_rule(always_five).name, "fixed:5");
  const auto reorder = [](std::uint32_t stock, int day) {
    return within_day(stock <= 3 ? 8 - stock : 0, stock, day);
  };
  const Rule found = found_rule(reorder);
  EXPECT_EQ(found.kind, Rule::Kind::levels);
  EXPECT_EQ(found.levels.order_up_to, 8U);
  EXPECT_LE(found.levels.reorder_at, 3U);  // a stock of 3 need not occur
}

TEST(RuleInUse, ToleratesAFewOtherOrders) {
  const auto exceptions = [](int every) {
    return recorded([every](std::uint32_t stock, int day) {
      const std::uint32_t order = stock < 7 ? 7 - stock : 0;
      return within_day(day % every == 0 ? order + 1 : order, stock, day);
    });
  };
  const RuleInUse rare = rule_in_use(two_periods(), exceptions(9));
  ASSERT_TRUE(rare.rule.has_value());
  EXPECT_EQ(rare.rule->name, "base-stock:7");
  EXPECT_LT(rare.agreement, 1.0);
  EXPECT_GE(rare.agreement, RuleInUse::least_agreement);
  const RuleInUse often = rule_in_use(two_periods(), exceptions(2));
  EXPECT_FALSE(often.rule.has_value());
  EXPECT_LT(often.agreement, RuleInUse::least_agreement);
  EXPECT_THAT(often.reason, HasSubstr("no rule with fixed levels"));
}

TEST(RuleInUse, IsNotGuessedFromTooLittle) {
  Records records = recorded([](std::uint32_t, int) { return 5U; });
  records.days.resize(9);
  EXPECT_THAT(rule_in_use(two_periods(), records).reason, HasSubstr("10 are needed"));
  records.columns = {};
  for (DayRecord& day : records.days) {
    day.ordered.reset();
    day.received.clear();
  }
  EXPECT_THAT(rule_in_use(two_periods(), records).reason, HasSubstr("neither orders nor"));
}

}  // namespace
}  // namespace shortfall::inventory
