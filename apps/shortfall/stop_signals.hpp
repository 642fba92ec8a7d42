#pragma once

#include <chrono>
#include <csignal>
#include <string_view>

namespace shortfall::app {

/// While an object of this class exists, SIGINT and SIGTERM do not end the program but are
/// recorded. At most one such object may exist. Delivered at once, SIGUSR1 is recorded, too: batch
/// systems send it before a time limit, and mpirun passes it on to all ranks.
class StopSignals {
 public:
  enum class Delivery {
    while_waiting,  ///< only inside wait(), so that none is lost before a wait
    at_once         ///< another one after half a second ends the program
  };
  explicit StopSignals(Delivery delivery);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Waits for input, a signal or the timeout. True if a read would not block: there are bytes, or
  /// the end of the input.
  bool wait(int descriptor, std::chrono::milliseconds timeout);

  /// The signal received: SIGINT, SIGTERM, SIGUSR1, or nothing.
  std::string_view caught() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  struct sigaction old_user_ {};
  sigset_t old_mask_{};
};

}  // namespace shortfall::app
