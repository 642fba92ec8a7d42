// `shortfall inventory train` as a planner or a script sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "tests/apps/command_runner.hpp"
#include "tests/apps/process.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Train : public ::testing::Test {
 protected:
  Train() { place.write("c.toml", io::small_inventory); }

  Outcome run(const std::string& arguments) const {
    return place.run("inventory train " + arguments);
  }
  nlohmann::json json(const std::string& arguments) const {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << arguments << ": " << outcome.err;
    return outcome.json();
  }
  void expect_refused(const std::string& arguments, const std::string& part) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.err,
                AllOf(StartsWith("shortfall: "), HasSubstr(part), HasSubstr("accepted")));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }

  Workplace place;
};

TEST_F(Train, ReportsTheExactValueOfWhatItKeptAndItsGap) {
  for (const std::string options : {"", " --algorithm td", " --improvement sampled:50"}) {
    const nlohmann::json trained =
        json("c.toml --iterations 5 --samples 30000 --policy-out p.csv" + options);
    const double value = trained.at("value_at_empty");
    const double optimum = trained.at("optimal_at_empty");
    // Both are certified to the default tolerance of 1e-6, and so are the values they are compared
    // with.
    EXPECT_NEAR(value,
                place.run("inventory evaluate c.toml --policy p.csv --json")
                    .json()
                    .at("value_at_empty")
                    .get<double>(),
                2e-6);
    EXPECT_NEAR(
        optimum,
        place.run("inventory solve c.toml --json").json().at("value_at_empty").get<double>(), 2e-6);
    EXPECT_NEAR(trained.at("gap_percent"), std::max(100.0 * (value / optimum - 1.0), 0.0), 1e-9);
    EXPECT_LT(trained.at("gap_percent"), 1.0) << options;

    const nlohmann::json& trace = trained.at("trace");
    ASSERT_EQ(trace.size(), 5);
    // No other is better by more than the two error bounds.
    for (const nlohmann::json& entry : trace) {
      EXPECT_LE(value, entry.at("value_at_empty").get<double>() + 2e-6);
    }
    const int best = trained.at("best_iteration");
    EXPECT_EQ(value, best > 0 ? trace[static_cast<std::size_t>(best) - 1].at("value_at_empty")
                              : trained.at("start").at("value_at_empty"));
    EXPECT_EQ(trace.back().at("gap_percent"), trained.at("last_gap_percent"));
    for (std::size_t k = 0; k < trace.size(); ++k) {
      EXPECT_EQ(trace[k].at("used").get<int>() + trace[k].at("singular").get<int>() +
                    trace[k].at("diverged").get<int>(),
                20);
    }
  }
}

TEST_F(Train, ReportsEachIteration) {
  const Outcome outcome = run("c.toml --iterations 3 --samples 30000");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 3) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("iteration 3: weights change "),
                                 HasSubstr("cost from empty "), HasSubstr("gap ")));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("myopic"), HasSubstr("best"), HasSubstr("Kept: "),
                                 HasSubstr("above the optimum of")));
}

TEST_F(Train, SweepsHaveOneLinePerPoint) {
  const Outcome outcome =
      run("c.toml --sweep risk.tau=0.4,0.6 --sweep cost.order=1,9 --iterations 2 --samples 30000");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("myopic gap %"), HasSubstr("risk.tau")));
  EXPECT_THAT(outcome.err, HasSubstr("risk.tau=0.6 cost.order=9: iteration 2: "));
  const nlohmann::json document =
      json("c.toml --sweep risk.tau=0.4,0.6 --iterations 1 --samples 30000");
  EXPECT_THAT(document.dump(), HasSubstr("0.6"));
}

TEST_F(Train, TheSeedDecidesAndThreadsDoNot) {
  const auto orders = [&](const std::string& options) {
    EXPECT_EQ(run("c.toml --iterations 3 --samples 21000 --improvement sampled:20 --policy-out "
                  "p.csv --checkpoint s " +
                  options)
                  .exit_code,
              0);
    const std::string both = place.read("p.csv") + place.read("s");
    std::remove(place.path("s").c_str());
    return both;
  };
  const std::string one = orders("--threads 1");
  EXPECT_EQ(one, orders("--threads 2"));
  EXPECT_NE(one, orders("--threads 2 --seed 2"));
}

TEST_F(Train, ResumesFromItsCheckpointToTheSameOrders) {
  const std::string common = "c.toml --samples 21000 --improvement sampled:20 ";
  EXPECT_EQ(run(common + "--iterations 6 --policy-out whole.csv --checkpoint whole").exit_code, 0);
  EXPECT_EQ(run(common + "--iterations 2 --policy-out part.csv --checkpoint part").exit_code, 0);
  EXPECT_EQ(run(common + "--iterations 6 --policy-out part.csv --checkpoint part").exit_code, 0);
  EXPECT_EQ(place.read("whole.csv"), place.read("part.csv"));
  EXPECT_EQ(place.read("whole"), place.read("part"));
  // Finished iterations are neither repeated nor lost.
  const Outcome again = run(common + "--iterations 2 --checkpoint part --json");
  EXPECT_EQ(again.json().at("trace").size(), 6);
  EXPECT_EQ(again.err, "");
}

TEST_F(Train, KillsBetweenIterationsChangeNoByte) {
  constexpr int iterations = 40;
  const auto start = [&](const std::string& name, const std::string& err) {
    return Process({"inventory", "train", place.path("c.toml"), "--iterations",
                    std::to_string(iterations), "--samples", "21000", "--improvement", "sampled:20",
                    "--policy-out", place.path(name + ".csv"), "--checkpoint", place.path(name)},
                   Process::Input::none, place.path("out"), place.path(err));
  };
  ASSERT_EQ(start("whole", "err").wait(), 0);
  // Each run is killed once it has printed, and therefore saved, some more iterations.
  int reported = 0;
  for (int kill = 0; kill < 5; ++kill) {
    const std::string err = "err" + std::to_string(kill);
    Process process = start("part", err);
    const auto lines = [&] { return static_cast<int>(std::ranges::count(place.read(err), '\n')); };
    while (lines() < 2) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    process.signal(SIGKILL);
    ASSERT_EQ(process.wait(), -SIGKILL) << "it ended before: more iterations are needed here";
    EXPECT_THAT(place.read(err), HasSubstr("iteration " + std::to_string(reported + 1) + ":"));
    EXPECT_GE(lines(), 2);
    reported += lines();
    EXPECT_LT(reported, iterations);
    // Iterations are saved before they are printed.
    const Outcome saved =
        run("c.toml --iterations 1 --samples 21000 --improvement sampled:20 "
            "--checkpoint part --json");
    const auto entries = static_cast<int>(saved.json().at("trace").size());
    EXPECT_GE(entries, reported);
    reported = entries;
  }
  EXPECT_EQ(start("part", "err").wait(), 0);
  EXPECT_EQ(place.read("whole.csv"), place.read("part.csv"));
  EXPECT_EQ(place.read("whole"), place.read("part"));
}

TEST_F(Train, RefusesACheckpointOfSomethingElse) {
  ASSERT_EQ(run("c.toml --iterations 1 --samples 21000 --checkpoint s").exit_code, 0);
  const std::string saved = place.read("s");
  expect_refused("c.toml --samples 21000 --checkpoint s --seed 2", "--seed is 2");
  expect_refused("c.toml --samples 21000 --checkpoint s --algorithm td", "--algorithm is td");
  expect_refused("c.toml --samples 21000 --checkpoint s --set cost.order=3",
                 "does not belong to this inventory");
  place.write("s", "nonsense");
  expect_refused("c.toml --samples 21000 --checkpoint s", "not a checkpoint");
  EXPECT_EQ(place.read("s"), "nonsense");
}

TEST_F(Train, PrintsTheUncertaintyOfItsGap) {
  const Outcome rough = run("c.toml --iterations 2 --samples 30000 --tolerance 3 --json");
  const nlohmann::json document = rough.json();
  const double cost = document.at("value_at_empty");
  const double cost_error = document.at("error_bound");
  const double optimum = document.at("optimal_at_empty");
  const double optimum_error = document.at("optimal_error_bound");
  EXPECT_GT(cost_error + optimum_error, 0.01) << "or this tests nothing";
  // The quotient is farthest off where the cost is highest and the optimum lowest.
  const double largest = (cost + cost_error) / (optimum - optimum_error);
  EXPECT_NEAR(document.at("gap_error_percent"), 100.0 * (largest - cost / optimum), 1e-9);
  EXPECT_THAT(run("c.toml --iterations 2 --samples 30000 --tolerance 3").out, HasSubstr("±"));
}

TEST_F(Train, KeepsTheStartIfNothingIsBetter) {
  // With nothing to order there is one policy.
  const nlohmann::json document =
      json("c.toml --set inventory.max_order=0 --iterations 3 --samples 21000");
  EXPECT_EQ(document.at("best_iteration"), 0);
  EXPECT_EQ(document.at("gap_percent"), 0.0);
}

TEST_F(Train, ReportsAnUnwritableCheckpointBeforeAnyWork) {
  const Outcome outcome = run("c.toml --iterations 2 --samples 21000 --checkpoint no/such/place");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no/such/place"), Not(HasSubstr("iteration 1"))));
}

}  // namespace
}  // namespace shortfall::testing
