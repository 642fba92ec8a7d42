#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/monitor.hpp"

namespace shortfall::io {

/// A program to run.
struct Program {
  std::vector<std::string> words;  ///< its name, which is searched in PATH, and its arguments
  std::string_view input = {};     ///< its standard input
  std::vector<std::string_view> unset = {};        ///< variables of the environment it does not get
  std::size_t most_output = std::size_t{1} << 28;  ///< bytes of standard output
};

/// How a program ended, and what it wrote.
struct ProgramOutcome {
  enum class End {
    exited,       ///< `code` is its exit code
    killed,       ///< by the signal `code`
    not_started,  ///< because of the error `code` of the system, such as ENOENT or EMFILE
    stopped,      ///< by the monitor
    too_much,     ///< killed, because it wrote more than Program::most_output
    unknown       ///< it ended, but this process ignores SIGCHLD, and so is not told how
  };
  End end = End::not_started;
  int code = 0;
  std::string out;
  std::string err;  ///< its first 4096 bytes

  bool is_success() const { return end == End::exited && code == 0; }
  /// "exit code 3", "killed by signal 9", "No such file or directory", "stopped" ..
  std::string reason() const;
};

/// Runs a program and waits for its end. It may read and write in any order, and need not read
/// everything. What it wrote until its end is returned; programs that it started and that go on are
/// not waited for. The monitor is called at least ten times a second; if it asks to stop or throws,
/// the program and what it started are killed. They form a process group, so that a terminal sends
/// them no signals. The three standard streams of this process must be open. Throws
/// std::system_error if the system fails once the program runs.
ProgramOutcome run_program(const Program& program, const Monitor& monitor = {});

}  // namespace shortfall::io
