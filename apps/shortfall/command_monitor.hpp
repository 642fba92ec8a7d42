#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "apps/shortfall/processes.hpp"
#include "apps/shortfall/progress_line.hpp"
#include "apps/shortfall/stop_signals.hpp"
#include "shortfall/monitor.hpp"

namespace shortfall::app {

/// A command was stopped before it had anything to print.
struct Stopped : std::runtime_error {
  explicit Stopped(const std::string& advice = {})
      : std::runtime_error("stopped by a signal" + advice) {}
};

/// Watches the computations of a command: shows their progress, and stops them on SIGINT,
/// SIGTERM and SIGUSR1. Another signal after half a second ends the program. Of several processes
/// the first shows progress, and a signal to any of them counts.
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
  StopSignals signals_{StopSignals::Delivery::at_once};
};

}  // namespace shortfall::app
