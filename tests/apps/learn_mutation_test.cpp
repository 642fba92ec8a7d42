// Whatever the input, `learn` ends with exit code 0, 1 or 2. Runs within this process, because ten
// thousand processes would take minutes; only main() is left out.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "apps/shortfall/command_line.hpp"
#include "tests/apps/command_runner.hpp"
#include "tests/apps/stream_for_tests.hpp"
#include "tests/formats/mutations_for_tests.hpp"

namespace shortfall::testing {
namespace {

/// Discards standard output and error during its lifetime.
class Silence {
 public:
  Silence() : out_(dup(STDOUT_FILENO)), err_(dup(STDERR_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  ~Silence() {
    dup2(out_, STDOUT_FILENO);
    dup2(err_, STDERR_FILENO);
    close(out_);
    close(err_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int out_;
  int err_;
};

app::Command parsed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"shortfall", "learn"});
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  return app::parse_arguments(static_cast<int>(pointers.size()), pointers.data());
}

int run_silently(const app::Command& command) {
  const Silence silence;
  return app::run_command(command);
}

TEST(Learn, TenThousandMutatedStreamsEndWithACode) {
  const Workplace place;
  const StreamForTests stream(2, 12);
  const std::string seeds[] = {stream.csv(), stream.ndjson()};
  std::vector<app::Command> commands;
  for (const std::string algorithm : {"td", "td-lambda", "newton"}) {
    for (const int choice : {0, 1, 2, 3}) {
      std::vector<std::string> arguments = {
          place.path("stream"), "--loss", "entropic:0.5", "--gamma", "1", "--algorithm", algorithm};
      if (algorithm == "newton") arguments.insert(arguments.end(), {"--warmup", "3"});
      if ((choice & 1) != 0) arguments.emplace_back("--skip-bad-rows");
      if ((choice & 2) != 0) arguments.emplace_back("--json");
      commands.push_back(parsed(std::move(arguments)));
    }
  }
  std::mt19937_64 random(1);
  std::array<int, 3> codes{};
  for (int i = 0; i < 10000; ++i) {
    const std::string path = place.write("stream", io::mutated(seeds[i % 2], random));
    const int code = run_silently(commands[random() % commands.size()]);
    // Removed each time: some file systems sync to disk when a file is overwritten.
    std::remove(path.c_str());
    ASSERT_TRUE(code >= 0 && code <= 2) << code << " at " << i;
    ++codes[static_cast<std::size_t>(code)];
  }
  for (const int count : codes) EXPECT_GT(count, 100);  // every exit code occurred
}

TEST(Learn, MutatedCheckpointsAreRefused) {
  const Workplace place;
  const std::string path = place.write("stream", StreamForTests(2, 50).csv());
  const app::Command command =
      parsed({path, "--loss", "mean", "--gamma", "0.5", "--algorithm", "newton", "--warmup", "3",
              "--checkpoint", place.path("state")});
  ASSERT_EQ(run_silently(command), 0);
  const std::string state = place.read("state");
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::string other = io::mutated(state, random);
    if (other == state) continue;
    place.write("state", other);
    ASSERT_EQ(run_silently(command), 2) << i;
  }
}

}  // namespace
}  // namespace shortfall::testing
