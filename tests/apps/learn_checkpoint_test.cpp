// `shortfall learn` stopped or killed and resumed: the final output has the same bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <pcg_random.hpp>
#include <thread>

#include "shortfall/checkpoint/checkpoint.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/apps/process.hpp"
#include "tests/apps/stream_for_tests.hpp"

namespace shortfall::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;

const Arguments td_lambda = {"--algorithm", "td-lambda", "--loss", "expectile:0.9", "--gamma",
                             "0.9",         "--lambda",  "0.8",    "--step",        "0.05,100,0.7"};
const Arguments averaged = {"--algorithm", "td",     "--loss", "entropic:0.01",  "--gamma",
                            "0.9",         "--step", "0.05",   "--average-from", "100"};
const Arguments newton = {"--algorithm", "newton", "--loss",   "soft-quantile:0.7,2",
                          "--gamma",     "0.5",    "--warmup", "50"};
const Arguments averager = {"--algorithm", "averager-newton", "--loss", "expectile:0.99", "--gamma",
                            "0.95",        "--warmup",        "50"};

/// A stream in a directory, and runs of `learn --json` on it.
class Learning {
 public:
  explicit Learning(Arguments options, std::size_t rows = 900)
      : options_(std::move(options)),
        stream(5, rows, 1,
               options_[1].starts_with("averager") ? StreamFeatures::averager
                                                   : StreamFeatures::normal) {
    place.write("whole.csv", stream.csv());
    const auto begin = std::chrono::steady_clock::now();
    Process process(arguments({"--checkpoint", place.path("whole.state"), place.path("whole.csv")}),
                    Process::Input::none, place.path("whole.out"), place.path("err"));
    EXPECT_EQ(process.wait(), 0) << place.read("err");
    duration = std::chrono::steady_clock::now() - begin;
  }

  Arguments arguments(const Arguments& more) const {
    Arguments all = {"learn", "--json"};
    all.insert(all.end(), options_.begin(), options_.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// A run with the checkpoint `state`, on a file or, if its name is empty, on a pipe.
  Process start(const std::string& file = {}, const std::string& every = "0.001") const {
    Arguments more = {"--checkpoint", place.path("state"), "--checkpoint-every", every};
    if (!file.empty()) more.push_back(place.path(file));
    return Process(arguments(more), file.empty() ? Process::Input::pipe : Process::Input::none,
                   place.path("out"), place.path("err"));
  }

  /// Checks that the last run ended like one that was never interrupted.
  void expect_same_end() const {
    EXPECT_EQ(place.read("out"), place.read("whole.out")) << place.read("err");
    EXPECT_FALSE(place.read("out").empty());
  }

 private:
  Arguments options_;

 public:
  Workplace place;
  StreamForTests stream;
  std::chrono::duration<double> duration{};  // of the run that was not interrupted
};

class Checkpoint : public ::testing::TestWithParam<Arguments> {};
INSTANTIATE_TEST_SUITE_P(Learners, Checkpoint,
                         ::testing::Values(td_lambda, averaged, newton, averager));

TEST_P(Checkpoint, ResumesWhereAFileHasGrown) {
  const Learning learning(GetParam());
  for (const std::size_t rows : {0u, 1u, 40u, 333u, 899u, 900u, 900u}) {
    learning.place.write("growing.csv", learning.stream.header() + learning.stream.csv(0, rows));
    (void)learning.start("growing.csv").wait();
  }
  learning.expect_same_end();
  EXPECT_THAT(learning.place.read("err"), HasSubstr("after 900 rows"));
}

TEST_P(Checkpoint, ResumesWithTheRestFromAPipe) {
  const Learning learning(GetParam());
  std::size_t seen = 0;
  for (const std::size_t rows : {100u, 101u, 555u, 900u}) {
    Process process = learning.start();
    if (seen % 2 == 0) process.feed(learning.stream.header());  // may be repeated, need not be
    process.feed(learning.stream.csv(seen, rows));
    process.end_input();
    (void)process.wait();
    if (seen > 0) {
      EXPECT_THAT(learning.place.read("err"),
                  AllOf(HasSubstr(fmt::format("after {} rows", seen)),
                        HasSubstr(fmt::format("continue with row {}", seen + 1))));
    }
    seen = rows;
  }
  learning.expect_same_end();
}

TEST_P(Checkpoint, ASignalStopsWithResultAndCheckpoint) {
  for (const int number : {SIGTERM, SIGINT}) {
    const Learning learning(GetParam());
    std::size_t seen = 0;
    {
      Process process = learning.start({}, "1000");
      process.feed(learning.stream.header() + learning.stream.csv(0, 500));
      process.wait_until_idle();
      process.signal(number);  // while it waits for more, with its pipe open
      EXPECT_EQ(process.wait(), 0) << learning.place.read("err");
      const auto document = nlohmann::json::parse(learning.place.read("out"));
      EXPECT_EQ(document.at("stopped_by"), number == SIGTERM ? "SIGTERM" : "SIGINT");
      seen = document.at("updates");
      EXPECT_EQ(seen, 500u);
    }
    Process process = learning.start();
    process.feed(learning.stream.csv(seen, 900));
    process.end_input();
    EXPECT_EQ(process.wait(), 0);
    learning.expect_same_end();
  }
}

TEST_P(Checkpoint, IsWrittenWhileThePipeIsSilent) {
  const Learning learning(GetParam());
  Process process = learning.start({}, "0.05");
  process.feed(learning.stream.header() + learning.stream.csv(0, 77));
  while (learning.place.read("state").empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  process.signal(SIGKILL);
  EXPECT_EQ(process.wait(), -SIGKILL);
  Process next = learning.start();
  next.feed(learning.stream.csv(77, 900));
  next.end_input();
  EXPECT_EQ(next.wait(), 0);
  learning.expect_same_end();
}

TEST_P(Checkpoint, FiftyKillsAtRandomMomentsChangeNoByte) {
  const Learning learning(GetParam(), 20000);
  pcg64 random(1);
  int kills = 0;
  int resumed = 0;
  // At least 20 kills for each of the three learners, and until some resumed runs were killed; a
  // quarter of them under sanitizers.
  const int enough = is_sanitized() ? 5 : 20;
  // Moments are drawn over the duration of a whole run on this machine.
  while (kills < enough || resumed < enough / 2) {
    ASSERT_LT(kills, 1000);
    Process process = learning.start("whole.csv");
    std::this_thread::sleep_for(learning.duration * draw_uniform(random));
    process.signal(SIGKILL);
    const int code = process.wait();
    resumed += learning.place.read("err").find("resuming") != std::string::npos ? 1 : 0;
    if (code == -SIGKILL) {
      ++kills;
      continue;
    }
    ASSERT_EQ(code, 0) << learning.place.read("err");
    learning.expect_same_end();
    std::remove(learning.place.path("state").c_str());
  }
  EXPECT_EQ(learning.start("whole.csv").wait(), 0);
  learning.expect_same_end();
  EXPECT_EQ(learning.place.read("state"), learning.place.read("whole.state"));
}

TEST(Learn, RefusesACheckpointThatIsNotItsOwn) {
  const Learning learning(newton);
  const std::string state = learning.place.read("whole.state");
  const auto refused = [&](const std::string& content, const std::string& part) {
    learning.place.write("state", content);
    EXPECT_EQ(learning.start("whole.csv").wait(), 2);
    EXPECT_THAT(learning.place.read("err"), AllOf(HasSubstr("state"), HasSubstr(part)));
    EXPECT_TRUE(learning.place.read("out").empty());
    EXPECT_EQ(learning.place.read("state"), content) << "it must not be touched";
  };
  refused("x1,y1,cost\n", "not a checkpoint");
  refused("", "not a checkpoint");
  refused(state.substr(0, state.size() / 2), "truncated");
  refused(state.substr(0, 22), "truncated");
  refused(state + "x", "truncated or has extra bytes");
  for (const std::size_t at : {40u, 100u, 1000u}) {
    std::string damaged = state;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    refused(damaged, "damaged");
  }
  std::string later = state;
  char& version = later[std::string("shortfall checkpoint\n").size()];
  version = 1;
  refused(later, "version 1, written by an older shortfall; accepted: version 2 to 3");
  version = 4;
  refused(later, "version 4, written by a newer shortfall; accepted: version 2 to 3");
}

TEST(Learn, RefusesAnInvalidStateWithAMatchingChecksum) {
  const Learning learning(newton);
  std::string state = io::read_checkpoint(learning.place.path("whole.state")).value();
  // After the number of products, of at most 15: six numbers and a byte.
  const std::size_t products = state.size() - sizeof(std::uint64_t) - (6 * 8 + 1);
  ASSERT_LT(state[products], 16);
  ASSERT_EQ(state[products + 3], 0);
  state[products + 3] = 1;
  io::write_checkpoint(learning.place.path("state"), state);
  EXPECT_EQ(learning.start("whole.csv").wait(), 2);
  EXPECT_THAT(learning.place.read("err"),
              AllOf(HasSubstr("state: its content does not match these options: products = 167772"),
                    HasSubstr("; accepted: 0 to 15")));
}

TEST(Learn, NamesTheOptionThatDiffersFromTheCheckpoint) {
  const Learning learning(td_lambda);
  const auto refused = [&](std::size_t at, const std::string& value, const std::string& part) {
    Arguments command = learning.arguments(
        {"--checkpoint", learning.place.path("whole.state"), learning.place.path("whole.csv")});
    command[at] = value;
    Process process(command, Process::Input::none, learning.place.path("out"),
                    learning.place.path("err"));
    EXPECT_EQ(process.wait(), 2);
    EXPECT_THAT(learning.place.read("err"), AllOf(HasSubstr(part), HasSubstr("checkpoint")));
  };
  refused(5, "expectile:0.8", "--loss is expectile:0.8");
  refused(7, "0.8", "--gamma is 0.8");
  refused(9, "0.7", "--lambda is 0.7");
  refused(11, "0.05,100,0.8", "--step is 0.05,100,0.8");
}

TEST(Learn, RefusesAFileThatIsNotTheCheckpointsOwn) {
  const Learning learning(td_lambda);
  ASSERT_EQ(learning.start("whole.csv").wait(), 0);
  learning.place.write("other.csv", StreamForTests(5, 900, 2).csv());
  EXPECT_EQ(learning.start("other.csv").wait(), 2);
  EXPECT_THAT(learning.place.read("err"), HasSubstr("other.csv"));
  learning.place.write("short.csv", learning.stream.header() + learning.stream.csv(0, 10));
  EXPECT_EQ(learning.start("short.csv").wait(), 2);
  EXPECT_THAT(learning.place.read("err"), HasSubstr("short.csv"));
}

TEST(Learn, CountsBadRowsOfAnInterruptedPipe) {
  // γ = λ = 1: a trace that survived the skipped end of an episode would add 4 to the first weight.
  const Workplace place;
  const Arguments command = {
      "learn",       "--json",    "--skip-bad-rows", "--loss", "mean",   "--gamma", "1",
      "--algorithm", "td-lambda", "--lambda",        "1",      "--step", "0.5"};
  const std::vector<std::string> rows = {"1,0,0,1,0,0\n", "0,1,,,oops,1\n", "0,1,,,8,1\n",
                                         "bad\n",         "1,0,0,1,2,0\n",  "bad\n"};
  const auto run = [&](const Arguments& arguments, std::size_t from, std::size_t to) {
    Process process(arguments, Process::Input::pipe, place.path("out"), place.path("err"));
    if (from == 0) process.feed("x1,x2,y1,y2,cost,terminal\n");
    for (std::size_t i = from; i < to; ++i) process.feed(rows[i]);
    process.end_input();
    EXPECT_EQ(process.wait(), 0) << place.read("err");
    return place.read("out");
  };
  const std::string whole = run(command, 0, rows.size());
  EXPECT_EQ(nlohmann::json::parse(whole).at("skipped_rows"), 3);
  EXPECT_EQ(nlohmann::json::parse(whole).at("theta"), nlohmann::json({3.0, 4.0}));
  Arguments with_state = command;
  with_state.insert(with_state.end(), {"--checkpoint", place.path("state")});
  for (std::size_t cut = 1; cut < rows.size(); ++cut) {
    std::remove(place.path("state").c_str());
    (void)run(with_state, 0, cut);
    EXPECT_EQ(run(with_state, cut, rows.size()), whole) << cut;
    EXPECT_THAT(place.read("err"), HasSubstr(fmt::format("continue with row {}\n", cut + 1)));
  }
}

TEST(Learn, RereadsALastLineWithoutAnEnd) {
  const Workplace place;
  const std::string command =
      "learn --json --loss mean --gamma 0.9 --algorithm td --checkpoint state stream.csv";
  place.write("stream.csv", "x1,y1,cost\n1,1,10\n1,1,1");
  const Outcome half = place.run(command);
  EXPECT_EQ(half.exit_code, 0);
  EXPECT_EQ(half.json().at("updates"), 2);
  EXPECT_EQ(place.run(command).out, half.out);
  place.write("stream.csv", "x1,y1,cost\n1,1,10\n1,1,15\n1,1,3\n");
  const Outcome grown = place.run(command);
  EXPECT_EQ(grown.json().at("updates"), 3);
  std::remove(place.path("state").c_str());
  EXPECT_EQ(place.run(command).out, grown.out);
}

TEST(Learn, LeavesOtherFilesAlone) {
  const Learning learning(td_lambda);
  learning.place.write(".state.lock", "precious");
  EXPECT_EQ(learning.start("whole.csv").wait(), 2);
  EXPECT_THAT(learning.place.read("err"), HasSubstr("state"));
  EXPECT_EQ(learning.place.read(".state.lock"), "precious");
  std::remove(learning.place.path(".state.lock").c_str());
  std::remove(learning.place.path("state").c_str());
  const std::size_t files = learning.place.file_count();
  ASSERT_EQ(learning.start("whole.csv").wait(), 0);
  EXPECT_EQ(learning.place.file_count(), files + 1);  // the checkpoint, and no lock
}

TEST(Learn, RefusesACheckpointThatIsNotAFile) {
  const Workplace place;
  place.write("stream.csv", StreamForTests(2, 10).csv());
  const std::string command =
      "learn stream.csv --loss mean --gamma 0.9 --algorithm td --checkpoint ";
  for (const std::string path : {"-", "/dev/stdout", "/tmp", "/dev/null", "nowhere/state"}) {
    const Outcome outcome = place.run(command + path);
    EXPECT_EQ(outcome.exit_code, 2) << path;
    EXPECT_TRUE(outcome.out.empty()) << path;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(path), HasSubstr("accepted"))) << path;
  }
}

TEST(Learn, StopsBeforeTheFirstLine) {
  const Workplace place;
  Process process({"learn", "--json", "--loss", "mean", "--gamma", "0.9", "--algorithm", "td"},
                  Process::Input::pipe, place.path("out"), place.path("err"));
  process.wait_until_idle();
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait(), 0) << place.read("err");
  const auto document = nlohmann::json::parse(place.read("out"));
  EXPECT_EQ(document.at("updates"), 0);
  EXPECT_EQ(document.at("stopped_by"), "SIGTERM");
}

TEST(Learn, DoesNotIgnoreASignalWhileAPipeHasNoWriter) {
  const Workplace place;
  ASSERT_EQ(mkfifo(place.path("pipe").c_str(), 0600), 0);
  Process process(
      {"learn", "--loss", "mean", "--gamma", "0.9", "--algorithm", "td", place.path("pipe")},
      Process::Input::none, place.path("out"), place.path("err"));
  // Long enough on a quiet machine to wait for a writer; sooner or later, the signal must end it.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait(), -SIGTERM);
}

/// Simulates a full disk: the directory is gone when the checkpoint is due.
void expect_result_on_full_disk(const Learning& learning, const std::string& rest_of_stream) {
  const Workplace other;
  const std::string directory = other.path("gone");
  ASSERT_EQ(mkdir(directory.c_str(), 0700), 0);
  Process process(learning.arguments({"--checkpoint", directory + "/state"}), Process::Input::pipe,
                  learning.place.path("out"), learning.place.path("err"));
  process.feed(learning.stream.header() + learning.stream.csv(0, 400));
  process.wait_until_idle();
  std::remove((directory + "/.state.lock").c_str());
  ASSERT_EQ(rmdir(directory.c_str()), 0);
  process.feed(rest_of_stream);
  process.end_input();
  EXPECT_EQ(process.wait(), 2);
  learning.expect_same_end();
  EXPECT_THAT(learning.place.read("err"), HasSubstr("gone/state"));
}

TEST(Learn, PrintsItsResultIfTheDiskIsFull) {
  const Learning learning(td_lambda);
  expect_result_on_full_disk(learning, learning.stream.csv(400, 900));
}

TEST(Learn, ReportsAFullDiskAlsoIfTheLastLineHasNoEnd) {
  const Learning learning(td_lambda);
  std::string rest = learning.stream.csv(400, 900);
  rest.pop_back();
  expect_result_on_full_disk(learning, rest);
}

TEST(Learn, TwoRunsCannotShareACheckpoint) {
  const Learning learning(td_lambda);
  Process first = learning.start({}, "0.01");
  first.feed(learning.stream.header() + learning.stream.csv(0, 10));
  while (learning.place.read("state").empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  Process second(learning.arguments({"--checkpoint", learning.place.path("state")}),
                 Process::Input::pipe, learning.place.path("out2"), learning.place.path("err2"));
  EXPECT_EQ(second.wait(), 2);
  EXPECT_THAT(learning.place.read("err2"), HasSubstr("another run"));
  ASSERT_EQ(symlink(learning.place.path("state").c_str(), learning.place.path("link").c_str()), 0);
  Process third(learning.arguments({"--checkpoint", learning.place.path("link")}),
                Process::Input::pipe, learning.place.path("out2"), learning.place.path("err2"));
  EXPECT_EQ(third.wait(), 2) << "the same file by another name";
  first.feed(learning.stream.csv(10, 900));
  first.end_input();
  EXPECT_EQ(first.wait(), 0);
  learning.expect_same_end();
}

TEST(Learn, HoldsNoMoreThanAFewMegabytes) {
  if (is_sanitized()) GTEST_SKIP() << "sanitizers need memory of their own";
  const Learning learning(td_lambda, 100);
  Process process = learning.start();
  process.feed(learning.stream.header());
  const std::string rows = learning.stream.csv(0, 100);
  constexpr std::size_t total = 80 << 20;
  for (std::size_t fed = 0; fed < total; fed += rows.size()) process.feed(rows);
  process.end_input();
  EXPECT_EQ(process.wait(), 0);
  EXPECT_LT(process.peak_kilobytes(), 50 << 10);
}

}  // namespace
}  // namespace shortfall::testing
