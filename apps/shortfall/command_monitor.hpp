#pragma once

#include <csignal>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "apps/shortfall/processes.hpp"
#include "apps/shortfall/progress.hpp"
#include "shortfall/monitor/monitor.hpp"

namespace shortfall::app {

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
