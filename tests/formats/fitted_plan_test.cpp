#include "shortfall/formats/fitted_plan.hpp"

#include <fmt/format.h>
#include <random>
#include <string>
#include <vector>

#include "shortfall/inventory/fit/fitted_model.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/inventory/fit/records_for_tests.hpp"

namespace shortfall::io {
namespace {

using inventory::DemandLaw;
using inventory::Fit;
using inventory::FitOptions;
using inventory::Records;

/// Records with a closed Sunday and ages on arrival that depend on the weekday.
Records some_records(std::mt19937_64& bits) {
  Records records = inventory::simulated({.days = 364, .mean = {5, 3, 3, 3, 5, 2, -1}}, bits);
  records.columns.received = 2;
  for (inventory::DayRecord& day : records.days) {
    const bool old = inventory::weekday_of(day.date) == 2;
    day.received = {0, 0};
    for (int unit = 0; unit < 4; ++unit) {
      ++day.received[draw_uniform(bits) < (old ? 0.8 : 0.1) ? 0 : 1];
    }
  }
  return records;
}

/// Equal bit for bit: the text has all digits.
void expect_same(const inventory::Model& read, const inventory::Model& fitted) {
  EXPECT_EQ(read.parts().capacity, fitted.parts().capacity);
  EXPECT_EQ(read.parts().max_order, fitted.parts().max_order);
  EXPECT_EQ(read.parts().demand, fitted.parts().demand);
  EXPECT_EQ(read.parts().arrival, fitted.parts().arrival);
  EXPECT_EQ(read.parts().cost, fitted.parts().cost);
}

TEST(FittedPlanTest, ThePlanIsReadAsTheFittedModel) {
  std::mt19937_64 bits(1);
  const Records records = some_records(bits);
  for (const auto law : {DemandLaw::poisson, DemandLaw::negative_binomial, DemandLaw::empirical}) {
    for (const auto weekly : {inventory::ByWeekday::yes, inventory::ByWeekday::no}) {
      const Fit fit =
          fit_records(records, {.shelf_life = 2, .distribution = law, .by_weekday = weekly});
      const FittedPlan plan = fitted_plan(fit, {.capacity = 12, .max_order = 9});
      SCOPED_TRACE(plan.toml);
      const InventoryConfiguration read = InventoryToml(plan.toml, "plan").configuration();
      expect_same(read.model, plan.configuration.model);
      EXPECT_EQ(read.criterion.loss.to_string(), plan.configuration.criterion.loss.to_string());
      EXPECT_EQ(read.criterion.gamma, plan.configuration.criterion.gamma);
      EXPECT_EQ(plan.configuration.model.largest_order(6, 0), 0U) << "closed on Sunday";
      EXPECT_EQ(plan.configuration.model.largest_order(0, 0), 9U);
      EXPECT_EQ(plan.configuration.model.parts().arrival.size(), 7U);
    }
  }
}

TEST(FittedPlanTest, CommentsSayWhereTheNumbersComeFrom) {
  std::mt19937_64 bits(2);
  const Fit fit = fit_records(some_records(bits), {.shelf_life = 2});
  const FittedPlan plan = fitted_plan(fit, {.records = "ward.csv", .capacity = 12});
  for (const char* const part :
       {"# A plan fitted to ward.csv: 312 days from 2025-01-06 to 2026-01-03.",
        "# Warning: there are no rows for Sunday", "95 % intervals:", "#   Monday ", "52 days",
        "Goodness of fit: p = ", "REPLACE with your own costs", "order = 10 "}) {
    EXPECT_THAT(plan.toml, ::testing::HasSubstr(part));
  }
}

TEST(FittedPlanTest, CostsAndRiskCanBeSetAndNothingElse) {
  std::mt19937_64 bits(3);
  const Fit fit = fit_records(some_records(bits), {.shelf_life = 2});
  const FittedPlan plan = fitted_plan(fit, {.capacity = 12,
                                            .set = {"cost.order=225", "cost.unit=[1,2,3,4,5,6,7]",
                                                    "risk.tau=0.7", "risk.gamma=0.9"}});
  EXPECT_EQ(plan.configuration.model.cost(0).order, 225.0);
  EXPECT_EQ(plan.configuration.model.cost(4).unit, 5.0);
  EXPECT_EQ(plan.configuration.criterion.gamma, 0.9);
  EXPECT_EQ(plan.configuration.criterion.loss.to_string(), "expectile:0.7");
  expect_rejected([&] { fitted_plan(fit, {.set = {"demand.mean=4"}}); },
                  {"set demand.mean=4", "[cost] and [risk]"});
  expect_rejected([&] { fitted_plan(fit, {.set = {"cost.ordr=4"}}); },
                  {"set cost.ordr=4", "did you mean cost.order?"});
  expect_rejected([&] { fitted_plan(fit, {.set = {"cost.order=-4"}}); },
                  {"set cost.order=-4", "a number from 0"});
  expect_rejected([&] { fitted_plan(fit, {.set = {"cost.order"}}); }, {"the = is missing"});
  expect_rejected([&] { fitted_plan(fit, {.capacity = 251}); }, {"capacity = 251", "1 to 250"});
  expect_rejected([&] { fitted_plan(fit, {.capacity = 9, .max_order = 10}); },
                  {"max_order = 10", "0 to the capacity, 9"});
}

TEST(FittedPlanTest, MarksTheCostsThatNobodyGave) {
  std::mt19937_64 bits(3);
  const Fit fit = fit_records(some_records(bits), {.shelf_life = 2});
  using ::testing::ElementsAre;
  const auto marked = [&](const std::vector<std::string>& set) {
    const FittedPlan plan = fitted_plan(fit, {.capacity = 12, .set = set});
    EXPECT_EQ(InventoryToml(plan.toml, "plan").placeholder_costs(), plan.placeholder_costs);
    return plan.placeholder_costs;
  };
  EXPECT_THAT(marked({}), ElementsAre("order", "holding", "shortage", "wastage"));
  EXPECT_THAT(marked({"cost.shortage=300", "cost.unit=4"}),
              ElementsAre("order", "holding", "wastage"));
  EXPECT_THAT(marked({"cost.placeholders=[]"}), ElementsAre());
  EXPECT_THAT(marked({"cost.order=1", "cost.holding=1", "cost.shortage=2", "cost.wastage=1"}),
              ElementsAre());
}

/// The limit that is said not to limit does not, and one less is warned of.
TEST(FittedPlanTest, WarnsOfALargestOrderThatLimitsTheBestOrders) {
  std::mt19937_64 bits(5);
  const Fit fit = fit_records(some_records(bits), {.shelf_life = 2});
  const auto warnings = [&](std::size_t max_order) {
    return fitted_plan(fit, {.capacity = 30, .max_order = max_order}).warnings;
  };
  const auto of_limit = ::testing::HasSubstr("may limit the best orders");
  std::size_t least = 1;
  while (least < 30 && ::testing::Value(warnings(least), ::testing::Contains(of_limit))) ++least;
  EXPECT_GT(least, 2U);
  EXPECT_LT(least, 30U);
  EXPECT_THAT(warnings(1),
              ::testing::Contains(fmt::format(
                  "the largest order 1 may limit the best orders; {} would not", least)));
  EXPECT_THAT(warnings(least), ::testing::Each(::testing::Not(of_limit)));
}

TEST(FittedPlanTest, TheSuggestedCapacityDoesNotLimitTheBestOrders) {
  std::mt19937_64 bits(4);
  const Fit fit = fit_records(some_records(bits), {.shelf_life = 2});
  for (const double order_cost : {0.0, 10.0, 40.0}) {
    const std::string cost = fmt::format("cost.order={}", order_cost);
    const FittedPlan plan = fitted_plan(fit, {.set = {cost}});
    const std::size_t capacity = plan.configuration.model.capacity();
    const FittedPlan larger = fitted_plan(fit, {.capacity = 2 * capacity, .set = {cost}});
    const double value =
        inventory::solve(plan.configuration.model, plan.configuration.criterion).values[0];
    const double best =
        inventory::solve(larger.configuration.model, larger.configuration.criterion).values[0];
    EXPECT_NEAR(value, best, 2e-6) << "both are certified within 1e-6, capacity " << capacity;
    const FittedPlan smaller = fitted_plan(fit, {.capacity = capacity / 2, .set = {cost}});
    EXPECT_THAT(smaller.warnings, ::testing::Contains(::testing::HasSubstr("may limit")));
    EXPECT_GT(
        inventory::solve(smaller.configuration.model, smaller.configuration.criterion).values[0],
        best + 0.05)
        << "the suggestion is not needlessly large";
  }
}

/// Eight was suggested before, which costs 60.89 from the empty shelf instead of 2.74.
TEST(FittedPlanTest, ShortagesThatCostMuchNeedRoomForTheLargestDemands) {
  inventory::Records records;
  const std::vector<std::uint32_t> demands = {2, 0, 3, 1, 4, 2, 1, 5, 3, 2, 0, 1, 2, 3, 6, 2};
  for (std::size_t t = 0; t < 160; ++t) {
    inventory::DayRecord& day = records.days.emplace_back();
    day.date = *inventory::parse_iso_date("2025-01-06") + std::chrono::days(t);
    day.demand = demands[t % demands.size()];
  }
  const Fit fit = fit_records(records, {.shelf_life = 3});
  const std::vector<std::string> set = {
      "cost.order=0",   "cost.holding=0.1",         "cost.shortage=300",
      "cost.wastage=0", "risk.loss=expectile:0.99", "risk.gamma=0.6"};
  const auto value = [&](std::optional<std::size_t> capacity) {
    const FittedPlan plan = fitted_plan(fit, {.capacity = capacity, .set = set});
    return inventory::solve(plan.configuration.model, plan.configuration.criterion).values[0];
  };
  EXPECT_NEAR(value(8), 60.89, 0.01);
  EXPECT_NEAR(value(24), 2.74, 0.01);
  EXPECT_NEAR(value({}), value(24), 2e-6) << "both are certified within 1e-6";
}

TEST(FittedPlanTest, WithoutACapacityThePlanFollowsItsCosts) {
  std::mt19937_64 bits(6);
  const FittedPlan plan = fitted_plan(fit_records(some_records(bits), {.shelf_life = 2}), {});
  const auto capacity = [&](const std::vector<std::string>& set) {
    InventoryToml toml(plan.toml, "plan.toml");
    for (const std::string& assignment : set) toml.set(assignment);
    return toml.configuration().model.capacity();
  };
  EXPECT_EQ(capacity({}), plan.configuration.model.capacity());
  EXPECT_GT(capacity({"cost.shortage=2000", "cost.holding=0.01", "cost.wastage=0"}), capacity({}));
  EXPECT_GT(capacity({"inventory.max_order=[250,0,0,0,0,0,0]", "inventory.shelf_life=7",
                      "arrival.fresh=true"}),
            capacity({"inventory.shelf_life=7", "arrival.fresh=true"}))
      << "one order a week";
  EXPECT_EQ(capacity({"inventory.capacity=3"}), 3U) << "a shelf for three units";
  EXPECT_EQ(capacity({"inventory.max_order=[250,0,0,0,0,0,0]", "inventory.capacity=3"}), 3U);
}

TEST(FittedPlanTest, ANameThatIsNotUtf8IsEscapedInComments) {
  std::mt19937_64 bits(7);
  const Fit fit = fit_records(some_records(bits), {.shelf_life = 2});
  const FittedPlan plan = fitted_plan(fit, {.records = "w\xff\nard.csv"});
  EXPECT_THAT(plan.toml, ::testing::HasSubstr("w\\xff\\nard.csv"));
  EXPECT_NO_THROW(InventoryToml(plan.toml, "plan.toml"));
}

}  // namespace
}  // namespace shortfall::io
