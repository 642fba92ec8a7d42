// `shortfall inventory fit`: what planners and scripts rely on.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "installation.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "tests/apps/command_runner.hpp"

namespace shortfall::testing {
namespace {

const std::string records = SHORTFALL_EXAMPLES "/records.csv";

TEST(InventoryFit, TheExampleGivesBackTheTruthItWasSimulatedFrom) {
  const Workplace place;
  const Outcome outcome = place.run("inventory fit " + records + " --shelf-life 5 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, ::testing::IsEmpty());
  const nlohmann::json document = outcome.json();
  EXPECT_EQ(document["days"], 618);
  EXPECT_EQ(document["holidays"], 6);
  EXPECT_EQ(document["closed"], nlohmann::json({"Sunday"}));
  ASSERT_EQ(document["demand"].size(), 7U);
  // As in examples/python/make_records.py. Seven intervals of 95 % hold all truths in 70 % of
  // records; these are fixed, so the intervals are widened by half: 99.7 % each.
  const std::vector<double> truth = {7.4, 6.2, 5.6, 6.2, 7.4, 4.2, 0.0};
  for (std::size_t day = 0; day < 7; ++day) {
    const nlohmann::json& entry = document["demand"][day];
    EXPECT_EQ(entry["distribution"], "negative-binomial");
    const double half = 0.75 * (entry["mean_high"].get<double>() - entry["mean_low"].get<double>());
    EXPECT_NEAR(entry["mean"].get<double>(), truth[day], half);
    EXPECT_LE(entry["n_low"].get<double>(), 11.064622);
    EXPECT_GE(entry["n_high"].get<double>(), 11.064622);
  }
  EXPECT_EQ(document["arrival"]["law"], "logit");
  EXPECT_LT(document["log_likelihood"].get<double>(), 0.0);
  EXPECT_GT(document["goodness_of_fit"]["p"].get<double>(), 0.01);
  EXPECT_EQ(document["warnings"].size(), 1U) << "the closed Sunday";
}

TEST(InventoryFit, ThePlanIsWrittenAndReadable) {
  const Workplace place;
  const Outcome outcome =
      place.run("inventory fit " + records + " --shelf-life 5 --out plan.toml --set cost.order=33");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("The plan is in plan.toml"));
  const inventory::Model model = io::InventoryToml(place.path("plan.toml")).configuration().model;
  EXPECT_EQ(model.days(), 7U);
  EXPECT_EQ(model.largest_order(6, 0), 0U);
  EXPECT_EQ(model.cost(0).order, 33.0);
  EXPECT_EQ(place.file_count(), 1U);
}

TEST(InventoryFit, ADayThatCannotBeReadLeavesNoPlan) {
  const Workplace place;
  place.write("r.csv", "date,demand\n2026-11-16,4\n2026-11-17,x\n");
  const Outcome outcome = place.run("inventory fit r.csv --shelf-life 5 --out plan.toml");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, ::testing::IsEmpty());
  EXPECT_THAT(outcome.err, ::testing::HasSubstr("r.csv, line 3, column demand: found \"x\""));
  EXPECT_EQ(place.file_count(), 1U);
}

}  // namespace
}  // namespace shortfall::testing
