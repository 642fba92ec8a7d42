#pragma once

#include <chrono>
#include <functional>
#include <string_view>

namespace shortfall::app {

/// Progress on standard error, from two seconds after construction on: on a terminal one line that
/// changes and that the destructor erases, elsewhere a line after 2, 4, 8, 16 and 32 seconds, and
/// then every 30 seconds.
class ProgressLine {
 public:
  /// Prints a line, instead of the default "progress: TEXT" on standard error.
  using PrintLine = std::function<void(std::string_view)>;

  /// With `print_line`, a terminal is treated like a file.
  explicit ProgressLine(PrintLine print_line = {});
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool due() const { return Clock::now() >= next_; }  ///< whether a new text would be shown now
  void show(std::string_view text);
  /// Prints a permanent line above the progress line.
  void log(std::string_view line);

 private:
  using Clock = std::chrono::steady_clock;
  PrintLine print_line_;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::seconds(2);
};

}  // namespace shortfall::app
