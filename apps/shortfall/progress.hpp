#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace shortfall::app {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Estimates the time left from reference durations of the tasks and the pace of this run. All
/// arguments are in reference seconds.
class TimeLeft {
 public:
  void add_work(double seconds) { all_ += seconds; }
  void finish(double seconds) { done_ += seconds; }  ///< a task has ended

  /// In the middle of a task, of which this much is done: "43 %, 5 min left".
  std::string text(double done) const;

 private:
  Stopwatch stopwatch_;
  double all_ = 0.0;
  double done_ = 0.0;
};

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
