// `shortfall reproduce` as a researcher or a script sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/apps/command_runner.hpp"
#include "tests/apps/process.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Reproduce : public ::testing::Test {
 protected:
  Outcome run(const std::string& arguments) const { return place.run("reproduce " + arguments); }

  /// How many checkpoints of parts of a study are in the directory d.
  std::size_t parts(const std::string& study) const {
    const std::filesystem::path directory = place.path("d/parts/" + study);
    if (!std::filesystem::exists(directory)) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(
        std::filesystem::directory_iterator(directory),
        [](const auto& entry) { return entry.path().extension() == ".checkpoint"; }));
  }

  Workplace place;
};

TEST_F(Reproduce, WritesADocumentWithPublishedNumbersAndItsTables) {
  const Outcome outcome = run("figure-policies --quick --out d --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json summary = outcome.json();
  EXPECT_EQ(summary.at("scale"), "quick");
  EXPECT_TRUE(summary.at("report").is_null());
  const nlohmann::json& study = summary.at("studies").at(0);
  EXPECT_EQ(study.at("file"), "d/figure-policies.json");
  const auto document = nlohmann::json::parse(place.read("d/figure-policies.json"));
  EXPECT_EQ(document.at("study"), "figure-policies");
  std::size_t judged = 0;
  for (const char* const whose : {"paper", "ours"}) {
    for (const auto& count : study.at(whose)) judged += count.get<std::size_t>();
  }
  EXPECT_EQ(document.at("findings").size(), judged);
  EXPECT_GT(judged, 0U);
  EXPECT_THAT(place.read("d/csv/figure-policies-orders.csv"),
              ::testing::StartsWith("cost,tau,x1,x2,order"));
}

TEST_F(Reproduce, KeepsResultsUnlessFreshOnesAreRequested) {
  ASSERT_EQ(run("figure-policies --quick --out d").exit_code, 0);
  const auto written = [&] {
    return std::filesystem::last_write_time(place.path("d/figure-policies.json"));
  };
  const auto first = written();
  EXPECT_THAT(run("figure-policies --quick --out d").err, HasSubstr("already done"));
  EXPECT_EQ(written(), first);
  const Outcome other = run("figure-policies --quick --out d --seed 2");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("d/figure-policies.json"), HasSubstr("--fresh")));
  EXPECT_EQ(written(), first);
  EXPECT_EQ(run("figure-policies --quick --out d --seed 2 --fresh").exit_code, 0);
  EXPECT_NE(written(), first);
}

TEST_F(Reproduce, GivesTheSameBytesAfterAKillAndForAnyNumberOfThreads) {
  const std::string study = "counterexample";
  const std::vector<std::string> arguments = {"reproduce",     study,       "--quick", "--out",
                                              place.path("d"), "--threads", "1"};
  {
    Process process(arguments, Process::Input::none, place.path("out"), place.path("err"));
    while (parts(study) < 3) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    process.signal(SIGKILL);
    ASSERT_EQ(process.wait(), -SIGKILL) << "it ended before it could be killed";
  }
  ASSERT_GE(parts(study), 3U);
  ASSERT_EQ(run(study + " --quick --out d").exit_code, 0);
  EXPECT_EQ(parts(study), 0U);
  ASSERT_EQ(run(study + " --quick --out e --threads 2").exit_code, 0);
  EXPECT_EQ(place.read("d/" + study + ".json"), place.read("e/" + study + ".json"));
}

TEST_F(Reproduce, DoesNotReplaceFilesItDidNotWrite) {
  std::filesystem::create_directories(place.path("d/counterexample.json"));
  place.write("d/figure-policies.json", "mine");
  for (const std::string name : {"counterexample", "figure-policies"}) {
    const Outcome outcome = run(name + " --quick --out d");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("d/" + name + ".json"), HasSubstr("accepted")));
  }
  EXPECT_EQ(place.read("d/figure-policies.json"), "mine");
}

TEST_F(Reproduce, RefusesTwoRunsInOneDirectory) {
  std::filesystem::create_directory(place.path("d"));
  const std::string lock = place.write("d/.reproduction.lock", "");
  const int file = ::open(lock.c_str(), O_RDWR);
  ASSERT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
  const Outcome outcome = run("figure-policies --quick --out d");
  ::close(file);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("another run is using it"));
}

}  // namespace
}  // namespace shortfall::testing
