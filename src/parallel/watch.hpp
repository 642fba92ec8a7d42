#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "parallel/communicator.hpp"
#include "shortfall/monitor/monitor.hpp"

namespace shortfall::detail {

/// Calls the monitor of a computation: one call at a time, and none after a request to stop.
///
/// Each rank of a computation has its own monitor, and a request on one of them stops all. They
/// agree about that in the calls that come from the thread that computes, which all ranks therefore
/// make at the same points. A request from another thread is known on its rank at once, which may
/// leave work undone, and on all ranks after the next of these calls: until then, is_stopped() must
/// not decide what ranks do together.
class Watch {
 public:
  Watch() = default;  ///< reports to nobody and is never stopped
  Watch(Monitor monitor, const Progress& start, Communicator& communicator = one_process())
      : monitor_(std::move(monitor)),
        communicator_(&communicator),
        progress_(start),
        done_(start.done) {}
  Watch(const Execution& execution, const Progress& start)
      : Watch(execution.monitor, start, ranks_of(execution)) {}

  bool is_stopped() const { return stopped_; }
  Communicator& communicator() const { return *communicator_; }

  /// From any thread: more steps are done, or a fraction of the current one. Not reported if
  /// another thread is reporting at that moment, except for the last step, which always is.
  void add_steps(std::uint64_t steps) {
    const bool is_last = (done_ += steps) == progress_.total;
    report(0.0, is_last ? IfBusy::wait : IfBusy::skip);
  }
  void set_fraction(double fraction) { report(fraction); }

  /// From the thread that computes: `done` steps are done, with this bound.
  void set_done(std::uint64_t done, double error_bound) {
    done_ = done;
    progress_.error_bound = error_bound;
    poll();
  }
  void poll() {  ///< nothing new
    report(0.0);
    agree();
  }
  void agree() {  ///< nothing to report
    if (communicator_->any(stopped_)) stopped_ = true;
  }

  /// For a part of the computation that has a monitor of its own: passes on requests to stop.
  Monitor for_part() {
    if (!monitor_ && communicator_->size() == 1) return {};
    return [this](const Progress&) {
      poll();
      return is_stopped() ? Request::stop : Request::proceed;
    };
  }

 private:
  enum class IfBusy { skip, wait };

  void report(double fraction, IfBusy if_busy = IfBusy::skip) {
    if (!monitor_) return;
    std::unique_lock lock(mutex_, std::defer_lock);
    if (if_busy == IfBusy::wait) lock.lock();
    if (!lock && !lock.try_lock()) return;
    if (stopped_) return;
    Progress progress = progress_;
    progress.done = done_;
    progress.fraction = fraction;
    if (monitor_(progress) == Request::stop) stopped_ = true;
  }

  Monitor monitor_;
  Communicator* communicator_ = &one_process();
  Progress progress_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> stopped_ = false;
};

/// A monitor for several computations in turn: after a request to stop, it answers stop without
/// calling `monitor` again.
inline Monitor keeping_stop(Monitor monitor) {
  if (!monitor) return {};
  auto stopped = std::make_shared<std::atomic<bool>>(false);
  return [monitor = std::move(monitor), stopped = std::move(stopped)](const Progress& progress) {
    if (!*stopped && monitor(progress) == Request::stop) *stopped = true;
    return *stopped ? Request::stop : Request::proceed;
  };
}

}  // namespace shortfall::detail
