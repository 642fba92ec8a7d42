#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "apps/shortfall/progress_line.hpp"
#include "apps/shortfall/stop_signals.hpp"
#include "shortfall/monitor.hpp"

namespace shortfall::app {

/// A command was stopped before it had anything to print.
struct Stopped : std::runtime_error {
  explicit Stopped(const std::string& advice = {})
      : std::runtime_error("stopped by a signal" + advice) {}
};

/// Watches the computations of a command: shows their progress, and stops them on SIGINT and
/// SIGTERM. Another signal after half a second ends the program.
class CommandMonitor {
 public:
  /// A monitor, which must not outlive this object. A `name` is put before the activity.
  Monitor monitor(std::string name = {}) {
    return [this, name = std::move(name)](const Progress& progress) {
      if (line_.due())
        line_.show(name.empty() ? progress.to_string() : name + ": " + progress.to_string());
      return signals_.caught().empty() ? Request::proceed : Request::stop;
    };
  }

  ProgressLine& line() { return line_; }
  bool is_stopped() const { return !signals_.caught().empty(); }
  /// Throws Stopped if a signal arrived.
  void check() const {
    if (is_stopped()) throw Stopped();
  }

 private:
  ProgressLine line_;
  StopSignals signals_{StopSignals::Delivery::at_once};
};

}  // namespace shortfall::app
