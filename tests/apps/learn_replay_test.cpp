// `shortfall learn` on pipes that send rows again after a kill.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <pcg_random.hpp>

#include "tests/apps/command_runner.hpp"
#include "tests/apps/process.hpp"
#include "tests/apps/stream_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Options = std::vector<std::string>;

const Options with_td_lambda = {"--algorithm", "td-lambda", "--loss", "expectile:0.9", "--gamma",
                                "0.9",         "--lambda",  "0.8",    "--step",        "0.05"};
const Options with_averages = {"--algorithm",    "td",  "--loss",       "mean",
                               "--gamma",        "0.9", "--step",       "1,100,0.7",
                               "--average-from", "100", "--confidence", "0.9"};
const Options with_newton = {"--algorithm", "newton",   "--loss", "expectile:0.7", "--gamma",
                             "0.5",         "--warmup", "20",     "--confidence",  "0.9"};
const Options with_forgetting = {"--algorithm", "newton",   "--loss", "expectile:0.7", "--gamma",
                                 "0.5",         "--warmup", "20",     "--forget",      "32"};

enum class Numbers { seq, none };

/// A stream with bad and blank rows, as lines, fed to `learn` with all that a checkpoint covers.
class Fed {
 public:
  Fed(Options options, Numbers numbers) : options_(std::move(options)), numbers_(numbers) {
    const StreamForTests stream(3, 400);
    header_ = (numbers == Numbers::seq ? "seq,weight," : "weight,") + stream.header();
    for (std::size_t n = 0; n < stream.data.size(); ++n) {
      const std::string row =
          fmt::format("{},{}", 0.5 * static_cast<double>(n % 4), stream.csv(n, n + 1));
      lines.push_back(numbers == Numbers::seq ? fmt::format("{},{}", 10 + 3 * n / 2, row) : row);
      if (n % 37 == 5) lines.emplace_back("bad\n");
      if (n % 53 == 7) lines.emplace_back("\n");
    }
    EXPECT_EQ(run(0, lines.size(), "whole"), 0) << place.read("err");
  }

  /// Feeds lines from one number to another, and then ends the input.
  int run(std::size_t from, std::size_t to, const std::string& name, const Options& more = {}) {
    Process process = start(name, more);
    process.feed(header_ + text(from, to));
    process.end_input();
    return process.wait();
  }

  Process start(const std::string& name, const Options& more = {}) const {
    Options all = {"learn",
                   "--json",
                   "--checkpoint",
                   place.path(name + ".state"),
                   "--skip-bad-rows",
                   "--checkpoint-every",
                   "0.001",
                   "--predictions",
                   place.path(name + ".csv")};
    all.insert(all.end(), options_.begin(), options_.end());
    all.insert(all.end(), more.begin(), more.end());
    return Process(all, Process::Input::pipe, place.path(name + ".out"), place.path("err"));
  }

  std::string text(std::size_t from, std::size_t to) const {
    std::string all;
    for (std::size_t i = from; i < to; ++i) all += lines[i];
    return all;
  }

  /// The number of the line, from 0 on, with which an input may continue at the latest.
  std::size_t latest_start(const std::string& name) const {
    if (place.read(name + ".state").empty()) return 0;
    const nlohmann::json at = show(name).at("stream");
    std::size_t next = at.at("next_row").get<std::size_t>() - 1;
    if (numbers_ == Numbers::none) return next;
    while (next > 0 && (lines[next - 1] == "bad\n" || lines[next - 1] == "\n")) --next;
    return next;
  }

  nlohmann::json show(const std::string& name) const {
    const Outcome outcome = place.run("show --json " + name + ".state");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.json();
  }

  const std::string& header() const { return header_; }

  Workplace place;
  std::vector<std::string> lines;

 private:
  Options options_;
  Numbers numbers_;
  std::string header_;
};

struct Case {
  Options options;
  Numbers numbers;
};

class ReplayedRows : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Learners, ReplayedRows,
                         ::testing::Values(Case{with_td_lambda, Numbers::seq},
                                           Case{with_averages, Numbers::none},
                                           Case{with_newton, Numbers::seq},
                                           Case{with_forgetting, Numbers::none}));

// 17 kills for each of four learners: some while it works, some while it waits for more.
TEST_P(ReplayedRows, AfterFiftyKillsChangeNoByte) {
  Fed fed(GetParam().options, GetParam().numbers);
  pcg64 random(20);
  const auto draw = [&](std::size_t below) {
    return static_cast<std::size_t>(draw_uniform(random) * static_cast<double>(below));
  };
  std::size_t reached = 0;
  const auto first_row = [&](std::size_t start) -> Options {
    if (GetParam().numbers == Numbers::seq) return {};
    return {"--resume-at-row", std::to_string(start + 1)};
  };
  for (int kill = 0; kill < 17; ++kill) {
    const std::size_t latest = fed.latest_start("state");
    const std::size_t start = draw(latest + 1);
    reached = std::min(std::max(reached, latest) + draw(40), fed.lines.size());
    Process process = fed.start("state", first_row(start));
    process.feed(fed.header() + fed.text(start, reached));
    if (kill % 3 > 0) process.wait_until_idle();
    process.signal(SIGKILL);
    ASSERT_EQ(process.wait(), -SIGKILL) << fed.place.read("err");
  }
  const std::size_t start = draw(fed.latest_start("state") + 1);
  ASSERT_EQ(fed.run(start, fed.lines.size(), "state", first_row(start)), 0)
      << fed.place.read("err");
  for (const std::string file : {".out", ".state", ".csv"}) {
    EXPECT_EQ(fed.place.read("state" + file), fed.place.read("whole" + file)) << file;
    EXPECT_GT(fed.place.read("whole" + file).size(), 100u) << file;
  }
}

TEST(Learn, SaysHowManyRowsWereReplayed) {
  Fed fed(with_td_lambda, Numbers::seq);
  ASSERT_EQ(fed.run(0, 100, "state"), 0);
  ASSERT_EQ(fed.run(98, fed.lines.size(), "state"), 0);
  EXPECT_THAT(fed.place.read("err"),
              AllOf(HasSubstr("shortfall: 2 replayed rows were not learned again\n"),
                    Not(HasSubstr("warning"))));
  EXPECT_EQ(fed.place.read("state.out"), fed.place.read("whole.out"));
}

TEST(Learn, WarnsThatAPipeWithoutNumbersMayRepeatRows) {
  Fed fed(with_averages, Numbers::none);
  ASSERT_EQ(fed.run(0, 100, "state"), 0);
  ASSERT_EQ(fed.run(100, 101, "state"), 0);
  EXPECT_THAT(fed.place.read("err"),
              AllOf(HasSubstr("the input must continue with row 101\n"),
                    HasSubstr("warning: repeated rows are learned twice"),
                    HasSubstr("--resume-at-row N"), HasSubstr("--accept-replay")));
  ASSERT_EQ(fed.run(101, 102, "state", {"--accept-replay"}), 0);
  EXPECT_THAT(fed.place.read("err"),
              AllOf(HasSubstr("continue with row 102\n"), Not(HasSubstr("warning"))));
  ASSERT_EQ(fed.run(60, fed.lines.size(), "state", {"--resume-at-row", "61"}), 0);
  EXPECT_THAT(fed.place.read("err"),
              AllOf(HasSubstr("42 replayed rows"), Not(HasSubstr("warning"))));
  EXPECT_EQ(fed.place.read("state.out"), fed.place.read("whole.out"));
}

TEST(Learn, RefusesAFirstRowThatLeavesAGap) {
  Fed fed(with_averages, Numbers::none);
  ASSERT_EQ(fed.run(0, 100, "state"), 0);
  const std::string state = fed.place.read("state.state");
  EXPECT_EQ(fed.run(101, 102, "state", {"--resume-at-row", "102"}), 2);
  EXPECT_THAT(fed.place.read("err"),
              HasSubstr("--resume-at-row: standard input: it begins with row 102, but row 101 is "
                        "next; accepted: 1 to 101"));
  EXPECT_EQ(fed.place.read("state.state"), state);
  EXPECT_EQ(fed.run(0, 1, "new", {"--resume-at-row", "2"}), 2);
  EXPECT_THAT(fed.place.read("err"), HasSubstr("row 1 is next; accepted: 1"));
  EXPECT_EQ(fed.run(0, 1, "new", {"--resume-at-row", "1", "--accept-replay"}), 2);
  EXPECT_THAT(fed.place.read("err"), HasSubstr("accepted: one of them"));
}

TEST(Learn, RefusesAFirstRowWhereOthersTellIt) {
  const Workplace place;
  place.write("stream.csv", "x1,y1,cost\n1,1,1\n");
  const std::string command = "learn --loss mean --gamma 0.9 --algorithm td ";
  const Outcome file = place.run(command + "--checkpoint state --resume-at-row 1 stream.csv");
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.err, HasSubstr("--resume-at-row: stream.csv: this is a file; accepted: a pipe"));
  for (const std::string option : {"--resume-at-row 1", "--accept-replay"}) {
    const Outcome alone = place.run(command + option + " stream.csv");
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_THAT(alone.err, HasSubstr("accepted: with --checkpoint FILE"));
  }
}

}  // namespace
}  // namespace shortfall::testing
