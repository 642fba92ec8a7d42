#pragma once

#include <signal.h>

#include <chrono>
#include <string_view>

namespace shortfall::app {

/// While it lives, SIGINT and SIGTERM do not end the program but are noted, at the moments when it
/// waits. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Waits until there is something to read, a signal has come or the time is over. Whether a read
  /// would not wait: there are bytes, or the end.
  bool wait(int descriptor, std::chrono::milliseconds timeout);

  /// The signal that came: SIGINT, SIGTERM, or nothing.
  std::string_view caught() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  sigset_t old_mask_{};
};

}  // namespace shortfall::app
