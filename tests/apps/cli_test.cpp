// The contract of the command line, as a user or a script sees it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "installation.hpp"
#include "tests/apps/command_runner.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string forest = SHORTFALL_EXAMPLES "/forest.csv";

void expect_values(const nlohmann::json& document, const std::vector<double>& values) {
  ASSERT_EQ(document.at("values").size(), values.size());
  EXPECT_LE(document.at("error_bound").get<double>(), 1e-6);
  for (std::size_t x = 0; x < values.size(); ++x) {
    EXPECT_NEAR(document.at("values")[x].get<double>(), values[x], 2e-6) << "state " << x;
  }
}

TEST(Solve, FindsTheKnownForestValuesInEverySense) {
  const Workplace place;
  const auto solve = [&](const std::string& loss) {
    const Outcome outcome = place.run("solve " + forest + " --gamma 0.9 --json --loss " + loss);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.json();
  };
  // pymdptoolbox's forest example, and its risk-aware values computed independently.
  expect_values(solve("mean"), {26.244, 29.484, 33.484});
  expect_values(solve("expectile:0.9"), {8.1, 9.9, 13.9});
  expect_values(solve("entropic:0.1"), {24.430549, 27.492065, 31.492065});
  EXPECT_EQ(solve("mean").at("policy"), nlohmann::json({0, 0, 0}));
  EXPECT_EQ(solve("mean").at("status"), "converged");
  for (const char* key : {"iterations", "seconds", "sense"}) {
    EXPECT_TRUE(solve("mean").contains(key)) << key;
  }
}

TEST(Solve, AgreesAcrossMethodsAndThreads) {
  const Workplace place;
  for (const std::string method :
       {"policy-iteration", "modified-policy-iteration", "value-iteration", "gauss-seidel"}) {
    const Outcome outcome =
        place.run("solve " + forest + " --loss expectile:0.9 --gamma 0.9 --json " +
                  "--threads 1 --method " + method);
    expect_values(outcome.json(), {8.1, 9.9, 13.9});
    EXPECT_EQ(outcome.json().at("method"), method);
  }
}

TEST(Solve, WritesAPolicyThatEvaluateReadsBack) {
  const Workplace place;
  ASSERT_EQ(place.run("solve " + forest + " --loss expectile:0.9 --gamma 0.9 --policy-out p.csv")
                .exit_code,
            0);
  EXPECT_EQ(place.read("p.csv"), "idstate,idaction\n0,0\n1,0\n2,0\n");
  for (const std::string method : {"newton", "sweeps"}) {
    const Outcome outcome = place.run("evaluate " + forest +
                                      " --policy p.csv --loss expectile:0.9 --gamma 0.9 --json "
                                      "--method " +
                                      method);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_values(outcome.json(), {8.1, 9.9, 13.9});
  }
  EXPECT_EQ(place.file_count(), 1u);
}

TEST(Solve, KeepsTheIdsOfTheFileAndMarksTerminalStates) {
  const Workplace place;
  place.write("m.csv",
              "idstatefrom,idaction,idstateto,probability,cost\n1,1,2,1,5\n1,2,2,0.5,1\n"
              "1,2,2,0.5,3\n");
  const Outcome outcome =
      place.run("solve m.csv --loss mean --gamma 0.5 --json --policy-out p.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_values(outcome.json(), {2.0, 0.0});
  EXPECT_EQ(outcome.json().at("policy"), nlohmann::json({2, -1}));
  EXPECT_EQ(place.read("p.csv"), "idstate,idaction\n1,2\n");
}

TEST(Solve, WithAHorizonAllowsDiscountOne) {
  const Workplace place;
  const Outcome outcome =
      place.run("solve " + forest + " --loss mean --gamma 1 --horizon 2 --json --policy-out p.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // Two stages by hand: last stage (0, 1, 4); before it wait at 0: 0.9, at 1: 3.6, at 2: 4 + 3.6.
  expect_values(outcome.json(), {0.9, 3.6, 7.6});
  EXPECT_THAT(place.read("p.csv"), HasSubstr("stage,idstate,idaction\n1,0,0\n1,1,1\n"));
}

TEST(Solve, ReportsWhenItHasNoAnswer) {
  const Workplace place;
  const std::string command = "solve " + forest + " --loss mean --gamma 0.9 --json ";
  const Outcome limited = place.run(command + "--method value-iteration --max-iterations 2");
  EXPECT_EQ(limited.exit_code, 1);
  EXPECT_EQ(limited.json().at("status"), "iteration-limit");
  EXPECT_THAT(limited.err, HasSubstr("not converged"));
  const Outcome precise = place.run(command + "--tolerance 1e-30");
  EXPECT_EQ(precise.exit_code, 1);
  EXPECT_EQ(precise.json().at("status"), "precision-limit");
  const std::string said = "cannot certify --tolerance 1e-30, only ";
  ASSERT_THAT(precise.err, HasSubstr(said));
  const double bound = std::stod(precise.err.substr(precise.err.find(said) + said.size()));
  EXPECT_GE(bound, precise.json().at("error_bound").get<double>());
  EXPECT_LE(bound, 1.1 * precise.json().at("error_bound").get<double>());
  place.write(
      "huge.csv",
      "idstatefrom,idaction,idstateto,probability,cost\n0,0,0,0.5,1e308\n0,0,0,0.5,1.7e308\n");
  const Outcome overflow = place.run("solve huge.csv --loss entropic:1 --gamma 0.9 --json");
  EXPECT_EQ(overflow.exit_code, 1);
  EXPECT_EQ(overflow.json().at("status"), "overflow");
}

TEST(Solve, PrintsATextTable) {
  const Workplace place;
  const Outcome outcome = place.run("solve " + forest + " --loss expectile:0.9 --gamma 0.9");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("3 states"), HasSubstr("13.9"), HasSubstr("converged")));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(Evaluate, TakesRandomisedPoliciesOfBothKinds) {
  const Workplace place;
  place.write("m.csv", "idstatefrom,idaction,idstateto,probability,cost\n0,0,0,1,0\n0,1,0,1,10\n");
  place.write("p.csv", "idstate,idaction,probability\n0,0,0.5\n0,1,0.5\n");
  const std::string command =
      "evaluate m.csv --policy p.csv --loss expectile:0.9 --gamma 0.5 --json --induced-cost ";
  // averaged: cost 5 for sure, V = 5 / (1-γ); mixture: the 0.9-expectile of {0, 10} is 9.
  expect_values(place.run(command + "averaged").json(), {10.0});
  expect_values(place.run(command + "mixture").json(), {18.0});
}

TEST(Risk, ReadsAColumnOrALawFromFileOrPipe) {
  const Workplace place;
  const Outcome piped = place.run("risk --loss expectile:0.25 --json", "1\n2\n3\n4\n5\n");
  ASSERT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_NEAR(piped.json().at("risk").get<double>(), 7.0 / 3.0, 1e-15);
  EXPECT_GT(piped.json().at("error_bound").get<double>(), 0.0);
  EXPECT_LT(piped.json().at("error_bound").get<double>(), 1e-13);
  EXPECT_EQ(piped.json().at("mean"), 3.0);
  EXPECT_EQ(piped.json().at("count"), 5);
  place.write("law.csv", "value,probability\n0,0.7\n1,0.3\n");
  EXPECT_NEAR(place.run("risk --loss mean law.csv --json").json().at("risk").get<double>(), 0.3,
              1e-15);
}

TEST(Risk, DistinguishesTwoPlansOfEqualMean) {
  const Workplace place;
  const auto risk = [&](const std::string& plan) {
    return place.run("risk --loss expectile:0.9 --json " SHORTFALL_EXAMPLES "/" + plan).json();
  };
  const auto a = risk("plan_a.csv");
  const auto b = risk("plan_b.csv");
  EXPECT_EQ(a.at("mean"), b.at("mean"));
  // 0.9 Σ(x - m)⁺ = 0.1 Σ(m - x)⁺ with the two largest above m: m = (9·90 + 320) / (9·2 + 8) for
  // plan A, (9·163 + 247) / 26 for plan B.
  EXPECT_NEAR(a.at("risk").get<double>(), 1130.0 / 26.0, 1e-12);
  EXPECT_NEAR(b.at("risk").get<double>(), 1714.0 / 26.0, 1e-12);
}

TEST(Check, ReportsLimitsAndWhetherTheyAreMet) {
  const Workplace place;
  const auto check = [&](const std::string& rest) {
    const Outcome outcome = place.run("check " + rest + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.json();
  };
  const auto met = check(forest + " --loss expectile:0.4 --gamma 0.6");
  EXPECT_NEAR(met.at("gamma_limit").get<double>(), 2.0 / 3.0, 1e-15);
  EXPECT_EQ(met.at("slope_min"), 0.4);
  EXPECT_EQ(met.at("slope_max"), 0.6);
  EXPECT_EQ(met.at("guaranteed"), true);
  EXPECT_EQ(check(forest + " --loss expectile:0.9 --gamma 0.9").at("guaranteed"), false);
  const auto unbounded = check(forest + " --loss entropic:1 --gamma 0.1");
  EXPECT_EQ(unbounded.at("guaranteed"), false);
  EXPECT_EQ(unbounded.at("gamma_limit"), 0.0);
  EXPECT_TRUE(unbounded.at("slope_max").is_null());

  place.write("c.toml", "[risk]\nloss = \"expectile:0.9\"\ngamma = 0.6\n");
  EXPECT_EQ(check("c.toml").at("guaranteed"), false);
  EXPECT_EQ(check("c.toml --loss mean").at("guaranteed"), true);
  EXPECT_EQ(check("c.toml --gamma 0.1").at("guaranteed"), true);
}

TEST(Check, ChecksTheChainIfPolicyOrModelFixesIt) {
  const Workplace place;
  place.write("ring.csv",
              "idstatefrom,idaction,idstateto,probability,cost\n0,0,1,1,1\n1,0,0,1,2\n");
  const Outcome ring = place.run("check ring.csv --loss mean --gamma 0.5 --json");
  EXPECT_EQ(ring.json().at("guaranteed"), false);
  EXPECT_THAT(ring.out, HasSubstr("period"));
  place.write("wait.csv", "idstate,idaction\n0,0\n1,0\n2,0\n");
  const Outcome wait =
      place.run("check " + forest + " --policy wait.csv --loss mean --gamma 0.5 --json");
  EXPECT_EQ(wait.json().at("guaranteed"), true);
}

TEST(Threads, BeyondTheNumberOfCoresChangeNothing) {
  const Workplace place;
  const auto solve = [&](const std::string& threads) {
    const Outcome outcome = place.run(
        "solve " + forest + " --loss expectile:0.9 --gamma 0.9 --json --threads " + threads);
    EXPECT_THAT(outcome.err, IsEmpty());
    nlohmann::json document = outcome.json();
    document.erase("seconds");
    return document;
  };
  EXPECT_EQ(solve("1"), solve("64"));
}

TEST(Output, ThatCannotBeWrittenIsAnErrorAndLeavesNothingBehind) {
  const Workplace place;
  const std::string command = "solve " + forest + " --loss mean --gamma 0.9";
  EXPECT_EQ(place.run_into("/dev/full", command + " --json").exit_code, 2);
  EXPECT_EQ(place.run(command + " --policy-out /dev/full").exit_code, 2);
  EXPECT_EQ(place.file_count(), 0u);
}

TEST(Help, ExistsForEveryCommandWithAnExample) {
  const Workplace place;
  for (const std::string command : {"", "risk", "solve", "evaluate", "check", "learn", "inventory",
                                    "inventory solve", "inventory evaluate", "inventory train",
                                    "inventory simulate", "inventory report", "reproduce"}) {
    const Outcome outcome = place.run(command + " --help");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Example"));
    EXPECT_THAT(outcome.err, IsEmpty());
  }
}

TEST(Help, ListsTheSeedOnlyWhereSomethingIsRandom) {
  const Workplace place;
  for (const std::string command :
       {"risk", "solve", "evaluate", "check", "learn", "inventory solve", "inventory evaluate"}) {
    EXPECT_THAT(place.run(command + " --help").out, Not(HasSubstr("--seed"))) << command;
  }
  for (const std::string command :
       {"inventory train", "inventory simulate", "inventory report", "reproduce"}) {
    EXPECT_THAT(place.run(command + " --help").out, HasSubstr("--seed")) << command;
  }
}

}  // namespace
}  // namespace shortfall::testing
