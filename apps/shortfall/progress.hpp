#pragma once

#include <chrono>
#include <string_view>

namespace shortfall::app {

/// A progress line on standard error, shown from two seconds after construction on and only on a
/// terminal. The destructor erases it.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool due() const;  ///< whether a new text would be shown now
  void show(std::string_view text);
  /// Prints a permanent line above the progress line, also if standard error is no terminal.
  void log(std::string_view line);

 private:
  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace shortfall::app
