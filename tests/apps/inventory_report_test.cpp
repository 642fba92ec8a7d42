// `shortfall inventory report`: the HTML report and its data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/apps/command_runner.hpp"
#include "tests/formats/inventory_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class InventoryPage : public ::testing::Test {
 protected:
  InventoryPage() { place.write("c.toml", io::small_inventory); }

  nlohmann::json data(const std::string& arguments) const {
    const Outcome outcome = place.run("inventory report c.toml --out p.html --replications 200 " +
                                      arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.json();
  }
  nlohmann::json solved(const std::string& arguments) const {
    return place.run("inventory solve c.toml --policy-out orders.csv --json " + arguments).json();
  }
  void expect_refused(const std::string& arguments, const std::string& part) const {
    const std::size_t files = place.file_count();
    const Outcome outcome = place.run("inventory report " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(part), HasSubstr("accepted")));
    EXPECT_EQ(place.file_count(), files);
  }

  Workplace place;
};

/// The orders that `solve --policy-out` writes, as consecutive base-36 digits.
std::string digits_of(const std::string& csv, std::size_t width) {
  std::string digits;
  for (std::size_t begin = csv.find('\n') + 1; begin < csv.size();) {
    const std::size_t end = csv.find('\n', begin);
    const std::size_t comma = csv.rfind(',', end);
    const auto order = std::stoul(csv.substr(comma + 1, end - comma - 1));
    for (std::size_t place = width; place-- > 0;) {
      const std::size_t digit = (place == 0 ? order : order / 36) % 36;
      digits += static_cast<char>(digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
    begin = end + 1;
  }
  return digits;
}

TEST_F(InventoryPage, RecommendsWhatSolveFinds) {
  const nlohmann::json plan = data("");
  const nlohmann::json optimum = solved("");
  const nlohmann::json& recommendation = plan.at("recommendation");
  EXPECT_EQ(recommendation.at("value_at_empty"), optimum.at("value_at_empty"));
  EXPECT_EQ(recommendation.at("order_at_empty").at(0), optimum.at("order_at_empty"));
  EXPECT_EQ(plan.at("orders").at("digits"), digits_of(place.read("orders.csv"), 1));
  EXPECT_EQ(plan.at("model").at("max_order"), 2);
  EXPECT_THAT(place.read("p.html"), HasSubstr("\"source\":\"c.toml\""));
}

TEST_F(InventoryPage, StatesTheAttitudeToRiskAndWhenNothingIsOrdered) {
  const auto attitude = [&](const std::string& loss) {
    (void)data("--set risk.loss=" + loss);
    const std::string page = place.read("p.html");
    const std::string key = "\"attitude\":";
    const std::size_t begin = page.find(key) + key.size();
    return page.substr(begin, page.find('}', begin) + 1 - begin);
  };
  EXPECT_EQ(attitude("expectile:0.75"), R"({"kind":"averse","weight_ratio":3.0})");
  EXPECT_EQ(attitude("expectile:0.25"), R"({"kind":"seeking","weight_ratio":3.0})");
  EXPECT_EQ(attitude("expectile:0.5"), R"({"kind":"neutral","weight_ratio":null})");
  EXPECT_EQ(attitude("mean"), R"({"kind":"neutral","weight_ratio":null})");
  EXPECT_EQ(attitude("entropic:0.1"), R"({"kind":"averse","weight_ratio":null})");
  EXPECT_EQ(attitude("soft-quantile:0.8,2"), R"({"kind":"other","weight_ratio":null})");
  int last = -1;  // the largest stock with an order
  const nlohmann::json plan = data("");
  for (const nlohmann::json& row : plan.at("recommendation").at("by_total")) {
    if (row.at("most") > 0) last = std::max(last, row.at("total").get<int>());
  }
  ASSERT_LT(last, plan.at("model").at("capacity"));
  EXPECT_NE(place.read("p.html").find("\"nothing_from\":" + std::to_string(last + 1) + ","),
            std::string::npos);
}

TEST_F(InventoryPage, WritesLargeOrdersInTwoDigitsAndDaysOneAfterTheOther) {
  if (is_sanitized()) GTEST_SKIP() << "slow, and covers nothing that smaller orders do not";
  const std::string changes =
      "--set inventory.capacity=40 --set inventory.max_order=40 --set "
      "demand.mean=[20,1,1,1,1,1,30] "
      "--set demand.max=50";
  const nlohmann::json plan = data(changes);
  (void)solved(changes);
  const std::string digits = plan.at("orders").at("digits");
  EXPECT_EQ(digits, digits_of(place.read("orders.csv"), 2));
  EXPECT_EQ(digits.size(), 2 * plan.at("model").at("states").get<std::size_t>());
  EXPECT_EQ(plan.at("recommendation").at("order_at_empty").size(), 7U);
}

TEST_F(InventoryPage, ComparesSimplerRulesAsEvaluateAndSimulateDo) {
  const nlohmann::json plan = data("--periods 50");
  const auto evaluated = place.run(
      "inventory evaluate c.toml --policy optimal --policy static --policy myopic "
      "--policy risk-neutral --json");
  const auto simulated = place.run(
      "inventory simulate c.toml --policy optimal --policy static --policy myopic "
      "--policy risk-neutral --periods 50 --replications 200 --quantiles 0.95 --json");
  for (std::size_t k = 0; k < 4; ++k) {
    const nlohmann::json& row = plan.at("policies").at(k);
    const nlohmann::json value = evaluated.json().at("policies").at(k);
    const nlohmann::json happened = simulated.json().at("policies").at(k);
    EXPECT_EQ(row.at("policy"), value.at("policy"));
    // Each is certified to within 1e-6.
    EXPECT_NEAR(row.at("value_at_empty").get<double>(), value.at("value_at_empty").get<double>(),
                2e-6);
    EXPECT_EQ(row.at("cost_mean"), happened.at("mean"));
    EXPECT_EQ(row.at("cost_q95"), happened.at("quantiles").at("0.95"));
    EXPECT_EQ(row.at("wasted_fraction"), happened.at("wasted_fraction"));
  }
  EXPECT_EQ(plan.at("costs").size(), 4U * 201U);
}

TEST_F(InventoryPage, MarksTheLevelOfRiskThatWasChosen) {
  const nlohmann::json plan = data("--levels 0.2,0.9");
  std::vector<double> levels;
  for (const nlohmann::json& row : plan.at("levels")) {
    levels.push_back(row.at("level"));
    EXPECT_EQ(row.at("is_chosen").get<bool>(), levels.back() == 0.7);
    // Each is certified to within 1e-6.
    EXPECT_NEAR(row.at("value_at_empty").get<double>(),
                solved("--set risk.loss=" + row.at("loss").get<std::string>())
                    .at("value_at_empty")
                    .get<double>(),
                2e-6);
  }
  EXPECT_THAT(levels, ElementsAre(0.2, 0.7, 0.9));
}

TEST_F(InventoryPage, HasOwnRulesAndWhatTheyCostMore) {
  const nlohmann::json plan =
      data("--policy fixed:1 --policy static --periods 70 --title 'Group <O>' --currency EUR");
  EXPECT_EQ(plan.at("product"), "Group <O>");
  EXPECT_EQ(plan.at("currency"), "EUR");
  EXPECT_EQ(plan.at("date"), "");
  const nlohmann::json& policies = plan.at("policies");
  ASSERT_EQ(policies.size(), 5U);
  EXPECT_EQ(policies.at(4).at("policy"), "fixed:1");
  EXPECT_EQ(policies.at(4).at("is_own"), true);
  EXPECT_EQ(policies.at(1).at("is_own"), true);
  EXPECT_EQ(policies.at(3).at("is_own"), false);
  EXPECT_NEAR(policies.at(4).at("extra_per_period").get<double>(),
              policies.at(4).at("cost_per_period").get<double>() -
                  policies.at(0).at("cost_per_period").get<double>(),
              1e-9);
  EXPECT_GT(policies.at(4).at("month_bad"), policies.at(4).at("month_median"));
  const std::string page = place.read("p.html");
  EXPECT_THAT(page, HasSubstr("\"own_rules\":[{\"policy\":\"static\",\"digits\":"));
  EXPECT_THAT(page, HasSubstr("Group \\u003cO>"));
  expect_refused("c.toml --out x.html --policy base-stok:3", "base-stok:3");
  expect_refused("c.toml --out x.html --policy fixed:1 --policy fixed:1", "given twice");
}

TEST_F(InventoryPage, ComparesWithTheRecords) {
  std::string rows = "date,demand,ordered\n";
  for (int day = 1; day <= 28; ++day) {
    rows += "2026-02-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + "," +
            std::to_string(day % 3) + ",1\n";
  }
  place.write("r.csv", rows);
  const nlohmann::json plan = data("--records r.csv --csv charts");
  const nlohmann::json& records = plan.at("records");
  EXPECT_EQ(records.at("first"), "2026-02-01");
  EXPECT_EQ(records.at("rule_in_use").at("policy"), "fixed:1");
  const nlohmann::json backtest =
      place.run("inventory backtest c.toml r.csv --compare fixed:1 --json").json();
  for (const nlohmann::json& row : records.at("backtest").at("policies")) {
    EXPECT_EQ(row.at("cost"), backtest.at("policies").at(row.at("policy")).at("cost"));
  }
  EXPECT_EQ(records.at("backtest").at("policies").size(), 3U);
  EXPECT_EQ(records.at("fit").at("counts").at(2).at("known"), 9);
  EXPECT_EQ(plan.at("policies").back().at("policy"), "fixed:1");
  EXPECT_THAT(place.read("charts/backtest.csv"), ::testing::StartsWith("policy,cost,"));
  expect_refused("c.toml --out x.html --records missing.csv", "missing.csv");
}

TEST_F(InventoryPage, WritesTheDataOfItsChartsAsCsv) {
  (void)data("--csv charts");
  EXPECT_THAT(place.read("charts/levels.csv"), ::testing::StartsWith("parameter,level,loss,"));
  (void)solved("");
  EXPECT_EQ(place.read("charts/orders.csv"), place.read("orders.csv"));
  EXPECT_THAT(place.read("charts/costs.csv"), HasSubstr("\nmyopic,0.5,"));
  EXPECT_THAT(place.read("charts/demand.csv"),
              ::testing::StartsWith("day,units,probability\n0,0,"));
}

TEST_F(InventoryPage, GivesTheSameBytesForAnyNumberOfThreads) {
  (void)data("--threads 1");
  const std::string one = place.read("p.html");
  (void)data("--threads 2");
  EXPECT_EQ(one, place.read("p.html"));
}

TEST_F(InventoryPage, AcceptsAFileNameThatIsNotText) {
  place.write("caf\xe9.toml", io::small_inventory);
  const Outcome outcome =
      place.run("inventory report caf\xe9.toml --out p.html --replications 10 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json().at("source"), "caf\xEF\xBF\xBD.toml");
}

TEST_F(InventoryPage, IsNotWrittenWithoutAnAnswer) {
  const std::size_t files = place.file_count();
  const Outcome outcome =
      place.run("inventory report c.toml --out p.html --max-iterations 1 --tolerance 1e-13");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_EQ(place.file_count(), files);
}

}  // namespace
}  // namespace shortfall::testing
