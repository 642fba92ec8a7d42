#include "files/run_program.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include "files/file_descriptor.hpp"

namespace shortfall::io {
namespace run_program_tests {

using ::testing::EndsWith;
using ::testing::HasSubstr;
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
  return run_program({.words = {"sh", "-c", script}, .input = input}, monitor);
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
  EXPECT_EQ(run_program({.words = {"printf", "%s|", "a b", "$c", ""}}).out, "a b|$c||");
}

TEST(RunProgram, PassesMuchBothWaysAtOnce) {
  const ProgramOutcome outcome = run_program({.words = {"cat"}, .input = much});
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
  const ProgramOutcome outcome =
      run_program({.words = {"no-such-program-of-shortfall"}, .input = much});
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

/// Whether a process has not ended, even if nobody has asked for its end.
bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string stat;
  std::getline(file, stat);
  return !stat.empty() && stat.substr(stat.rfind(')') + 1, 2) != " Z";
}

TEST(RunProgram, KillsWhatAProgramStartedToo) {
  // A wrapper that waits for the program proper, and tells its process in a file.
  std::string file = ::testing::TempDir() + "shortfall-process-XXXXXX";
  ASSERT_GE(FileDescriptor(::mkstemp(file.data())).get(), 0);
  pid_t inner = 0;
  const ProgramOutcome outcome =
      run_shell("sleep 1000 & echo $! end > " + file + "; wait", {}, [&](const Progress&) {
        std::string end;
        return std::ifstream(file) >> inner >> end ? Request::stop : Request::proceed;
      });
  ::unlink(file.c_str());
  EXPECT_EQ(outcome.end, End::stopped);
  ASSERT_GT(inner, 0);
  while (runs(inner)) ::usleep(1000);  // it is killed, but may take a moment to end
}

TEST(RunProgram, DoesNotWaitForWhatAProgramLeavesBehind) {
  const ProgramOutcome outcome = run_shell("sleep 1000 & echo $!; echo why >&2; exit 6");
  EXPECT_EQ(outcome.end, End::exited);
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(outcome.err, "why\n");
  const pid_t left = std::stoi(outcome.out);
  EXPECT_TRUE(runs(left));
  ::kill(left, SIGKILL);
}

TEST(RunProgram, ReturnsAllThatIsInThePipesAtTheEnd) {
  for (int run = 0; run < 20; ++run)
    EXPECT_EQ(run_shell("head -c 65536 /dev/zero; exit 1").out.size(), 65'536U);
}

TEST(RunProgram, HasAProcessGroupOfItsOwn) {
  // The fifth field of stat, and the process itself.
  const ProgramOutcome outcome =
      run_shell("read -r a b c d group rest </proc/$$/stat; echo $((group - $$))");
  EXPECT_EQ(outcome.out, "0\n");
}

TEST(RunProgram, AllowsSoMuchOutputAndNoMore) {
  const auto run = [](const std::string& bytes) {
    return run_program({.words = {"head", "-c", bytes, "/dev/zero"}, .most_output = 200'000});
  };
  EXPECT_TRUE(run("200000").is_success());
  const ProgramOutcome outcome = run("200001");
  EXPECT_EQ(outcome.end, End::too_much);
  EXPECT_EQ(outcome.reason(), "more than 200000 bytes of output");
  EXPECT_EQ(run_program({.words = {"cat", "/dev/zero"}, .most_output = 5}).end, End::too_much);
}

TEST(RunProgram, PassesTheEnvironmentOnExceptWhatIsUnset) {
  ::setenv("SHORTFALL_TEST_A", "1", 1);
  ::setenv("SHORTFALL_TEST_AB", "2", 1);
  const ProgramOutcome outcome =
      run_program({.words = {"sh", "-c", "echo ${SHORTFALL_TEST_A-none} ${SHORTFALL_TEST_AB-none}"},
                   .unset = {"SHORTFALL_TEST_A"}});
  ::unsetenv("SHORTFALL_TEST_A");
  ::unsetenv("SHORTFALL_TEST_AB");
  EXPECT_EQ(outcome.out, "none 2\n");
}

TEST(RunProgram, SaysThatTheEndIsUnknownIfThisProcessIgnoresIt) {
  struct sigaction before {};
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignored, &before);
  const ProgramOutcome outcome = run_shell("echo done");
  sigaction(SIGCHLD, &before, nullptr);
  EXPECT_EQ(outcome.end, End::unknown);
  EXPECT_FALSE(outcome.is_success());
  EXPECT_EQ(outcome.out, "done\n");
  EXPECT_THAT(outcome.reason(), HasSubstr("SIGCHLD"));
}

TEST(RunProgram, SaysThatThereAreTooManyFiles) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const std::size_t open_now = open_files();
  rlimit few = before;
  few.rlim_cur = 3;  // for the standard streams
  setrlimit(RLIMIT_NOFILE, &few);
  const ProgramOutcome outcome = run_shell("exit");
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(outcome.end, End::not_started);
  EXPECT_EQ(outcome.reason(), "Too many open files");
  EXPECT_EQ(open_files(), open_now);
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
  (void)run_program({.words = {"no-such-program-of-shortfall"}, .input = much});
  EXPECT_EQ(open_files(), before);
}

}  // namespace run_program_tests
}  // namespace shortfall::io
