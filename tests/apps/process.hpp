#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace shortfall::testing {

/// The command as a separate process, which can be fed through a pipe and killed.
class Process {
 public:
  enum class Input { none, pipe };

  /// Starts `shortfall ARGUMENTS` with standard output and error redirected to files.
  Process(const std::vector<std::string>& arguments, Input input, const std::string& out,
          const std::string& err);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void feed(std::string_view bytes) const;  ///< into its pipe
  void end_input();
  /// Waits until the process catches signals, has read all that it was fed, and waits for more.
  void wait_until_idle() const;
  void wait_until_it_catches_signals() const;
  void signal(int number) const;
  /// Waits for the process to end. Returns its exit code, or minus the signal that killed it.
  int wait();
  long peak_kilobytes() const { return peak_kilobytes_; }  ///< resident set, after wait()

 private:
  struct State {
    bool sleeps = false;
    bool has_ended = false;
    bool catches_signals = false;
  };
  State state() const;

  pid_t process_ = -1;
  int input_ = -1;
  long peak_kilobytes_ = 0;
};

}  // namespace shortfall::testing
