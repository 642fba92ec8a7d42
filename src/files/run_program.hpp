#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shortfall/monitor.hpp"

namespace shortfall::io {

/// How a program ended, and what it wrote.
struct ProgramOutcome {
  enum class End {
    exited,       ///< `code` is its exit code
    killed,       ///< by the signal `code`
    not_started,  ///< because of the error `code` of the system, such as ENOENT
    stopped       ///< by the monitor
  };
  End end = End::not_started;
  int code = 0;
  std::string out;
  std::string err;  ///< its first 4096 bytes

  bool is_success() const { return end == End::exited && code == 0; }
  /// "exit code 3", "killed by signal 9", "No such file or directory" or "stopped".
  std::string reason() const;
};

/// Runs the program `words[0]`, which is searched in PATH, with the other words as its arguments
/// and `input` as its standard input, and waits for its end. It may read and write in any order,
/// and need not read everything. The monitor is called at least ten times a second; if it asks to
/// stop or throws, the program is killed. The three standard streams of this process must be open.
/// Throws std::system_error if there are no pipes to be had.
ProgramOutcome run_program(const std::vector<std::string>& words, std::string_view input,
                           const Monitor& monitor = {});

}  // namespace shortfall::io
