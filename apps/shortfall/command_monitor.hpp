#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "apps/shortfall/processes.hpp"
#include "shortfall/monitor/monitor.hpp"

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

/// While an object of this class exists, SIGINT, SIGTERM and SIGUSR1 do not end the program but are
/// recorded; another one after half a second ends it. Batch systems send SIGUSR1 before a time
/// limit, and mpirun passes it on to all ranks. At most one such object may exist. For streams
/// there are StreamSignals.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The signal received: SIGINT, SIGTERM, SIGUSR1, or nothing.
  std::string_view caught() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  struct sigaction old_user_ {};
};

/// A command was stopped before it had anything to print.
struct Stopped : std::runtime_error {
  explicit Stopped(const std::string& advice = {})
      : std::runtime_error("stopped by a signal" + advice) {}
};

/// Watches the computations of a command: shows their progress, and stops them on SIGINT,
/// SIGTERM and SIGUSR1. Another signal after half a second ends the program. With several
/// processes, the first shows progress, and a signal to any of them counts.
class CommandMonitor {
 public:
  explicit CommandMonitor(Processes processes = {}) : processes_(processes) {}

  /// A monitor, which must not outlive this object. A `name` is put before the activity.
  Monitor monitor(std::string name = {}) {
    return [this, name = std::move(name)](const Progress& progress) {
      if (processes_.is_first() && line_.due())
        line_.show(name.empty() ? progress.to_string() : name + ": " + progress.to_string());
      return signals_.caught().empty() ? Request::proceed : Request::stop;
    };
  }

  ProgressLine& line() { return line_; }
  /// Whether a signal arrived, on any of the processes, all of which must ask.
  bool is_stopped() const { return processes_.any(!signals_.caught().empty()); }
  /// Throws Stopped if so.
  void check() const {
    if (is_stopped()) throw Stopped();
  }

 private:
  Processes processes_;
  ProgressLine line_;
  StopSignals signals_;
};

}  // namespace shortfall::app
