#pragma once

#include <string>

#include "stopwatch.hpp"

namespace shortfall::app {

/// How much longer work takes of which one knows how long it took elsewhere: at the pace so far.
/// All arguments are in the seconds that it took there.
class TimeLeft {
 public:
  void add_work(double seconds) { all_ += seconds; }

  /// A task is over; `done` of it by this run, `skipped` before.
  void finish(double done, double skipped) {
    done_ += done;
    skipped_ += skipped;
  }

  /// With a task in the middle: "43 %, 5 min left".
  std::string text(double done, double skipped) const;

 private:
  Stopwatch stopwatch_;
  double all_ = 0.0;
  double done_ = 0.0;
  double skipped_ = 0.0;
};

}  // namespace shortfall::app
