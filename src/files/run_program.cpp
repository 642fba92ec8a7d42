#include "files/run_program.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "files/file_descriptor.hpp"
#include "files/transfer.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t kept_of_errors = 4096;
constexpr int patience = 100;  ///< between calls of the monitor, in milliseconds

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    reader = FileDescriptor(ends[0]);
    writer = FileDescriptor(ends[1]);
  }
  FileDescriptor reader;
  FileDescriptor writer;
};

/// While it exists, writing to a program that no longer reads is an error and does not end this
/// process, whatever this process does about SIGPIPE.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &old_);
  }
  ~NoPipeSignal() {
    const timespec at_once{};
    if (!was_pending_) (void)uninterrupted([&] { return sigtimedwait(&pipe_, nullptr, &at_once); });
    pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

  const sigset_t& old() const { return old_; }
  const sigset_t& pipe() const { return pipe_; }

 private:
  bool was_pending_ = false;
  sigset_t pipe_{};
  sigset_t old_{};
};

/// A program that runs; killed if it still does at the end.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void kill() {
    if (process_ < 0) return;
    ::kill(process_, SIGKILL);
    int ignored = 0;
    (void)uninterrupted([&] { return ::waitpid(process_, &ignored, 0); });
    process_ = -1;
  }

  /// Whether it has ended, with its status as from waitpid().
  bool has_ended(int& status) {
    if (uninterrupted([&] { return ::waitpid(process_, &status, WNOHANG); }) == 0) return false;
    process_ = -1;
    return true;
  }

 private:
  pid_t process_;
};

/// The ends of the pipes on this side. Those that are closed are not waited for.
struct Streams {
  bool has_output() const { return out.is_open() || err.is_open(); }

  FileDescriptor input;
  FileDescriptor out;
  FileDescriptor err;
};

/// Starts the program. Returns an error of the system, or 0.
int start(const std::vector<std::string>& words, const NoPipeSignal& signals, Streams& streams,
          pid_t& process) {
  Pipe input;
  Pipe out;
  Pipe err;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, input.reader.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out.writer.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err.writer.get(), STDERR_FILENO);
  posix_spawnattr_setsigmask(&attributes, &signals.old());
  posix_spawnattr_setsigdefault(&attributes, &signals.pipe());
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int error =
      posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  streams = {std::move(input.writer), std::move(out.reader), std::move(err.reader)};
  return error;
}

/// Writes what the pipe takes. True if nothing is left to write, or nobody to read it.
bool is_written(int descriptor, std::string_view& left) {
  const long count = ::write(descriptor, left.data(), left.size());
  if (count < 0) return errno != EAGAIN && errno != EINTR;
  left.remove_prefix(static_cast<std::size_t>(count));
  return left.empty();
}

/// Reads what there is, and keeps no more than `most` bytes. True at the end.
bool is_read(int descriptor, std::string& text, std::size_t most) {
  std::array<char, 65536> part{};
  const long count = read_some(descriptor, part.data(), part.size());
  if (count <= 0) return true;
  text.append(part.data(), std::min(static_cast<std::size_t>(count), most - text.size()));
  return false;
}

/// Waits for a pipe to be ready, for a moment at most, and serves those that are.
void serve(Streams& streams, std::string_view& input, ProgramOutcome& outcome) {
  std::array<pollfd, 3> waits{{{streams.input.get(), POLLOUT, 0},
                               {streams.out.get(), POLLIN, 0},
                               {streams.err.get(), POLLIN, 0}}};
  const int ready = ::poll(waits.data(), waits.size(), streams.has_output() ? patience : 1);
  if (ready < 0 && errno != EINTR) fail("poll");
  if (ready <= 0) return;
  if (waits[0].revents != 0 && is_written(waits[0].fd, input)) streams.input = FileDescriptor();
  if (waits[1].revents != 0 && is_read(waits[1].fd, outcome.out, std::string::npos))
    streams.out = FileDescriptor();
  if (waits[2].revents != 0 && is_read(waits[2].fd, outcome.err, kept_of_errors))
    streams.err = FileDescriptor();
}

}  // namespace

std::string ProgramOutcome::reason() const {
  switch (end) {
    case End::exited:
      return fmt::format("exit code {}", code);
    case End::killed:
      return fmt::format("killed by signal {}", code);
    case End::not_started:
      return std::generic_category().message(code);
    case End::stopped:
      break;
  }
  return "stopped";
}

ProgramOutcome run_program(const std::vector<std::string>& words, std::string_view input,
                           const Monitor& monitor) {
  const NoPipeSignal signals;
  ProgramOutcome outcome;
  Streams streams;
  pid_t process = -1;
  outcome.code = start(words, signals, streams, process);
  if (outcome.code != 0) return outcome;
  Child child(process);
  if (::fcntl(streams.input.get(), F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
  if (input.empty()) streams.input = FileDescriptor();
  const Progress progress{.activity = words.front()};
  int status = 0;
  while (streams.has_output() || !child.has_ended(status)) {
    serve(streams, input, outcome);
    if (!monitor || monitor(progress) == Request::proceed) continue;
    child.kill();
    outcome.end = ProgramOutcome::End::stopped;
    return outcome;
  }
  const bool is_exit = WIFEXITED(status);
  outcome.end = is_exit ? ProgramOutcome::End::exited : ProgramOutcome::End::killed;
  outcome.code = is_exit ? WEXITSTATUS(status) : WTERMSIG(status);
  return outcome;
}

}  // namespace shortfall::io
