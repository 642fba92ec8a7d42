// What can be asked of `shortfall learn` while it runs: reports, predictions, checkpoints, a log.
#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "tests/apps/command_runner.hpp"
#include "tests/apps/process.hpp"
#include "tests/apps/stream_for_tests.hpp"

namespace shortfall::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<json> json_lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  return lines;
}

// θ is 0, then 0 + 0.5 · 2 = 1, then 1 + 0.5 · 1.5 = 1.75, and again after the end of an episode.
constexpr auto four_rows = "x1,y1,cost,terminal\n1,1,2,0\n1,1,2,0\n1,,2,1\n1,1,2,0\n";
constexpr auto by_td = "learn --loss mean --gamma 0.5 --algorithm td --step 0.5 ";

TEST(Learn, WritesPredictionsFromBeforeTheUpdate) {
  const Workplace place;
  place.write("stream.csv", four_rows);
  EXPECT_EQ(place.run(std::string(by_td) + "--predictions out.csv stream.csv").exit_code, 0);
  EXPECT_EQ(place.read("out.csv"),
            "row,value,residual\n1,0,2\n2,1,1.5\n3,1.75,0.25\n4,1.875,1.0625\n");
}

TEST(Learn, NumbersPredictionsByTheRowsOfTheStream) {
  const Workplace place;
  place.write("stream.csv", "x1,y1,cost\n1,1,2\nbad\n1,1,2");
  EXPECT_EQ(
      place.run(std::string(by_td) + "--skip-bad-rows --predictions out.csv stream.csv").exit_code,
      0);
  EXPECT_EQ(place.read("out.csv"), "row,value,residual\n1,0,2\n3,1,1.5\n");
}

TEST(Learn, ReportsAfterEveryNRows) {
  const Workplace place;
  place.write("stream.csv", four_rows);
  const Outcome outcome = place.run(std::string(by_td) + "--report-every 2 --json stream.csv");
  const std::vector<json> lines = json_lines(outcome.out);
  ASSERT_EQ(lines.size(), 3u);
  json first = {{"updates", 2},      {"status", "ok"},    {"theta", {1.75}}, {"alarms", 0},
                {"skipped_rows", 0}, {"clipped_rows", 0}, {"outliers", 0}};
  EXPECT_EQ(lines[0], first);
  first["updates"] = 4;
  first["theta"] = {1.875 + 0.53125};
  EXPECT_EQ(lines[1], first);
  EXPECT_EQ(lines[2], place.run(std::string(by_td) + "--json stream.csv").json());
}

TEST(Learn, ReportsAtOnceOnAPipe) {
  const Workplace place;
  Process process({"learn", "--loss", "mean", "--gamma", "0.5", "--algorithm", "td", "--step",
                   "0.5", "--report-every", "2"},
                  Process::Input::pipe, place.path("out"), place.path("err"));
  process.feed("x1,y1,cost\n1,1,2\n1,1,2\n1,1,2\n");
  process.wait_until_idle();
  EXPECT_EQ(json_lines(place.read("out")).size(), 1u);
  process.end_input();
  EXPECT_EQ(process.wait(), 0);
}

TEST(Learn, SavesIfNobodyReadsItsReports) {
  const Workplace place;
  const StreamForTests stream(2, 5000);
  place.write("stream.csv", stream.csv());
  const std::string command =
      "learn --json --loss mean --gamma 0.5 --algorithm td --step 0.1 --predictions p.csv "
      "--checkpoint state ";
  ASSERT_EQ(place.run(command + "stream.csv").exit_code, 0);
  const std::string whole = place.read("state");
  const std::string predictions = place.read("p.csv");
  std::remove(place.path("state").c_str());
  EXPECT_EQ(
      place.run_script("(\"$shortfall\" " + command +
                       "stream.csv --report-every 1 2>err; echo $? >code) | head -n 1 >first"),
      0);
  EXPECT_EQ(place.read("code"), "2\n");
  EXPECT_THAT(place.read("err"), HasSubstr("standard output: Broken pipe"));
  const json shown = place.run("show --json state").json();
  EXPECT_GE(shown.at("updates"), 1);
  EXPECT_LT(shown.at("updates"), 5000);
  ASSERT_EQ(place.run(command + "stream.csv").exit_code, 0);
  EXPECT_EQ(place.read("state"), whole);
  EXPECT_EQ(place.read("p.csv"), predictions);
}

TEST(Learn, KeepsItsCheckpointIfPredictionsDoNotFitOnTheDisk) {
  const Workplace place;
  const StreamForTests stream(2, 5000);
  const std::string command =
      "learn --json --loss mean --gamma 0.5 --algorithm td --step 0.1 --predictions p.csv "
      "--checkpoint state ";
  place.write("stream.csv", stream.header() + stream.csv(0, 100));
  ASSERT_EQ(place.run(command + "stream.csv").exit_code, 0);
  const std::string state = place.read("state");
  place.write("stream.csv", stream.csv());
  // A limit of 16 KiB for the size of a file, which is an error rather than a signal.
  EXPECT_EQ(place.run_script("trap '' XFSZ; ulimit -f 32; \"$shortfall\" " + command +
                             "stream.csv >out 2>err; code=$?; test $code = 2"),
            0);
  EXPECT_THAT(place.read("err"), HasSubstr("cannot write 'p.csv': File too large"));
  EXPECT_EQ(place.read("state"), state);
  const Outcome resumed = place.run(command + "stream.csv");
  EXPECT_EQ(resumed.exit_code, 0);
  const std::string predictions = place.read("p.csv");
  std::remove(place.path("state").c_str());
  EXPECT_EQ(place.run(command + "stream.csv").out, resumed.out);
  EXPECT_EQ(place.read("p.csv"), predictions);
}

TEST(Learn, CutsPredictionsToWhatTheCheckpointCoversAndContinuesOthers) {
  const Workplace place;
  place.write("stream.csv", four_rows);
  const std::string command = std::string(by_td) + "--checkpoint state stream.csv";
  ASSERT_EQ(place.run(command + " --predictions out.csv").exit_code, 0);
  const std::string written = place.read("out.csv");
  const auto expect_notice = [&](const std::string& more, const std::string& part) {
    const Outcome outcome = place.run(command + more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(part));
  };
  place.write("out.csv", written + "5,1,2\n");  // written after the checkpoint
  expect_notice(" --predictions out.csv", "resuming from state after 4 rows\n");
  EXPECT_EQ(place.read("out.csv"), written);
  expect_notice(" --predictions other.csv", "a new one begins");
  EXPECT_EQ(place.read("other.csv"), "row,value,residual\n");
  place.write("out.csv", written.substr(0, written.size() - 1));
  expect_notice(" --predictions out.csv", "rows are added at its end");
  place.write("out.csv", "R" + written.substr(1));
  const Outcome outcome = place.run(command + " --predictions out.csv");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--predictions: out.csv does not begin with the line"));
  EXPECT_EQ(place.read("out.csv"), "R" + written.substr(1));
  expect_notice("", "resuming from state after 4 rows\n");
}

/// A run on a pipe with these options, after it has taken the four rows.
class AskedLearner {
 public:
  AskedLearner(const Workplace& place, const std::string& more)
      : process_(words("learn --loss mean --gamma 0.5 --algorithm td --step 0.5 --checkpoint " +
                       place.path("state") + " --checkpoint-every 1000 " + more),
                 Process::Input::pipe, place.path("out"), place.path("err")) {
    process_.feed(four_rows);
    process_.wait_until_idle();
  }
  Process& process() { return process_; }

 private:
  static std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
  }
  Process process_;
};

TEST(Learn, Usr1WritesAReportAndTheCheckpointAndGoesOn) {
  const Workplace place;
  AskedLearner learner(place, "--log json --json");
  EXPECT_EQ(place.read("state"), "");
  learner.process().signal(SIGUSR1);
  learner.process().wait_until_idle();
  const std::vector<json> said = json_lines(place.read("err"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].at("event"), "report");
  EXPECT_EQ(said[0].at("updates"), 4);
  EXPECT_EQ(place.run("show state --json").json().at("updates"), 4) << "while it runs";
  learner.process().feed("1,1,2,0\n");
  learner.process().end_input();
  EXPECT_EQ(learner.process().wait(), 0);
  EXPECT_EQ(json::parse(place.read("out")).at("updates"), 5);
}

TEST(Learn, Usr2AndHupSaveBeforeTheyEndARunWithoutFiles) {
  for (const auto& [number, name] : {std::pair(SIGUSR2, "SIGUSR2"), std::pair(SIGHUP, "SIGHUP")}) {
    const Workplace place;
    AskedLearner learner(place, "--json");
    learner.process().signal(number);
    EXPECT_EQ(learner.process().wait(), 0);
    EXPECT_EQ(json::parse(place.read("out")).at("stopped_by"), name);
    EXPECT_EQ(place.run("show state --json").json().at("updates"), 4);
  }
}

TEST(Learn, HupContinuesFilesThatWereMovedAway) {
  const Workplace place;
  AskedLearner learner(place, "--predictions " + place.path("p.csv"));
  std::filesystem::rename(place.path("p.csv"), place.path("p.csv.1"));
  learner.process().signal(SIGHUP);
  learner.process().wait_until_idle();
  learner.process().feed("1,1,2,0\n");
  learner.process().end_input();
  EXPECT_EQ(learner.process().wait(), 0);
  EXPECT_EQ(place.read("p.csv.1"),
            "row,value,residual\n1,0,2\n2,1,1.5\n3,1.75,0.25\n4,1.875,1.0625\n");
  EXPECT_EQ(place.read("p.csv"), "row,value,residual\n5,2.40625,0.796875\n");
}

TEST(Learn, RefusesPlacesForPredictions) {
  const Workplace place;
  place.write("stream.csv", four_rows);
  for (const std::string path :
       {"- --json", "/dev/stdout --report-every 1", "/tmp", "nowhere/out.csv", "stream.csv",
        "state", "p.csv --bad-rows p.csv", "p.csv --bad-rows -"}) {
    const Outcome outcome =
        place.run(fmt::format("{}stream.csv --checkpoint state --predictions {}", by_td, path));
    EXPECT_EQ(outcome.exit_code, 2) << path;
    EXPECT_TRUE(outcome.out.empty()) << path;
  }
  EXPECT_EQ(place.read("stream.csv"), four_rows);
}

TEST(Learn, KeepsAnOldFileIfTheStreamHasABadHeader) {
  const Workplace place;
  place.write("stream.csv", "x1,y1\n1,1\n");
  place.write("out.csv", "precious");
  EXPECT_EQ(place.run(std::string(by_td) + "stream.csv --predictions out.csv").exit_code, 2);
  EXPECT_EQ(place.read("out.csv"), "precious");
}

TEST(Learn, LogsAsJson) {
  const Workplace place;
  place.write("stream.csv", four_rows);
  const std::string command = std::string(by_td) + "--log json --checkpoint state stream.csv";
  const auto events = [](const Outcome& outcome) {
    std::vector<std::string> names;
    for (const json& line : json_lines(outcome.err)) {
      EXPECT_FALSE(line.at("message").get<std::string>().empty());
      names.push_back(line.at("event"));
    }
    return names;
  };
  EXPECT_THAT(events(place.run(command)), ElementsAre("end"));
  const Outcome again = place.run(command);
  EXPECT_THAT(events(again), ElementsAre("resume", "end"));
  EXPECT_EQ(json_lines(again.err)[0].at("rows"), 4);
  EXPECT_EQ(json_lines(again.err)[1].at("replayed_rows"), 0);
  place.write("stream.csv", "x1,y1,cost,terminal\n1,1,2,7\n");
  const Outcome bad = place.run(std::string(by_td) + "--log json stream.csv");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(events(bad), ElementsAre("error"));
}

}  // namespace
}  // namespace shortfall::testing
