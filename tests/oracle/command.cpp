#include "command.hpp"

#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>

extern char** environ;  // NOLINT: POSIX names it so

namespace oracle {
namespace {

struct Pipe {
  Pipe() {
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t i) {
    if (ends.at(i) >= 0) close(ends.at(i));
    ends.at(i) = -1;
  }
  std::array<int, 2> ends{};
};

/// Reads both pipes to their ends; false if that takes too long.
bool read_all(Pipe& out, Pipe& err, Run& run, int seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  std::array<char, 65536> buffer{};
  std::array<pollfd, 2> waiting{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    if (poll(waiting.data(), 2, static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
    for (std::size_t i = 0; i < 2; ++i) {
      if (waiting.at(i).fd < 0 || waiting.at(i).revents == 0) continue;
      const ssize_t count = ::read(waiting.at(i).fd, buffer.data(), buffer.size());
      if (count > 0)
        (i == 0 ? run.out : run.err).append(buffer.data(), static_cast<std::size_t>(count));
      if (count <= 0) waiting.at(i).fd = -1;
    }
  }
  return true;
}

}  // namespace

Run run_command(const std::filesystem::path& binary, const std::vector<std::string>& arguments,
                const std::filesystem::path& folder, int seconds) {
  Pipe out;
  Pipe err;
  std::vector<std::string> words{binary.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  for (const int end : {out.ends[0], out.ends[1], err.ends[0], err.ends[1]}) {
    posix_spawn_file_actions_addclose(&actions, end);
  }
  pid_t child = 0;
  const int failed = posix_spawn(&child, binary.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot run " + binary.string());
  out.close_end(1);
  err.close_end(1);

  Run run;
  const bool ended = read_all(out, err, run, seconds);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (ended && WIFSIGNALED(status)) {
    std::string line = binary.string();
    for (const std::string& argument : arguments) line += " " + argument;
    throw std::runtime_error("crashed with signal " + std::to_string(WTERMSIG(status)) + ": " +
                             line);
  }
  run.exit_code = ended ? WEXITSTATUS(status) : -1;
  return run;
}

}  // namespace oracle
