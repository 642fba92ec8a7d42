#include "files/run_program.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string>

namespace shortfall::io {
namespace run_program_tests {

using ::testing::EndsWith;
using ::testing::StartsWith;
using End = ProgramOutcome::End;

/// Several times what a pipe holds, which is 64 KiB.
const std::string much = [] {
  std::string text;
  for (int line = 0; line < 100'000; ++line) text += std::to_string(line) + "\n";
  return text;
}();

ProgramOutcome run_shell(const std::string& script, std::string_view input = {},
                         const Monitor& monitor = {}) {
  return run_program({"sh", "-c", script}, input, monitor);
}

/// Number of files that this process has open.
std::size_t open_files() {
  std::size_t count = 0;
  for (int descriptor = 0; descriptor < 256; ++descriptor)
    count += ::fcntl(descriptor, F_GETFD) >= 0 ? 1U : 0U;
  return count;
}

TEST(RunProgram, ReturnsWhatAProgramWritesAndItsExitCode) {
  const ProgramOutcome outcome = run_shell("cat; echo why >&2; exit 3", "in");
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "in");
  EXPECT_EQ(outcome.err, "why\n");
  EXPECT_EQ(outcome.reason(), "exit code 3");
  EXPECT_FALSE(outcome.is_success());
}

TEST(RunProgram, PassesItsArgumentsAsTheyAre) {
  EXPECT_EQ(run_program({"printf", "%s|", "a b", "$c", ""}, {}).out, "a b|$c||");
}

TEST(RunProgram, PassesMuchBothWaysAtOnce) {
  const ProgramOutcome outcome = run_program({"cat"}, much);
  EXPECT_TRUE(outcome.is_success());
  EXPECT_EQ(outcome.out.size(), much.size());
  EXPECT_TRUE(outcome.out == much);
}

TEST(RunProgram, ReadsWhatComesBeforeAnyInputIsRead) {
  const ProgramOutcome outcome =
      run_shell("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; wc -c", much);
  EXPECT_TRUE(outcome.is_success());
  EXPECT_THAT(outcome.out.substr(300'000), EndsWith(std::to_string(much.size()) + "\n"));
  EXPECT_EQ(outcome.err.size(), 4096U);
}

TEST(RunProgram, GivesUpOnInputThatNobodyReads) {
  struct sigaction before {};
  sigaction(SIGPIPE, nullptr, &before);
  struct sigaction fatal {};
  fatal.sa_handler = SIG_DFL;
  sigaction(SIGPIPE, &fatal, nullptr);
  const ProgramOutcome outcome = run_shell("exec 0<&-; echo done", much);
  sigset_t pending;
  sigpending(&pending);
  sigaction(SIGPIPE, &before, nullptr);
  EXPECT_TRUE(outcome.is_success());
  EXPECT_EQ(outcome.out, "done\n");
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(RunProgram, StartsProgramsThatABrokenPipeEnds) {
  struct sigaction before {};
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignored, &before);
  const ProgramOutcome outcome = run_shell("kill -PIPE $$");
  sigaction(SIGPIPE, &before, nullptr);
  EXPECT_EQ(outcome.end, End::killed);
  EXPECT_EQ(outcome.code, SIGPIPE);
}

TEST(RunProgram, SaysWhichSignalKilledAProgram) {
  const ProgramOutcome outcome = run_shell("echo half; kill -KILL $$");
  EXPECT_EQ(outcome.end, End::killed);
  EXPECT_EQ(outcome.code, SIGKILL);
  EXPECT_EQ(outcome.out, "half\n");
  EXPECT_EQ(outcome.reason(), "killed by signal 9");
}

TEST(RunProgram, SaysThatAProgramIsAbsent) {
  const ProgramOutcome outcome = run_program({"no-such-program-of-shortfall"}, much);
  EXPECT_EQ(outcome.end, End::not_started);
  EXPECT_EQ(outcome.code, ENOENT);
  EXPECT_THAT(outcome.reason(), StartsWith("No such file"));
}

TEST(RunProgram, KillsAProgramThatIsToStop) {
  int calls = 0;
  const ProgramOutcome outcome =
      run_shell("trap '' TERM INT; exec >&- 2>&-; exec sleep 1000", {},
                [&](const Progress&) { return ++calls < 3 ? Request::proceed : Request::stop; });
  EXPECT_EQ(outcome.end, End::stopped);
  EXPECT_EQ(calls, 3);
}

TEST(RunProgram, KillsTheProgramAndRethrowsIfTheMonitorThrows) {
  const std::size_t before = open_files();
  EXPECT_THROW(run_shell("exec sleep 1000", {},
                         [](const Progress&) -> Request { throw std::runtime_error("enough"); }),
               std::runtime_error);
  EXPECT_EQ(open_files(), before);
}

TEST(RunProgram, WaitsForAProgramThatClosesItsOutputsEarly) {
  const ProgramOutcome outcome = run_shell("exec >&- 2>&-; cat > /dev/null; exit 5", much);
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 5);
}

TEST(RunProgram, LeavesNoFileOpen) {
  const std::size_t before = open_files();
  (void)run_shell("cat", much);
  (void)run_program({"no-such-program-of-shortfall"}, much);
  EXPECT_EQ(open_files(), before);
}

}  // namespace run_program_tests
}  // namespace shortfall::io
