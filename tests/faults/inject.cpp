// Runs a command and makes one of its system calls fail:
//
//   inject REPORT FAULT AT COMMAND [ARGUMENT...]
//
// FAULT is `none`, the name of an error (ENOSPC), `short` (a transfer of half the bytes), `kill`
// (the process dies before the call), `full` (ENOSPC from that call on, wherever bytes or names are
// added to a disk), `shrink` or `grow` (the file of the call is cut to half, or doubled, before
// it). AT is the number of the call, from 1 on. REPORT receives one line for every call that
// counts: name, whether it adds to a disk, file. The exit code is that of the command, or 128 and
// the signal that ended it.
//
// The command is traced, so that no call escapes, whichever library makes it. Calls on shared
// libraries, which the loader makes, do not count, and neither do those without a file.

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system_calls.hpp"

namespace shortfall::faults {
namespace {

constexpr int cannot_trace = 77;  ///< exit code

struct Order {
  const char* report;
  std::string_view fault;
  long at;
};

const std::map<std::string_view, int> errors{{"ENOSPC", ENOSPC}, {"EIO", EIO},
                                             {"EINTR", EINTR},   {"EAGAIN", EAGAIN},
                                             {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}};

[[noreturn]] void run_traced(char** command) {
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const SystemCall& call : system_calls) {
    program.push_back(
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call.number), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    _exit(cannot_trace);
  }
  raise(SIGSTOP);  // until the tracer is ready
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(cannot_trace);
  execvp(command[0], command);
  std::perror(command[0]);
  _exit(127);
}

/// A traced thread that is about to make one of the system calls.
class Caller {
 public:
  explicit Caller(pid_t thread) : thread_(thread) {
    if (ptrace(PTRACE_GETREGS, thread_, 0, &registers_) != 0) return;
    const auto found = std::ranges::find(system_calls, static_cast<long>(registers_.orig_rax),
                                         &SystemCall::number);
    if (found != system_calls.end()) call_ = &*found;
  }

  const SystemCall* call() const { return call_; }

  /// The path, or what the descriptor is open on; nothing if there is no file.
  std::string file() const {
    if (call_->path >= 0) {
      std::string path = text_at(argument(call_->path));
      if (!path.empty() || call_->descriptor < 0) return path;
    }
    if (call_->descriptor < 0) return {};
    const auto descriptor = static_cast<int>(argument(call_->descriptor));
    if (descriptor < 0) return {};
    const std::string link =
        "/proc/" + std::to_string(thread_) + "/fd/" + std::to_string(descriptor);
    std::string name(4096, '\0');
    const ssize_t size = readlink(link.c_str(), name.data(), name.size());
    name.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return name;
  }

  bool adds_to_disk() const {
    const std::string_view name = call_->name;
    if (call_->descriptor == 0 && call_->path < 0 && argument(0) == STDERR_FILENO) return false;
    if (name == "openat")
      return (argument(2) & O_CREAT) != 0 || (argument(2) & O_TMPFILE) == O_TMPFILE;
    return name == "write" || name == "pwrite" || name == "writev" || name.starts_with("fsync") ||
           name.starts_with("fdata") || name.starts_with("link") || name.starts_with("mkdir") ||
           name.starts_with("rename") || name == "fallocate" || name == "ftruncate";
  }

  /// Whether it is a report of progress, which a command makes if it takes long: how many there are
  /// depends on what else the machine does.
  bool reports_progress() const {
    return std::string_view(call_->name) == "write" && argument(0) == STDERR_FILENO &&
           text_at(argument(1)).starts_with("progress: ");
  }

  /// The call is not made and returns this error.
  void fail(int error) {
    registers_.orig_rax = static_cast<unsigned long long>(-1);
    end_with(error);
  }
  /// After the call: its result becomes this error.
  void end_with(int error) {
    registers_.rax = static_cast<unsigned long long>(-static_cast<long long>(error));
    ptrace(PTRACE_SETREGS, thread_, 0, &registers_);
  }
  void shorten() {
    if (call_->role == Role::plain || call_->role == Role::closing) return;
    const auto least = static_cast<unsigned long long>(registers_.rdx > 0);
    registers_.rdx = std::max(least, call_->role == Role::vector ? 1 : registers_.rdx / 2);
    ptrace(PTRACE_SETREGS, thread_, 0, &registers_);
  }

 private:
  unsigned long long argument(int k) const {
    const unsigned long long values[] = {registers_.rdi, registers_.rsi, registers_.rdx,
                                         registers_.r10, registers_.r8,  registers_.r9};
    return values[k];
  }
  std::string text_at(unsigned long long address) const {
    std::string text;
    while (text.size() < 4096) {
      char bytes[256];
      const auto size = 256 - address % 256;  // never beyond a page, which may be the last
      iovec local{bytes, size};
      iovec remote{reinterpret_cast<void*>(address), size};
      const ssize_t count = process_vm_readv(thread_, &local, 1, &remote, 1, 0);
      if (count <= 0) break;
      const auto end = std::find(bytes, bytes + count, '\0');
      text.append(bytes, end);
      if (end != bytes + count) break;
      address += static_cast<unsigned long long>(count);
    }
    return text;
  }

  pid_t thread_;
  user_regs_struct registers_{};
  const SystemCall* call_ = nullptr;
};

/// What another program may do to a file while it is read.
void change(const std::string& file, bool grows) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (!grows) {
    if (truncate(file.c_str(), status.st_size / 2) != 0) std::perror(file.c_str());
    return;
  }
  std::string content(static_cast<std::size_t>(status.st_size), '\0');
  std::ifstream(file, std::ios::binary).read(content.data(), status.st_size);
  std::ofstream(file, std::ios::binary | std::ios::app) << content;
}

bool is_loaded_code(const std::string& file) {
  return file.starts_with("/lib") || file.starts_with("/usr/lib") ||
         file.starts_with("/etc/ld.so") || file.find(".so") != std::string::npos;
}

class Injection {
 public:
  explicit Injection(const Order& order) : order_(order), report_(order.report) {
    if (const auto error = errors.find(order.fault); error != errors.end()) error_ = error->second;
  }

  /// Follows the command to its end, and returns its exit code.
  int follow(pid_t command) {
    for (;;) {
      int status = 0;
      const pid_t thread = waitpid(-1, &status, __WALL);
      if (thread < 0) return ended_;
      if (!WIFSTOPPED(status)) {
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (thread == command) ended_ = code;
        continue;
      }
      step(thread, command, status);
    }
  }

 private:
  void step(pid_t thread, pid_t command, int status) {
    const int event = status >> 16;
    int signal = WSTOPSIG(status);
    auto how_on = PTRACE_CONT;
    if (event == PTRACE_EVENT_SECCOMP) {
      if (is_running_) how_on = take(thread, command);
    } else if (event == PTRACE_EVENT_EXEC) {
      is_running_ = true;
    } else if (signal == (SIGTRAP | 0x80)) {  // the end of a call
      Caller(thread).end_with(*error_);
    }
    if (event != 0 || signal == (SIGTRAP | 0x80)) signal = 0;
    if (signal == SIGSTOP) signal = 0;  // a new thread starts with one
    ptrace(how_on, thread, 0, signal);
  }

  __ptrace_request take(pid_t thread, pid_t command) {
    Caller caller(thread);
    if (caller.call() == nullptr) return PTRACE_CONT;
    const std::string file = caller.file();
    const bool waits = caller.call()->descriptor < 0 && caller.call()->path < 0;
    if ((file.empty() && !waits) || is_loaded_code(file)) return PTRACE_CONT;
    if (caller.reports_progress()) return PTRACE_CONT;
    ++count_;
    report_ << caller.call()->name << '\t' << (caller.adds_to_disk() ? "adds" : "-") << '\t' << file
            << '\n';
    if (order_.fault == "full") {
      if (count_ >= order_.at && caller.adds_to_disk()) caller.fail(ENOSPC);
      return PTRACE_CONT;
    }
    if (count_ != order_.at) return PTRACE_CONT;
    if (order_.fault == "kill") ::kill(command, SIGKILL);
    if (order_.fault == "short") caller.shorten();
    if (order_.fault == "shrink" || order_.fault == "grow") change(file, order_.fault == "grow");
    if (!error_) return PTRACE_CONT;
    if (caller.call()->role == Role::closing) return PTRACE_SYSCALL;
    caller.fail(*error_);
    return PTRACE_CONT;
  }

  Order order_;
  std::ofstream report_;
  std::optional<int> error_;
  bool is_running_ = false;
  long count_ = 0;
  int ended_ = 1;
};

int run(const Order& order, char** command) {
  const pid_t child = fork();
  if (child == 0) run_traced(command);
  int status = 0;
  if (waitpid(child, &status, __WALL) != child || !WIFSTOPPED(status)) return cannot_trace;
  const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE |
                       PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACESYSGOOD |
                       PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, child, 0, options) != 0) {
    kill(child, SIGKILL);
    return cannot_trace;
  }
  ptrace(PTRACE_CONT, child, 0, 0);
  return Injection(order).follow(child);
}

}  // namespace
}  // namespace shortfall::faults

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("usage: inject REPORT FAULT AT COMMAND [ARGUMENT...]\n", stderr);
    return 2;
  }
  return shortfall::faults::run({argv[1], argv[2], std::strtol(argv[3], nullptr, 10)}, argv + 4);
}
