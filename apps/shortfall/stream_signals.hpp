#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <string_view>

namespace shortfall::app {

/// Signals to a run over a stream. While an object of this class exists, they do not end the
/// program but are recorded, and only inside wait(), so that none is lost before a wait. At most
/// one such object may exist.
///
///   SIGINT, SIGTERM, SIGUSR2  ask to stop
///   SIGUSR1                   asks for a report and a checkpoint
///   SIGHUP                    asks to reopen the files that grow, or to stop if there are none
class StreamSignals {
 public:
  enum class HangUp { reopens, stops };

  explicit StreamSignals(HangUp hang_up);
  ~StreamSignals();
  StreamSignals(const StreamSignals&) = delete;
  StreamSignals& operator=(const StreamSignals&) = delete;

  /// Waits for input, a signal or the timeout. True if a read would not block: there are bytes, or
  /// the end of the input.
  bool wait(int descriptor, std::chrono::milliseconds timeout);

  /// The signal that asks to stop, or nothing.
  std::string_view stopped_by() const;
  /// Whether it was asked for since the last call.
  bool take_report();
  bool take_reopening();

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGUSR2, SIGUSR1, SIGHUP};

  std::array<struct sigaction, signals.size()> old_{};
  sigset_t old_mask_{};
};

}  // namespace shortfall::app
