// --svg: charts as files, drawn by Node, or by what takes its place in PATH.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/apps/command_runner.hpp"
#include "tests/apps/process.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::testing::svg_option {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::MatchesRegex;
using ::testing::StartsWith;
using Names = std::vector<std::string>;

class SvgOption : public ::testing::Test {
 protected:
  ~SvgOption() override { ::setenv("PATH", path_.c_str(), 1); }

  /// Puts a script in the place of Node, before everything else in PATH.
  void use_node(const std::string& script) const {
    std::filesystem::create_directory(place.path("bin"));
    const std::string file = place.write("bin/node", "#!/bin/sh\n" + script);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    ::setenv("PATH", (place.path("bin:") + path_).c_str(), 1);
  }

  /// The files of a directory.
  Names files(const std::string& name) const {
    Names found;
    for (const auto& entry : std::filesystem::directory_iterator(place.path(name)))
      found.push_back(entry.path().filename().string());
    std::ranges::sort(found);
    return found;
  }

  void expect_refused(const std::string& arguments, const std::string& part) const {
    const Outcome outcome = place.run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("shortfall: "), HasSubstr(part))) << arguments;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    for (const char* const name : {"d", "page.html", "pictures"})
      EXPECT_FALSE(std::filesystem::exists(place.path(name))) << arguments << ": " << name;
  }

  /// A script that says its process in the file `started` and never ends.
  std::string hangs() const {
    return "trap '' TERM INT\necho $$ > '" + place.path("new") + "'\nmv '" + place.path("new") +
           "' '" + place.path("started") + "'\nexec sleep 1000";
  }

  void expect_stop(int number, const std::string& message) const;

  const std::string says_version = "if [ \"$1\" = --version ]; then echo v18.0.0; exit; fi\n";
  Workplace place;
  std::string stock = place.write("stock.toml", io::small_inventory);
  const std::string study = "study boyan --loss mean --samples 300 --replications 3 --out d ";
  const std::string report =
      "inventory report stock.toml --out page.html --periods 10 --replications 10 ";
  const std::string reproduce = "reproduce figure-policies --quick --out d ";

 private:
  const std::string path_ = std::getenv("PATH");
};

TEST_F(SvgOption, StudyWritesItsChartsAndNamesThem) {
  std::filesystem::create_directory(place.path("pictures"));
  place.write("pictures/study-to-value.svg", "old");
  place.write("pictures/mine.svg", "mine");
  const Outcome outcome = place.run(study + "--svg pictures --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.json().at("pictures").get<Names>(), Names{"pictures/study-to-value.svg"});
  EXPECT_THAT(files("pictures"), ElementsAre("mine.svg", "study-to-value.svg"));
  EXPECT_EQ(place.read("pictures/mine.svg"), "mine");
  const std::string svg = place.read("pictures/study-to-value.svg");
  EXPECT_THAT(svg, AllOf(StartsWith("<svg role=\"img\""), EndsWith("</svg>\n")));
  EXPECT_THAT(svg, HasSubstr("<title>Distance to the exact value</title><desc>"));
  const auto saved = nlohmann::json::parse(place.read("d/study.json"));
  EXPECT_FALSE(saved.contains("pictures"));
  const Outcome again = place.run(study + "--svg e/f");
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, EndsWith("HTML report: d/study.html\nPictures: 1 in e/f\n"));
  EXPECT_EQ(place.read("e/f/study-to-value.svg"), svg);
}

TEST_F(SvgOption, InventoryReportWritesTheChartsOfThePage) {
  const Outcome outcome = place.run(report + "--svg pictures --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Names named = outcome.json().at("pictures").get<Names>();
  EXPECT_EQ(named.size(), files("pictures").size());
  EXPECT_THAT(named, IsSupersetOf({"pictures/orders.svg", "pictures/order-curve.svg",
                                   "pictures/demand.svg", "pictures/costs.svg"}));
}

TEST_F(SvgOption, ReproduceDrawsResultsThatItReuses) {
  const Outcome outcome = place.run(reproduce + "--svg pictures --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string file = "pictures/figure-policies-orders.svg";
  EXPECT_EQ(outcome.json().at("pictures").get<Names>(), Names{file});
  const std::string svg = place.read(file);
  std::filesystem::remove(place.path(file));
  const Outcome again = place.run(reproduce + "--svg pictures");
  EXPECT_THAT(again.err, HasSubstr("already done"));
  EXPECT_THAT(again.out, EndsWith("Pictures: 1 in pictures\n"));
  EXPECT_EQ(place.read(file), svg);
}

TEST_F(SvgOption, NeedsNodeBeforeAnyWork) {
  ::setenv("PATH", place.path("nowhere").c_str(), 1);
  for (const std::string& command : {study, report, reproduce}) {
    expect_refused(command + "--svg pictures",
                   "--svg: node: No such file or directory; accepted: Node.js 18 or later as node "
                   "in PATH");
  }
  EXPECT_EQ(place.run(study).exit_code, 0);  // nothing else needs it
}

TEST_F(SvgOption, RefusesAVersionOfNodeThatIsTooOldOrNone) {
  use_node("echo v17.9.1");
  expect_refused(study + "--svg pictures", "--svg: node --version says 'v17.9.1'; accepted: ");
  use_node("echo nodes: 3");
  expect_refused(study + "--svg pictures", "--svg: node --version says 'nodes: 3'; accepted: ");
  use_node("echo broken >&2; exit 4");
  expect_refused(study + "--svg pictures", "--svg: node: exit code 4: broken; accepted: ");
}

TEST_F(SvgOption, RefusesADirectoryThatCannotBeWrittenBeforeAnyWork) {
  for (const std::string& command : {study, report})
    expect_refused(command + "--svg stock.toml", "stock.toml");
  expect_refused(study + "--svg -", "--svg is -, which is for the results; accepted: a directory");
  expect_refused(report + "--svg ./page.html", "--svg and --out are the same file");
  expect_refused(study + "--svg ''", "--svg");
}

TEST_F(SvgOption, LeavesNoNewDirectoryBehindIfTheWorkFails) {
  expect_refused("study nowhere.csv --loss mean --out d --svg pictures/a/b", "nowhere.csv");
  expect_refused("inventory report nowhere.toml --out page.html --svg pictures/a", "nowhere.toml");
  expect_refused(study + "--svg pictures/a/../../stock.toml/b", "stock.toml");
  use_node(says_version + "exit 7");
  (void)place.run(study + "--svg pictures/a/b");
  EXPECT_FALSE(std::filesystem::exists(place.path("pictures")));
  std::filesystem::create_directory(place.path("pictures"));
  (void)place.run(study + "--svg pictures/a/b");
  EXPECT_EQ(files("pictures"), Names{});
}

TEST_F(SvgOption, LeavesTheUsersFilesAlone) {
  std::filesystem::create_directories(place.path("pictures/chart.svg"));  // even a directory
  EXPECT_EQ(place.run(study + "--svg pictures").exit_code, 0);
  EXPECT_THAT(files("pictures"), ElementsAre("chart.svg", "study-to-value.svg"));
}

TEST_F(SvgOption, WritesAllPicturesOrNone) {
  std::filesystem::create_directories(place.path("pictures/b.svg"));  // in the way of the second
  use_node(says_version + R"(cat > /dev/null; echo '{"a": "<svg/>", "b": "<svg/>"}')");
  const Outcome failed = place.run(study + "--svg pictures");
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_THAT(failed.err, HasSubstr("pictures/b.svg"));
  EXPECT_EQ(files("pictures"), Names{"b.svg"});
}

TEST_F(SvgOption, KeepsAndPrintsTheResultsIfNodeFails) {
  use_node(says_version + "echo out of paint >&2; exit 7");
  const std::string message =
      "shortfall: pictures were not drawn: node: exit code 7: out of paint\n";
  const Outcome studied = place.run(study + "--svg pictures --json");
  EXPECT_EQ(studied.exit_code, 2);
  EXPECT_EQ(studied.err, message);
  EXPECT_EQ(studied.out, place.read("d/study.json"));
  const Outcome reported = place.run(report + "--svg pictures");
  EXPECT_EQ(reported.exit_code, 2);
  EXPECT_EQ(reported.err, message);
  EXPECT_THAT(reported.out, EndsWith("HTML report: page.html\n"));
  EXPECT_EQ(place.run(report + "--svg pictures --json").json().count("pictures"), 0U);
  const Outcome reproduced = place.run(reproduce + "--svg pictures");
  EXPECT_EQ(reproduced.exit_code, 2);
  EXPECT_THAT(reproduced.err, EndsWith(message));
  EXPECT_THAT(reproduced.out, EndsWith("Results: d\n"));
  EXPECT_EQ(place.run(reproduce + "--svg pictures --json").json().count("pictures"), 0U);
  EXPECT_FALSE(std::filesystem::exists(place.path("pictures")));
}

TEST_F(SvgOption, RefusesWhatNodeWritesIfItIsNoPictures) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"study-to)", "node wrote 11 bytes that are no JSON object"},
      {R"(["<svg/>"])", "node wrote 11 bytes that are no JSON object"},
      {"{}", "node wrote none"},
      {R"({"../a": "<svg/>"})", "node wrote one of 4 bytes as its name; accepted: letters, .*"},
      {R"({"": "<svg/>"})", "node wrote one of 0 bytes as its name; accepted: letters, .*"},
      {R"({"a": "<svg/>", "b": 3})", "what node wrote as 'b' is no SVG"},
      {R"({"a": "svg"})", "what node wrote as 'a' is no SVG"},
  };
  for (const auto& [written, said] : cases) {
    use_node(says_version + "cat > /dev/null; echo '" + written + "'");
    const Outcome outcome = place.run(study + "--svg pictures");
    EXPECT_EQ(outcome.exit_code, 2) << written;
    EXPECT_THAT(outcome.err, MatchesRegex("shortfall: pictures were not drawn: " + said + "\n"));
    EXPECT_FALSE(std::filesystem::exists(place.path("pictures"))) << written;
  }
}

TEST_F(SvgOption, DrawsWhateverTheEnvironmentSays) {
  ::setenv("NODE_OPTIONS", "--require ./no-such-file.js", 1);
  const Outcome outcome = place.run(study + "--svg pictures");
  ::unsetenv("NODE_OPTIONS");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(place.run_script("trap '' CHLD && \"$shortfall\" " + study + "--svg pictures > out"),
            0);
}

TEST_F(SvgOption, SaysThatThereAreTooManyFiles) {
  const std::string with_few = "exec 2> err && ulimit -n 6 && exec \"$shortfall\" ";
  EXPECT_EQ(place.run_script(with_few + study + "--svg pictures"), 2);
  EXPECT_THAT(place.read("err"), StartsWith("shortfall: --svg: node: Too many open files; "));
}

/// Runs a study with a Node that does not end by itself, sends a signal once it runs, and expects
/// that both end.
void SvgOption::expect_stop(int number, const std::string& message) const {
  std::filesystem::remove(place.path("started"));
  Process process({"study", "boyan", "--loss", "mean", "--samples", "300", "--replications", "3",
                   "--out", place.path("d"), "--svg", place.path("pictures")},
                  Process::Input::none, place.path("out"), place.path("err"));
  while (!std::filesystem::exists(place.path("started")))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.signal(number);
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(place.read("err"), EndsWith(message));
  const pid_t node = std::stoi(place.read("started"));
  EXPECT_EQ(::kill(node, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  EXPECT_FALSE(std::filesystem::exists(place.path("pictures")));
}

TEST_F(SvgOption, ASignalEndsTheCommandAndNode) {
  use_node(says_version + hangs());
  for (const int number : {SIGINT, SIGTERM}) {
    expect_stop(number, "stopped by a signal; no picture was written\n");
    EXPECT_TRUE(std::filesystem::exists(place.path("d/study.html")));
  }
}

TEST_F(SvgOption, ASignalEndsTheCommandIfNodeDoesNotEvenSayItsVersion) {
  use_node(hangs());
  for (const int number : {SIGINT, SIGTERM}) {
    expect_stop(number, "shortfall: stopped by a signal\n");
    EXPECT_FALSE(std::filesystem::exists(place.path("d")));
  }
}

}  // namespace
}  // namespace shortfall::testing::svg_option
