// Errors of `shortfall inventory` and their messages.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/apps/command_runner.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InventoryErrors : public ::testing::Test {
 protected:
  InventoryErrors() { place.write("c.toml", io::small_inventory); }

  Outcome run(const std::string& arguments) const { return place.run("inventory " + arguments); }

  /// Exit code 2, nothing on standard output, one line on standard error with these parts.
  void expect_refused(const std::string& arguments, const std::vector<std::string>& parts) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const auto& part : parts) EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  }

  Workplace place;
};

TEST_F(InventoryErrors, OfUsageNameTheCommandOrOption) {
  expect_refused(
      "",
      {"no command given, see --help; accepted: inventory fit, solve, order, backtest, evaluate"});
  expect_refused("slove c.toml", {"unknown command 'slove'"});
  expect_refused("solve", {"config", "shortfall inventory solve --help"});
  expect_refused("solve c.toml --stock 2,1", {"unknown option --stock; accepted: "});
  expect_refused("solve c.toml --tolerance 0", {"--tolerance is 0; accepted: "});
  expect_refused("solve c.toml --max-iterations 0", {"--max-iterations is 0; accepted: "});
  expect_refused("solve c.toml --stopping soon", {"--stopping"});
  expect_refused("solve c.toml --policy-out -", {"--policy-out is -"});
  expect_refused("solve c.toml --policy-out no/p.csv", {"no/p.csv"});
  expect_refused("solve c.toml --policy-out p.csv --sweep risk.tau=0.1",
                 {"--policy-out with --sweep; accepted: one of them"});
  expect_refused("simulate c.toml --periods 0", {"--periods"});
  expect_refused("simulate c.toml --replications 0", {"--replications"});
  expect_refused("simulate c.toml --quantiles 0.5,1.5", {"--quantiles has 1.5; accepted: "});
  expect_refused("simulate c.toml --quantiles 5,95", {"--quantiles has 5, did you mean 0.05?"});
  EXPECT_EQ(place.file_count(), 1u);
}

TEST_F(InventoryErrors, OfTheConfigurationNameFileLineAndKey) {
  const auto refused_line = [&](const std::string& old_line, const std::string& new_line,
                                const std::vector<std::string>& parts) {
    place.write("bad.toml", io::with_line(io::small_inventory, old_line, new_line));
    expect_refused("solve bad.toml", parts);
    expect_refused("evaluate bad.toml --policy static", parts);
    expect_refused("simulate bad.toml --policy static", parts);
  };
  refused_line("order", "order = -1", {"bad.toml, line 14, key cost.order: found -1; accepted: "});
  refused_line("order", "order = \"1\"", {"line 14, key cost.order", "text"});
  refused_line("order", "ordr = 1", {"line 14, key cost.ordr", "did you mean cost.order?"});
  refused_line("[cost]", "[costs]", {"line 13, table [costs]", "did you mean [cost]?"});
  refused_line("order", "", {"bad.toml: key cost.order is missing; accepted: "});
  refused_line("c0", "c0 = [1]", {"line 11", "c0 has 1 numbers and c1 has 2", "shelf life is 3"});
  refused_line("order", "order = ", {"bad.toml, line 14"});
  expect_refused("solve none.toml", {"none.toml: there is no such file"});
}

TEST_F(InventoryErrors, OfSetNameTheOption) {
  expect_refused("solve c.toml --set cost.ordr=8",
                 {"--set cost.ordr=8: ", "did you mean cost.order?; accepted: cost.order"});
  expect_refused("solve c.toml --set cost.order=-8", {"--set cost.order=-8: found -8; accepted: "});
  expect_refused("solve c.toml --set cost.order", {"accepted: KEY=VALUE"});
  expect_refused("solve c.toml --set ''", {"--set"});
  expect_refused(
      "solve c.toml --set demand.distribution=empirical "
      "--set demand.probabilities=[0.5,0.4]",
      {"--set demand.probabilities=[0.5,0.4]: ", "sum to 0.9"});
}

TEST_F(InventoryErrors, OfSweepsComeBeforeTheWork) {
  for (const auto& [sweep, part] : std::vector<std::pair<std::string, std::string>>{
           {"risk.tau", "the = is missing"},
           {"risk.tau=", "a value is empty"},
           {"risk.tau=0.1,,0.2", "a value is empty"},
           {"risk.tau=0.9:0.1:0.1", "the steps do not lead from start to stop"},
           {"risk.tau=0.1:0.9:0", "accepted: KEY=START:STOP:STEP"},
           {"risk.tau=0.1:0.9:1e-9", "there are"},
           {"risk.tua=0.1", "did you mean risk.tau?"},
           {"risk.tau=0.5,1.5", "--sweep risk.tau=1.5: found 1.5; accepted: "}}) {
    expect_refused("solve c.toml --sweep " + sweep, {"--sweep " + sweep.substr(0, 8), part});
  }
  expect_refused("solve c.toml --sweep risk.tau=0.1 --sweep risk.tau=0.2", {"has the same key"});
  expect_refused("solve c.toml --sweep risk.tau=0.1 --sweep cost.order=2 --sweep cost.holding=1",
                 {"--sweep is given 3 times; accepted: at most twice"});
}

TEST_F(InventoryErrors, OfPoliciesNameTheFileAndLine) {
  const auto refused = [&](const std::string& rows, const std::vector<std::string>& parts) {
    place.write("p.csv", rows);
    expect_refused("evaluate c.toml --policy p.csv", parts);
    expect_refused("simulate c.toml --policy p.csv", parts);
  };
  refused("x1,x2,order\n0,0,1\n", {"p.csv: stock x1,x2 = 0,1 has no row, and neither do 8 others"});
  refused("x1,x2,order\n0,0,1\n0,0,1\n", {"p.csv, line 3: this repeats the stock of line 2"});
  refused("x1,x2,order\n0,0,3\n", {"p.csv, line 2, column order: found 3; accepted: 0 to 2"});
  refused("x1,x2,order\n0,4,0\n", {"p.csv, line 2, column x2"});
  refused("x1,order\n0,0\n", {"p.csv, line 1: column x2 is missing"});
  expect_refused("evaluate c.toml", {"--policy is required"});
  expect_refused("evaluate c.toml --policy statick",
                 {"--policy statick: this is neither", "static"});
  expect_refused("evaluate c.toml --policy base-stock:4", {"the level 4 is above the capacity"});
  expect_refused("evaluate c.toml --policy base-stock:0", {"accepted: base-stock:S"});
  expect_refused("evaluate c.toml --policy base-stock:x", {"accepted: base-stock:S"});
  expect_refused("evaluate c.toml --policy reorder:2", {"accepted: reorder:s,S"});
  expect_refused("evaluate c.toml --policy reorder:2,2", {"accepted: reorder:s,S"});
  expect_refused("evaluate - --policy -", {"standard input"});
}

TEST_F(InventoryErrors, AModelThatDoesNotFitInMemoryIsRefused) {
  expect_refused(
      "solve c.toml --set inventory.capacity=250 --set inventory.shelf_life=5 "
      "--set arrival.fresh=true",
      {"c.toml: ", "capacity 250", "accepted: "});
}

TEST_F(InventoryErrors, NoAnswerIsExitCodeOne) {
  const Outcome limited = run("solve c.toml --json --stopping paper --max-iterations 2");
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_EQ(limited.json().at("status"), "iteration-limit");
  EXPECT_THAT(limited.err, HasSubstr("not converged"));
  const Outcome precise = run("solve c.toml --json --tolerance 1e-30");
  EXPECT_EQ(precise.exit_code, 1);
  EXPECT_EQ(precise.json().at("status"), "precision-limit");
  EXPECT_THAT(precise.err, HasSubstr(fmt::format("cannot certify --tolerance 1e-30, only {:.2g};",
                                                 precise.json().at("error_bound").get<double>())));
}

}  // namespace
}  // namespace shortfall::testing
