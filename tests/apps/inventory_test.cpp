// `shortfall inventory` as a planner or a script sees it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "installation.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string platelets = SHORTFALL_EXAMPLES "/platelets.toml";

/// Twice the default tolerance: each side of a comparison may be off by it.
constexpr double both_tolerances = 2e-6;

class Inventory : public ::testing::Test {
 protected:
  Inventory() { place.write("c.toml", io::small_inventory); }

  Outcome run(const std::string& arguments) const { return place.run("inventory " + arguments); }

  /// The JSON document of a command that must succeed.
  nlohmann::json json(const std::string& arguments) const {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << arguments << ": " << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    return outcome.json();
  }

  static double value(const nlohmann::json& document) { return document.at("value_at_empty"); }

  Workplace place;
};

/// `document` without its times, at any depth.
nlohmann::json without_seconds(nlohmann::json document) {
  if (document.is_object()) document.erase("seconds");
  if (!document.is_structured()) return document;
  for (auto& part : document) part = without_seconds(part);
  return document;
}

TEST_F(Inventory, SolveAgreesWithTheModelWrittenOutInFull) {
  for (const std::vector<std::string>& changes :
       std::vector<std::vector<std::string>>{{},
                                             {"risk.loss=mean"},
                                             {"risk.loss=entropic:0.3"},
                                             {"inventory.shelf_life=1", "arrival.fresh=true"},
                                             {"demand.mean=[1,2,0.5,1,3,0,1]"}}) {
    std::string options;
    io::InventoryToml toml(place.path("c.toml"));
    for (const std::string& change : changes) {
      options += " --set " + change;
      toml.set(change);
    }
    const nlohmann::json solved = json("solve c.toml --policy-out p.csv" + options);
    const auto [model, criterion] = toml.configuration();
    const Mdp twin = inventory::explicit_mdp(model);
    const Solution expected = policy_iteration(twin, criterion, {.tolerance = 1e-9});
    EXPECT_NEAR(value(solved), expected.values[0], both_tolerances) << options;
    EXPECT_EQ(solved.at("order_at_empty"), expected.policy[0]) << options;
    EXPECT_EQ(solved.at("states"), model.states());
    EXPECT_EQ(io::read_order_policy_csv(place.path("p.csv"), model), expected.policy) << options;
  }
}

TEST_F(Inventory, SolveHasTheKeysOfTheContract) {
  const nlohmann::json solved = json("solve c.toml");
  for (const char* key : {"states", "value_at_empty", "order_at_empty", "error_bound", "seconds",
                          "status", "iterations", "loss", "gamma", "shelf_life", "capacity", "days",
                          "memory_bytes", "non_perishable"}) {
    EXPECT_TRUE(solved.contains(key)) << key;
  }
  EXPECT_EQ(solved.at("states"), 10);
  EXPECT_EQ(solved.at("loss"), "expectile:0.7");
  EXPECT_EQ(solved.at("status"), "converged");
  EXPECT_LE(solved.at("error_bound").get<double>(), 1e-6);
  EXPECT_FALSE(solved.contains("set"));
}

TEST_F(Inventory, TheExampleHasItsKnownValue) {
  // Capacity 20 with the published parameters at shelf life 3: converged values of the tables'
  // instance, found by an independent program.
  const nlohmann::json solved =
      json("solve " + platelets +
           " --set inventory.shelf_life=3 --set arrival.c0=[1,0.5] --set arrival.c1=[-0.2,-0.1]"
           " --sweep risk.tau=0.1,0.5,0.9");
  EXPECT_NEAR(value(solved.at("sweep")[0]), 34.5022, 6e-5);
  EXPECT_NEAR(value(solved.at("sweep")[1]), 54.84898, 6e-6);
  EXPECT_NEAR(value(solved.at("sweep")[2]), 93.55288, 6e-6);
  EXPECT_EQ(solved.at("sweep")[0].at("states"), 231);
}

TEST_F(Inventory, PolicyOutIsReadBackByEvaluateToTheSameValue) {
  for (const std::string changes : {"", " --set demand.mean=[1,2,0.5,1,3,0,1]"}) {
    const double optimal = value(json("solve c.toml --policy-out p.csv" + changes));
    EXPECT_NEAR(value(json("evaluate c.toml --policy p.csv" + changes)), optimal, both_tolerances);
  }
  EXPECT_EQ(place.file_count(), 2u);
  EXPECT_THAT(place.read("p.csv"), StartsWith("day,x1,x2,order\n0,0,0,"));
}

TEST_F(Inventory, ASweepEqualsItsSingleRuns) {
  const nlohmann::json swept = json("solve c.toml --sweep risk.tau=0.1:0.9:0.1");
  ASSERT_EQ(swept.at("sweep").size(), 9u);
  EXPECT_TRUE(swept.contains("seconds"));
  for (const auto& point : swept.at("sweep")) {
    const double tau = point.at("set").at("risk.tau");
    const nlohmann::json single = json("solve c.toml --set risk.tau=" + std::to_string(tau));
    EXPECT_NEAR(value(point), value(single), both_tolerances) << tau;
    EXPECT_EQ(point.at("order_at_empty"), single.at("order_at_empty")) << tau;
    EXPECT_EQ(point.at("non_perishable"), single.at("non_perishable")) << tau;
  }
  EXPECT_DOUBLE_EQ(swept.at("sweep")[8].at("set").at("risk.tau"), 0.9);
  const nlohmann::json costs = json("solve c.toml --sweep cost.order=50,0,3");
  for (const auto& point : costs.at("sweep")) {
    const std::string cost = point.at("set").at("cost.order").dump();
    EXPECT_NEAR(value(point), value(json("solve c.toml --set cost.order=" + cost)),
                both_tolerances);
  }
}

TEST_F(Inventory, TwoSweepsMakeAllCombinations) {
  const nlohmann::json swept = json(
                                   "solve c.toml --sweep risk.loss=mean,\\\"entropic:0.5\\\" "
                                   "--sweep inventory.capacity=2,3,4")
                                   .at("sweep");
  ASSERT_EQ(swept.size(), 6u);
  EXPECT_EQ(swept[1].at("set"), nlohmann::json({{"risk.loss", "mean"}, {"inventory.capacity", 3}}));
  EXPECT_EQ(swept[5].at("loss"), "entropic:0.5");
  EXPECT_EQ(swept[5].at("states"), 15);
  EXPECT_NEAR(value(swept[1]), value(json("solve c.toml --set risk.loss=mean")), both_tolerances);
  const nlohmann::json means =
      json("evaluate c.toml --policy static --sweep 'demand.mean=1,[1,2,1,2,1,2,1]'").at("sweep");
  EXPECT_EQ(means[1].at("days"), 7);
}

TEST_F(Inventory, EvaluateAgreesWithTheModelWrittenOutInFull) {
  const auto [model, criterion] = io::InventoryToml(place.path("c.toml")).configuration();
  const Mdp twin = inventory::explicit_mdp(model);
  const auto worth = [&, &criterion = criterion](const Policy& orders) {
    return evaluate_by_newton(under_policy(twin, orders), criterion, {.tolerance = 1e-9}).values[0];
  };
  const Policy levels = inventory::reorder_policy(model, {1, 3});
  const Policy statical =
      inventory::static_policy(model, inventory::solve_non_perishable(model, criterion));
  const Policy neutral =
      policy_iteration(twin, {Mean(), criterion.gamma}, {.tolerance = 1e-9}).policy;
  EXPECT_NEAR(value(json("evaluate c.toml --policy reorder:1,3")), worth(levels), both_tolerances);
  EXPECT_NEAR(value(json("evaluate c.toml --policy static")), worth(statical), both_tolerances);
  EXPECT_NEAR(value(json("evaluate c.toml --policy risk-neutral")), worth(neutral),
              both_tolerances);
  EXPECT_NEAR(value(json("evaluate c.toml --policy base-stock:2")),
              worth(inventory::reorder_policy(model, {1, 2})), both_tolerances);
}

TEST_F(Inventory, EvaluateHasTheKeysOfTheContractAndListsSeveralPolicies) {
  const nlohmann::json one = json("evaluate c.toml --policy static");
  for (const char* key : {"value_at_empty", "error_bound", "seconds", "status", "policy", "levels",
                          "order_at_empty", "iterations", "states", "loss", "gamma"}) {
    EXPECT_TRUE(one.contains(key)) << key;
  }
  const nlohmann::json three =
      json("evaluate c.toml --policy optimal --policy myopic --policy risk-neutral").at("policies");
  ASSERT_EQ(three.size(), 3u);
  EXPECT_EQ(three[1].at("policy"), "myopic");
  const double optimal = value(json("solve c.toml"));
  EXPECT_NEAR(value(three[0]), optimal, both_tolerances);
  for (const auto& policy : three) EXPECT_GE(value(policy), optimal - both_tolerances);
}

TEST_F(Inventory, AFileMayHaveTheNameOfAPolicy) {
  ASSERT_EQ(run("solve c.toml --policy-out static").exit_code, 0);
  EXPECT_NEAR(value(json("evaluate c.toml --policy ./static")), value(json("solve c.toml")),
              both_tolerances);
}

TEST_F(Inventory, ThePublishedRuleStopsEarlyAndReportsIt) {
  const nlohmann::json rough = json("solve c.toml --stopping paper --tolerance 0.1");
  EXPECT_LT(value(rough), value(json("solve c.toml")) - 1e-3);
  EXPECT_GE(rough.at("error_bound").get<double>(),
            std::abs(value(rough) - value(json("solve c.toml"))) - 1e-6);
  const nlohmann::json policy =
      json("evaluate c.toml --policy static --stopping paper --tolerance 0.1");
  EXPECT_LT(value(policy), value(json("evaluate c.toml --policy static")));
}

TEST_F(Inventory, SimulateAgreesWithTheExactMean) {
  const std::string neutral = " --set risk.loss=mean ";
  const nlohmann::json simulated =
      json("simulate c.toml --policy static --periods 60 --replications 20000" + neutral);
  const double exact = value(json("evaluate c.toml --policy static" + neutral));
  const double error = simulated.at("standard_error");
  EXPECT_GT(error, 0.0);
  // Four standard errors, and the costs that come after the 60 periods: below 1e-11.
  EXPECT_NEAR(simulated.at("mean").get<double>(), exact, 4 * error);
}

TEST_F(Inventory, SimulateReportsRatesAndQuantiles) {
  const nlohmann::json one =
      json("simulate c.toml --policy static --periods 50 --replications 100");
  for (const char* key :
       {"policy", "mean", "standard_error", "quantiles", "service_level", "shortage_rate",
        "wastage_rate", "wasted_fraction", "periods_short", "order_frequency", "mean_order",
        "mean_stock", "cost_per_period", "periods", "replications", "seed", "seconds"}) {
    EXPECT_TRUE(one.contains(key)) << key;
  }
  EXPECT_EQ(one.at("stock_by_age").size(), 3u);
  EXPECT_EQ(one.at("quantiles").size(), 5u);
  EXPECT_LE(one.at("quantiles").at("0.05").get<double>(), one.at("quantiles").at("0.95"));
  double parts = 0.0;
  for (const std::string part : {"order", "holding", "shortage", "wastage"}) {
    parts += one.at(part + "_cost_per_period").get<double>();
  }
  EXPECT_NEAR(one.at("cost_per_period").get<double>(), parts, 1e-9);
  EXPECT_EQ(json("simulate c.toml --periods 1 --quantiles 0,0.5,1").at("quantiles").size(), 3u);
}

TEST_F(Inventory, SimulateComparesPoliciesOnIdenticalRandomDemand) {
  const nlohmann::json policies =
      json("simulate c.toml --policy optimal --policy base-stock:1 --policy optimal")
          .at("policies");
  ASSERT_EQ(policies.size(), 3u);
  const double difference = policies[1].at("difference").at("mean");
  EXPECT_NEAR(difference,
              policies[1].at("mean").get<double>() - policies[0].at("mean").get<double>(), 1e-9);
  EXPECT_EQ(policies[2].at("difference").at("mean"), 0.0);
  EXPECT_EQ(policies[2].at("difference").at("standard_error"), 0.0);
  // Less noise than with independent histories.
  EXPECT_LT(policies[1].at("difference").at("standard_error").get<double>(),
            std::hypot(policies[0].at("standard_error").get<double>(),
                       policies[1].at("standard_error").get<double>()));
}

TEST_F(Inventory, GivesTheSameBytesForAnyNumberOfThreads) {
  for (const std::string command :
       {"solve c.toml --sweep risk.tau=0.2,0.8", "evaluate c.toml --policy static --policy myopic",
        "simulate c.toml --policy optimal --policy static --periods 20"}) {
    const auto with = [&](const std::string& threads) {
      return without_seconds(json(command + " --threads " + threads)).dump();
    };
    EXPECT_EQ(with("1"), with("2")) << command;
  }
  const auto written = [&](const std::string& threads) {
    EXPECT_EQ(run("solve c.toml --policy-out p.csv --threads " + threads).exit_code, 0);
    return place.read("p.csv");
  };
  EXPECT_EQ(written("1"), written("2"));
  const std::string simulate = "simulate c.toml --periods 20 --seed ";
  EXPECT_NE(json(simulate + "1").at("mean"), json(simulate + "2").at("mean"));
}

TEST_F(Inventory, PrintsWhatAPlannerNeeds) {
  const Outcome solved = run("solve c.toml");
  EXPECT_THAT(solved.err, IsEmpty());
  EXPECT_THAT(solved.out,
              AllOf(HasSubstr("With nothing in stock: order 2."),
                    HasSubstr("Risk-adjusted cost from there on"), HasSubstr("in stock  order"),
                    HasSubstr("If nothing perished: order up to"),
                    HasSubstr("converged: every value within")));
  EXPECT_THAT(run("solve c.toml --set demand.mean=[1,2,0.5,1,3,0,1]").out,
              AllOf(HasSubstr("on a Monday"), HasSubstr("Mon"), HasSubstr("Sun")));
  EXPECT_THAT(run("solve c.toml --sweep cost.order=1,2").out,
              AllOf(HasSubstr("cost.order"), HasSubstr("order *"), HasSubstr("order at empty")));
  EXPECT_THAT(run("evaluate c.toml --policy static --policy reorder:0,2").out,
              AllOf(HasSubstr("reorder:0,2"), HasSubstr("static: order up to")));
  EXPECT_THAT(run("simulate c.toml --policy static --policy optimal --periods 10").out,
              AllOf(HasSubstr("demand met"), HasSubstr("difference from the first policy"),
                    HasSubstr("with 3 periods left")));
}

TEST_F(Inventory, ReadsItsConfigurationFromAPipe) {
  const Outcome outcome =
      place.run("inventory solve - --json --sweep risk.tau=0.5,0.6", io::small_inventory);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.json().at("sweep").size(), 2u);
}

// Other messages are in the recorded outputs; this one depends on the machine.
TEST_F(Inventory, ThatDoesNotFitInMemoryIsRefused) {
  const Outcome outcome =
      run("solve c.toml --set inventory.capacity=250 --set inventory.shelf_life=5 "
          "--set arrival.fresh=true");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("c.toml: shelf life 5 with capacity 250 needs "),
                                 HasSubstr("; accepted: at most the ")));
}

// `shortfall inventory fit`: what planners and scripts rely on.

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
