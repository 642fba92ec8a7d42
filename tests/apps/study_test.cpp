// `shortfall study` as a researcher or a script sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>

#include "tests/apps/command_runner.hpp"
#include "tests/apps/process.hpp"

namespace shortfall::testing::study_command {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class StudyCommand : public ::testing::Test {
 protected:
  Outcome run(const std::string& arguments) const { return place.run("study " + arguments); }

  void expect_refused(const std::string& arguments, std::string_view part) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(part), HasSubstr("accepted"))) << arguments;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place.path("d"))) << arguments;
  }

  Workplace place;
  /// Two actions in two states, with costs by outcome.
  std::string model = place.write("model.csv",
                                  "idstatefrom,idaction,idstateto,probability,cost\n"
                                  "1,1,1,0.5,1\n1,1,2,0.5,3\n1,2,2,1,2\n2,1,1,1,0\n");
  const std::string quick = " --samples 300 --replications 3 --out d";
};

TEST_F(StudyCommand, WritesADocumentItsCurvesAndAPage) {
  const Outcome outcome = run(model + " --policy optimal --gamma 0.8 --loss mean --loss " +
                              "expectile:0.7 --algorithm td --algorithm newton --json" + quick);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, place.read("d/study.json"));
  const nlohmann::json document = outcome.json();
  const nlohmann::json& tables = document.at("tables");
  EXPECT_EQ(tables.at("settings").size(), 2u);
  EXPECT_EQ(tables.at("ends").size(), 4u);
  EXPECT_EQ(tables.at("values").at(0).at("state"), 1);  // ids as in the file
  const std::string csv = place.read("d/study.csv");
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')),
            tables.at("curves").size() + 1);
  EXPECT_THAT(csv, HasSubstr("features,loss,gamma,algorithm,updates,to_value,"));
  EXPECT_THAT(place.read("d/study.html"),
              AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("\"study\"")));
}

TEST_F(StudyCommand, AgreesWithEvaluate) {
  place.write("p.csv", "idstate,idaction\n1,2\n2,1\n");
  const nlohmann::json exact =
      place.run("evaluate model.csv --policy p.csv --loss expectile:0.7 --gamma 0.8 --json").json();
  const nlohmann::json values =
      run("model.csv --policy p.csv --loss expectile:0.7 --gamma 0.8 --json" + quick)
          .json()
          .at("tables")
          .at("values");
  for (std::size_t x = 0; x < 2; ++x) {
    EXPECT_NEAR(values.at(x).at("value").get<double>(), exact.at("values").at(x).get<double>(),
                1e-6);
  }
}

TEST_F(StudyCommand, HasTheSameBytesForAnyNumberOfThreads) {
  const std::string arguments =
      "boyan --loss expectile:0.9 --algorithm td-lambda:0.4 --algorithm newton" + quick;
  ASSERT_EQ(run(arguments + " --threads 1").exit_code, 0);
  const std::string one = place.read("d/study.json") + place.read("d/study.html");
  ASSERT_EQ(run(arguments + " --threads 3").exit_code, 0);
  EXPECT_EQ(place.read("d/study.json") + place.read("d/study.html"), one);
}

TEST_F(StudyCommand, UsesNamesAndPrintsRewards) {
  place.write("rewards.csv",
              "idstatefrom,idaction,idstateto,probability,reward\n0,0,1,1,2\n1,0,0,1,2\n");
  place.write("names.csv", "id,name\n1,second <b>\n");
  const Outcome outcome =
      run("rewards.csv --gamma 0.5 --loss mean --state-names names.csv --json" + quick);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json values = outcome.json().at("tables").at("values");
  EXPECT_NEAR(values.at(0).at("value").get<double>(), 4.0, 1e-8);
  EXPECT_EQ(values.at(0).at("name"), "0");
  EXPECT_EQ(values.at(1).at("name"), "second <b>");
  EXPECT_THAT(place.read("d/study.html"), Not(HasSubstr("<b>\"")));
}

TEST_F(StudyCommand, ReportsDivergenceAsSuch) {
  const Outcome outcome =
      run("random --loss expectile:0.9 --algorithm td --step 50 --json" + quick);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json end = outcome.json().at("tables").at("ends").at(0);
  EXPECT_EQ(end.at("diverged"), end.at("runs"));
  EXPECT_TRUE(end.at("to_value").is_null());
  EXPECT_THAT(run("random --loss expectile:0.9 --algorithm td --step 50" + quick).out,
              AllOf(HasSubstr("3 of 3"), HasSubstr("All runs diverged, which is a result here")));
}

TEST_F(StudyCommand, NamesTheLineOfFeaturesThatAreNoAverager) {
  const std::string arguments =
      "model.csv --policy optimal --gamma 0.8 --loss mean --algorithm averager-td --features f.csv "
      "--out d";
  place.write("f.csv", "x1,x2\n0.5,0.5\n0.5,1.5\n");
  expect_refused(arguments, "f.csv, line 3: the features sum to 2");
  expect_refused(arguments, "divide all features by 2,");
  place.write("f.csv", "x1,x2\n0.5,-0.5\n0.5,0.5\n");
  expect_refused(arguments, "f.csv, line 2, column x2");
  expect_refused("counterexample --algorithm averager-td --out d", "divide all features by");
}

TEST_F(StudyCommand, SaysForEachLearnerWhetherItIsGuaranteed) {
  const Outcome outcome =
      run("model.csv --policy optimal --gamma 0.8 --loss expectile:0.9 --algorithm td "
          "--algorithm averager-td --algorithm newton --features f.csv --json" +
          quick);
  EXPECT_EQ(outcome.exit_code, 2);  // there is no such file
  place.write("f.csv", "x1\n1\n0.5\n");
  const nlohmann::json ends =
      run("model.csv --policy optimal --gamma 0.8 --loss expectile:0.9 --algorithm td "
          "--algorithm averager-td --algorithm newton --features f.csv --json" +
          quick)
          .json()
          .at("tables")
          .at("ends");
  EXPECT_EQ(ends.at(0).at("guaranteed"), false);
  EXPECT_EQ(ends.at(1).at("guaranteed"), true);
  EXPECT_EQ(ends.at(2).at("guaranteed"), false);
}

TEST_F(StudyCommand, TriesAllItsFilesBeforeTheWork) {
  for (const std::string name : {"study.json", "study.csv", "study.html"}) {
    std::filesystem::remove_all(place.path("d"));
    std::filesystem::create_directories(place.path("d/" + name));  // a folder cannot be replaced
    const Outcome outcome = run("boyan --loss mean --samples 1000000000 --out d");
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err, HasSubstr(name));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(StudyCommand, RefusesTheSameLearnerTwice) {
  expect_refused("boyan --loss mean --algorithm td-lambda:0.6 --algorithm td-lambda:0.60 --out d",
                 "td-lambda:0.60 is the same as td-lambda:0.6");
}

TEST_F(StudyCommand, TellsSingularRunsApart) {
  place.write("f.csv", "x1,x2\n1,2\n2,4\n");  // Newton's matrix has no inverse
  const Outcome outcome =
      run("model.csv --policy optimal --gamma 0.8 --loss mean --algorithm newton --warmup 10 "
          "--features f.csv" +
          quick);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("singular"), HasSubstr("3 of 3")));
}

TEST_F(StudyCommand, LeavesNothingHalfWrittenIfStopped) {
  Process process({"study", "random", "--loss", "mean", "--samples", "1000000000", "--replications",
                   "4", "--out", place.path("d")},
                  Process::Input::none, place.path("out"), place.path("err"));
  process.wait_until_it_catches_signals();
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(place.read("err"), HasSubstr("stopped by a signal"));
  EXPECT_FALSE(std::filesystem::exists(place.path("d")));
}

}  // namespace
}  // namespace shortfall::testing::study_command
