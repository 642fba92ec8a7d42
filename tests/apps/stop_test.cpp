// SIGINT and SIGTERM: commands print what they have, or say that they can go on.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "apps/shortfall/stream_signals.hpp"
#include "files/file_descriptor.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/apps/process.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(StreamSignals, AreCaughtAlthoughTheInputIsAlwaysReady) {
  const io::FileDescriptor input = io::open_file("/dev/zero", O_RDONLY);
  for (const int number : {SIGTERM, SIGINT}) {
    app::StreamSignals signals(app::StreamSignals::HangUp::stops);
    EXPECT_TRUE(signals.wait(input.get(), std::chrono::milliseconds(0)));
    EXPECT_EQ(signals.stopped_by(), "");
    raise(number);
    EXPECT_EQ(signals.stopped_by(), "");  // not before a wait
    signals.wait(input.get(), std::chrono::milliseconds(0));
    EXPECT_EQ(signals.stopped_by(), number == SIGTERM ? "SIGTERM" : "SIGINT");
  }
}

class StoppedCommand : public ::testing::Test {
 protected:
  /// Runs a command until it says `sign` on standard error, and stops it. Returns its exit code.
  int stop(const std::vector<std::string>& arguments, const std::string& sign, int signal) {
    Process process(arguments, Process::Input::none, place_.path("out"), place_.path("err"));
    while (place_.read("err").find(sign) == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    process.signal(signal);
    return process.wait();
  }
  std::string out() const { return place_.read("out"); }
  std::string err() const { return place_.read("err"); }

  Workplace place_;
  std::string stock_ = place_.write("stock.toml", io::small_inventory);
};

/// Two states in turn, with costs 0 and 1: V₁ = 1 + γ V₀ and V₀ = γ V₁. Sweeps oscillate, and need
/// a hundred million iterations.
TEST_F(StoppedCommand, SolvePrintsTheBestSoFarWithATrueBound) {
  const std::string model = place_.write(
      "turns.csv", "idstatefrom,idaction,idstateto,probability,cost\n0,0,1,1,0\n1,0,0,1,1\n");
  const double gamma = 0.9999999;
  const int code = stop({"solve", model, "--loss", "mean", "--gamma", "0.9999999", "--method",
                         "value-iteration", "--max-iterations", "1000000000", "--json"},
                        "progress: solving: ", SIGINT);
  EXPECT_EQ(code, 1);
  EXPECT_THAT(err(), HasSubstr("stopped by a signal; values are within "));
  const auto document = nlohmann::json::parse(out());
  EXPECT_EQ(document["status"], "stopped");
  const double bound = document["error_bound"];
  const double exact = 1.0 / (1.0 - gamma * gamma);
  EXPECT_NEAR(document["values"][0].get<double>(), gamma * exact, bound);
  EXPECT_NEAR(document["values"][1].get<double>(), exact, bound);
  EXPECT_LT(bound, exact);
}

/// The first pass over 888 030 stocks takes longer than it takes until progress is shown.
TEST_F(StoppedCommand, InventorySolvePrintsNoOrdersBeforeItHasABound) {
  const std::string large = place_.write("large.toml", R"(
[inventory]
shelf_life = 8
capacity = 20
[demand]
distribution = "negative-binomial"
n = 11.064622
mean = 6.165049
max = 20
[arrival]
c0 = [0.8, 1.4, 1.9, 2.3, 1.7, 1.2, 0.8]
c1 = [-0.03, -0.04, -0.05, -0.06, -0.07, -0.08, -0.09]
[cost]
order = 10
holding = 1
shortage = 20
wastage = 5
[risk]
loss = "expectile:0.9"
gamma = 0.6
)");
  const std::string orders = place_.path("orders.csv");
  EXPECT_EQ(stop({"inventory", "solve", large, "--threads", "1", "--policy-out", orders},
                 "progress: optimal: solving", SIGTERM),
            1);
  EXPECT_THAT(out(), IsEmpty());
  EXPECT_THAT(err(), HasSubstr("stopped by a signal before anything was certified"));
  EXPECT_FALSE(std::filesystem::exists(orders));
}

TEST_F(StoppedCommand, TrainPrintsItsIterationsAndGoesOnFromTheCheckpoint) {
  const auto train = [&](const std::string& iterations, const std::string& checkpoint) {
    return std::vector<std::string>{"inventory", "train",          stock_,
                                    "--samples", "4000",           "--iterations",
                                    iterations,  "--trajectories", "2",
                                    "--json",    "--checkpoint",   place_.path(checkpoint)};
  };
  EXPECT_EQ(stop(train("1000000", "stopped"), "iteration 2:", SIGTERM), 1);
  EXPECT_THAT(err(), HasSubstr("stopped by a signal"));
  const auto stopped = nlohmann::json::parse(out());
  EXPECT_EQ(stopped["status"], "stopped");
  const std::size_t trained = stopped["trace"].size();
  ASSERT_GE(trained, 2);
  // Going on gives the same bytes as never having stopped.
  const auto finish = [&](const std::string& checkpoint) {
    Process process(train(std::to_string(trained + 1), checkpoint), Process::Input::none,
                    place_.path("out"), place_.path("err"));
    EXPECT_EQ(process.wait(), 0) << err();
    auto document = nlohmann::json::parse(out());
    document.erase("seconds");
    return document;
  };
  EXPECT_EQ(finish("stopped"), finish("whole"));
}

TEST_F(StoppedCommand, SimulatePrintsNothing) {
  EXPECT_EQ(
      stop({"inventory", "simulate", stock_, "--policy", "static", "--replications", "100000000"},
           "progress: static: simulating: ", SIGINT),
      1);
  EXPECT_THAT(out(), IsEmpty());
  EXPECT_THAT(err(), HasSubstr("shortfall: stopped by a signal\n"));
}

/// Orders that were being computed when the signal came, which takes seconds otherwise, are not
/// evaluated.
TEST_F(StoppedCommand, EvaluateHasNoAnswerIfItHasNoOrders) {
  for (const std::string policy : {"optimal", "myopic"}) {
    std::vector<std::string> arguments = {"inventory", "evaluate", stock_, "--policy", policy};
    for (const char* const value :
         {"inventory.capacity=60", "inventory.max_order=60", "demand.max=60", "demand.mean=30",
          "risk.loss=\"truncated-entropic:0.1,10\""}) {
      arguments.insert(arguments.end(), {"--set", value});
    }
    Process process(arguments, Process::Input::none, place_.path("out"), place_.path("err"));
    process.wait_until_it_catches_signals();
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait(), 1);
    EXPECT_THAT(out(), IsEmpty());
    EXPECT_THAT(err(), HasSubstr("shortfall: stopped by a signal\n"));
  }
}

TEST_F(StoppedCommand, ReproduceCanBeStartedAgain) {
  EXPECT_EQ(stop({"reproduce", "figure-gaps", "--out", place_.path("r")}, "progress: figure-gaps ",
                 SIGTERM),
            1);
  EXPECT_THAT(err(), HasSubstr("shortfall: stopped by a signal; run it again to continue\n"));
  EXPECT_EQ(place_.read("r/figure-gaps.json"), "");
}

}  // namespace
}  // namespace shortfall::testing
