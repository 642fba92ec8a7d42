#pragma once

#include <string>

#include "apps/shortfall/stopwatch.hpp"

namespace shortfall::app {

/// Estimates the time left from reference durations of the tasks and the pace of this run. All
/// arguments are in reference seconds.
class TimeLeft {
 public:
  void add_work(double seconds) { all_ += seconds; }

  /// A task has ended: this run did `done` of it, an earlier one `skipped`.
  void finish(double done, double skipped) {
    done_ += done;
    skipped_ += skipped;
  }

  /// In the middle of a task: "43 %, 5 min left".
  std::string text(double done, double skipped) const;

 private:
  Stopwatch stopwatch_;
  double all_ = 0.0;
  double done_ = 0.0;
  double skipped_ = 0.0;
};

}  // namespace shortfall::app
