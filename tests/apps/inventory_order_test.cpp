// `shortfall inventory order` and `backtest`, as a planner runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

#include "apps/shortfall/inventory_command.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The zone of local time while it exists.
class ZoneForTest {
 public:
  explicit ZoneForTest(const char* zone) {
    if (const char* const old = std::getenv("TZ")) old_ = old;
    set(zone);
  }
  ~ZoneForTest() { set(old_ ? old_->c_str() : nullptr); }
  ZoneForTest(const ZoneForTest&) = delete;
  ZoneForTest& operator=(const ZoneForTest&) = delete;

 private:
  static void set(const char* zone) {
    zone != nullptr ? setenv("TZ", zone, 1) : unsetenv("TZ");
    tzset();
  }

  std::optional<std::string> old_;
};

class InventoryOrder : public ::testing::Test {
 protected:
  InventoryOrder() {
    place.write("c.toml", io::small_inventory);
    place.write("records.csv",
                "date,demand,stockout,ordered,received_1,received_2,received_3\n"
                "2026-11-02,1,0,2,0,1,1\n2026-11-03,2,0,2,0,0,2\n2026-11-04,0,0,0,0,0,0\n"
                "2026-11-05,3,1,1,1,0,0\n2026-11-06,1,0,2,0,2,0\n2026-11-09,2,0,2,0,0,2\n");
  }

  Outcome run(const std::string& arguments) const { return place.run("inventory " + arguments); }

  void expect_refused(const std::string& arguments, const std::string& part) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  }

  Workplace place;
};

TEST(LocalWeekday, IsThatOfTheZone) {
  constexpr std::time_t sunday_noon = 1795348800;  // 2026-11-22, UTC
  const ZoneForTest utc("UTC0");
  EXPECT_EQ(app::local_weekday(sunday_noon), 6U);
  EXPECT_EQ(app::local_weekday(sunday_noon + 86400), 0U);
  const ZoneForTest east("EAST-13");
  EXPECT_EQ(app::local_weekday(sunday_noon), 0U);
}

TEST_F(InventoryOrder, AnswersWithTheOrderOfTheSolver) {
  ASSERT_EQ(run("solve c.toml --policy-out p.csv").exit_code, 0);
  const std::string orders = place.read("p.csv");
  for (const char* const stock : {"0,0", "1,0", "0,2", "1,2"}) {
    const Outcome outcome = run(std::string("order c.toml --json --stock ") + stock);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const nlohmann::json answer = outcome.json();
    EXPECT_THAT(orders, HasSubstr(std::string("\n") + stock + "," +
                                  std::to_string(answer["order"].get<int>()) + "\n"));
    EXPECT_EQ(answer["choices"][answer["order"].get<std::size_t>()]["value"], answer["value"]);
    EXPECT_LT(answer["error_bound"].get<double>(), 1e-6);
  }
}

TEST_F(InventoryOrder, IsGivenWithTheBoundThatCostsAllowUnlessATolerance) {
  const std::string expensive = "order c.toml --json --stock 1,0 --set cost.shortage=1e12";
  const Outcome answer = run(expensive);
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.json()["status"], "converged");
  EXPECT_GT(answer.json()["error_bound"].get<double>(), 1e-6);
  EXPECT_LT(answer.json()["error_bound"].get<double>(), 1.0);
  const Outcome asked = run(expensive + " --tolerance 1e-6");
  EXPECT_EQ(asked.exit_code, 1);
  EXPECT_THAT(asked.err, HasSubstr("double precision cannot certify --tolerance 1e-06"));
}

TEST_F(InventoryOrder, ComparesRules) {
  const nlohmann::json answer =
      run("order c.toml --json --stock 1,0 --compare base-stock:3 --compare optimal").json();
  EXPECT_EQ(answer["compare"]["base-stock:3"]["order"], 2);
  EXPECT_EQ(answer["compare"]["optimal"]["order"], answer["order"]);
  EXPECT_EQ(answer["compare"]["base-stock:3"]["value"], answer["choices"][2]["value"]);
}

TEST_F(InventoryOrder, FromASavedSolutionIsTheSame) {
  ASSERT_EQ(run("solve c.toml --save s").exit_code, 0);
  nlohmann::json saved = run("order c.toml --json --stock 1,1 --solution s").json();
  nlohmann::json solved = run("order c.toml --json --stock 1,1").json();
  saved.erase("seconds");
  solved.erase("seconds");
  EXPECT_EQ(saved, solved);
  expect_refused("order c.toml --stock 1,1 --solution s --set cost.order=2",
                 "cost.order: 1 when solved, 2 now");
  expect_refused("order c.toml --stock 1,1 --solution s --tolerance 1e-9", "--tolerance with");
  expect_refused("order c.toml --stock 1,1 --solution c.toml", "c.toml: this is not a saved");
  expect_refused("solve c.toml --save c.toml", "--save and the argument config are the same file");
  expect_refused("solve c.toml --save no/s", "no/s");
  expect_refused("solve c.toml --save s --sweep risk.tau=0.1,0.2", "--save with --sweep");
}

TEST_F(InventoryOrder, OfASolverThatFailedLeavesNoFile) {
  EXPECT_EQ(run("solve c.toml --save s --tolerance 1e-18").exit_code, 1);
  expect_refused("order c.toml --stock 1,1 --solution s", "there is no such file");
}

/// Orders are expensive: the best alternative to a large one is none, or one that is far away.
TEST_F(InventoryOrder, ShowsTheNextBestOrder) {
  const std::string plan =
      " c.toml --set inventory.capacity=30 --set inventory.max_order=30 --set demand.mean=8 "
      "--set demand.max=30 --set cost.order=";
  int far = 0;
  for (const std::string cost : {"5", "20", "60"}) {
    ASSERT_EQ(run("solve" + plan + cost + " --save s").exit_code, 0);
    for (const std::string stock : {"0", "4", "8", "12"}) {
      const std::string command = "order" + plan + cost + " --solution s --stock " + stock + ",0";
      const nlohmann::json answer = run(command + " --json").json();
      const auto best = answer["order"].get<std::size_t>();
      std::size_t next = best == 0 ? 1 : 0;
      for (std::size_t z = 0; z < answer["choices"].size(); ++z) {
        const auto value = [&](std::size_t order) {
          return answer["choices"][order]["value"].get<double>();
        };
        if (z != best && value(z) < value(next)) next = z;
      }
      far += next > best + 3 || next + 3 < best ? 1 : 0;
      const std::string text = run(command).out;
      EXPECT_THAT(text, ::testing::ContainsRegex("\n *" + std::to_string(next) + "  ")) << text;
    }
  }
  EXPECT_GT(far, 0);
}

TEST_F(InventoryOrder, RefusesStocksDaysAndRulesThatCannotBe) {
  expect_refused("order c.toml", "--stock is required; accepted: 2 numbers");
  expect_refused("order c.toml --stock 1", "--stock 1: the stock has 1 number; accepted: 2");
  expect_refused("order c.toml --stock 1,-1", "'-1' is not a number of units");
  expect_refused("order c.toml --stock 1,.5", "'.5' is not a number of units");
  expect_refused("order c.toml --stock 1,", "'' is not a number of units");
  EXPECT_EQ(run("order c.toml --stock 1,1 --day mon").out, run("order c.toml --stock 1,1").out);
  expect_refused("order c.toml --stock 1,1 --day mnday", "did you mean monday?");
  const std::string week = " --set demand.mean=[1,1,1,1,1,1,2]";
  expect_refused("order c.toml --stock 1,1" + week, "--day is required");
  EXPECT_THAT(run("order c.toml --stock 1,1 --day SUN" + week).out, HasSubstr("\nDay: Sunday\n"));
  EXPECT_THAT(run("order c.toml --stock 1,1").out, ::testing::Not(HasSubstr("Day: ")));
  expect_refused("order c.toml --stock= --json", "--stock= has no value");
  expect_refused("order c.toml --stock 1,1 --compare statik", "did you mean static?");
  expect_refused("order c.toml --stock 1,1 --compare fixed:4", "above the capacity");
}

TEST_F(InventoryOrder, OfABacktestAddsUp) {
  const Outcome outcome =
      run("backtest c.toml records.csv --json --compare base-stock:2 --out rows.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json result = outcome.json();
  EXPECT_EQ(result["days"], 6);
  EXPECT_EQ(result["closed_days"], 2);
  for (const char* const name : {"plan", "base-stock:2", "actual"}) {
    const nlohmann::json& policy = result["policies"][name];
    double sum = 0.0;
    for (const char* const part :
         {"order_cost", "unit_cost", "holding_cost", "shortage_cost", "wastage_cost"}) {
      sum += policy[part].get<double>();
    }
    EXPECT_NEAR(policy["cost"].get<double>(), sum, 1e-9);
    EXPECT_NEAR(policy["cost_per_day"].get<double>(), sum / result["days"].get<double>(), 1e-9);
  }
  EXPECT_EQ(result["policies"]["actual"]["units_ordered"], 9);
  const std::string rows = place.read("rows.csv");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1 + 3 * 8);
}

TEST_F(InventoryOrder, OfABacktestSaysWhereShortagesAreBounds) {
  place.write("known.csv", "date,demand,stockout,ordered\n2026-11-02,1,0,1\n2026-11-03,9,0,1\n");
  place.write("ran_out.csv", "date,demand,stockout,ordered\n2026-11-02,1,0,1\n2026-11-03,9,1,1\n");
  const auto actual = [&](const std::string& records) {
    return run("backtest c.toml " + records + " --json").json()["policies"]["actual"];
  };
  EXPECT_EQ(actual("known.csv")["shortages"], "exact");
  EXPECT_EQ(actual("ran_out.csv")["shortages"], "at least");
  EXPECT_THAT(run("backtest c.toml known.csv").out, ::testing::Not(HasSubstr("at least")));
  const std::string text = run("backtest c.toml ran_out.csv").out;
  EXPECT_THAT(text, HasSubstr("  at least 1  "));  // day short
  EXPECT_THAT(text, HasSubstr("  at most "));
}

TEST_F(InventoryOrder, OfABacktestRefusesWhatItCannotUse) {
  expect_refused("backtest c.toml none.csv", "none.csv");
  expect_refused("backtest c.toml records.csv --stock 4", "--stock 4");
  expect_refused("backtest c.toml records.csv --refit 0", "--refit");
  expect_refused("backtest c.toml records.csv --compare static --compare static", "given twice");
  expect_refused("backtest c.toml records.csv --out records.csv", "same file");
  place.write("old.csv", "date,demand\n2026-11-03,1\n2026-11-02,1\n2026-11-05,1\n");
  expect_refused("backtest c.toml old.csv", "old.csv, line 3");
}

}  // namespace
}  // namespace shortfall::testing
