#pragma once

#include <string>

#include "apps/shortfall/stopwatch.hpp"

namespace shortfall::app {

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

}  // namespace shortfall::app
