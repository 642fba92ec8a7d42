#pragma once

#include <chrono>
#include <string_view>

namespace shortfall::app {

/// Progress on standard error, from two seconds after construction on: on a terminal one line that
/// changes and that the destructor erases, elsewhere a line after 2, 4, 8, .. seconds, and later
/// every ten minutes.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool due() const { return Clock::now() >= next_; }  ///< whether a new text would be shown now
  void show(std::string_view text);
  /// Prints a permanent line above the progress line.
  void log(std::string_view line);

 private:
  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::seconds(2);
};

}  // namespace shortfall::app
