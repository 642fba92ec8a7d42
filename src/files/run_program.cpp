#include "files/run_program.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
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

constexpr int patience = 100;  ///< between calls of the monitor, in milliseconds

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

struct Pipe {
  /// False with errno set on failure.
  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    reader = FileDescriptor(ends[0]);
    writer = FileDescriptor(ends[1]);
    return true;
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

/// A program that runs, first of its process group; both are killed if it still does at the end.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void kill() {
    if (process_ < 0) return;
    ::kill(-process_, SIGKILL);
    int ignored = 0;
    (void)wait(ignored, 0);
  }

  /// Whether it has ended, with how it did in `outcome`.
  bool has_ended(ProgramOutcome& outcome) {
    int status = 0;
    const pid_t ended = wait(status, WNOHANG);
    if (ended == 0) return false;
    if (ended < 0) {
      outcome.end = ProgramOutcome::End::unknown;
    } else if (WIFEXITED(status)) {
      outcome.end = ProgramOutcome::End::exited;
      outcome.code = WEXITSTATUS(status);
    } else {
      outcome.end = ProgramOutcome::End::killed;
      outcome.code = WTERMSIG(status);
    }
    return true;
  }

 private:
  pid_t wait(int& status, int flags) {
    const pid_t ended = uninterrupted([&] { return ::waitpid(process_, &status, flags); });
    if (ended != 0) process_ = -1;  // the system may give its number to another
    return ended;
  }

  pid_t process_;
};

/// The ends of the pipes on this side. Those that are closed are not waited for.
struct Streams {
  bool has_output() const { return out.is_open() || err.is_open(); }

  FileDescriptor input;
  FileDescriptor out;
  FileDescriptor err;
};

/// Pointers to C strings, and the null pointer that ends such a list.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// The environment of this process without some variables.
std::vector<char*> environment_without(const std::vector<std::string_view>& unset) {
  std::vector<char*> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (std::ranges::find(unset, text.substr(0, text.find('='))) == unset.end())
      variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

/// Starts the program. Returns an error of the system, or 0.
int start(const Program& program, const NoPipeSignal& signals, Streams& streams, pid_t& process) {
  const std::vector<char*> arguments = pointers_to(program.words);
  const std::vector<char*> environment = environment_without(program.unset);
  Pipe input;
  Pipe out;
  Pipe err;
  if (!input.open() || !out.open() || !err.open()) return errno;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, input.reader.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out.writer.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err.writer.get(), STDERR_FILENO);
  posix_spawnattr_setsigmask(&attributes, &signals.old());
  posix_spawnattr_setsigdefault(&attributes, &signals.pipe());
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(),
                                 environment.data());
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

/// Reads some of what there is, and keeps no more than `most` bytes. Returns their number, 0 at the
/// end.
std::size_t read_part(int descriptor, std::string& text, std::size_t most) {
  std::array<char, 65536> part{};
  const long count = read_some(descriptor, part.data(), part.size());
  if (count <= 0) return 0;
  const auto size = static_cast<std::size_t>(count);
  text.append(part.data(), std::min(size, most - text.size()));
  return size;
}

/// What is kept of each stream: of standard output a byte more than allowed, which tells.
struct Kept {
  std::size_t out;
  std::size_t err = 4096;
};

/// Reads what is in the pipe now, and not what others than the program may still write to it.
void drain(const FileDescriptor& pipe, std::string& text, std::size_t most) {
  int waiting = 0;
  if (!pipe.is_open() || ::ioctl(pipe.get(), FIONREAD, &waiting) != 0) return;
  for (auto left = static_cast<std::size_t>(waiting); left > 0;) {
    const std::size_t count = read_part(pipe.get(), text, most);
    if (count == 0) return;
    left -= std::min(left, count);
  }
}

/// Waits for a pipe to be ready, for a moment at most, and serves those that are.
void serve(Streams& streams, std::string_view& input, ProgramOutcome& outcome, const Kept& kept) {
  std::array<pollfd, 3> waits{{{streams.input.get(), POLLOUT, 0},
                               {streams.out.get(), POLLIN, 0},
                               {streams.err.get(), POLLIN, 0}}};
  const int ready = ::poll(waits.data(), waits.size(), streams.has_output() ? patience : 1);
  if (ready < 0 && errno != EINTR) fail("poll");
  if (ready <= 0) return;
  if (waits[0].revents != 0 && is_written(waits[0].fd, input)) streams.input = FileDescriptor();
  if (waits[1].revents != 0 && read_part(waits[1].fd, outcome.out, kept.out) == 0)
    streams.out = FileDescriptor();
  if (waits[2].revents != 0 && read_part(waits[2].fd, outcome.err, kept.err) == 0)
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
      return "stopped";
    case End::too_much:
      return fmt::format("more than {} bytes of output", out.size() - 1);
    case End::unknown:
      break;
  }
  return "ended, but SIGCHLD is ignored, and how is unknown";
}

ProgramOutcome run_program(const Program& program, const Monitor& monitor) {
  const NoPipeSignal signals;
  ProgramOutcome outcome;
  Streams streams;
  pid_t process = -1;
  outcome.code = start(program, signals, streams, process);
  if (outcome.code != 0) return outcome;
  Child child(process);
  if (::fcntl(streams.input.get(), F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
  std::string_view input = program.input;
  if (input.empty()) streams.input = FileDescriptor();
  const Kept kept{.out = program.most_output + 1};
  const Progress progress{.activity = program.words.front()};
  while (!child.has_ended(outcome)) {
    serve(streams, input, outcome, kept);
    if (outcome.out.size() > program.most_output) break;
    if (!monitor || monitor(progress) == Request::proceed) continue;
    child.kill();
    outcome.end = ProgramOutcome::End::stopped;
    return outcome;
  }
  drain(streams.out, outcome.out, kept.out);
  drain(streams.err, outcome.err, kept.err);
  if (outcome.out.size() > program.most_output) outcome.end = ProgramOutcome::End::too_much;
  return outcome;
}

}  // namespace shortfall::io
