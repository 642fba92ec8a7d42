#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "benchmarks/child_process.hpp"
#include "benchmarks/side_by_side.hpp"
#include "benchmarks/transition_ring.hpp"

namespace shortfall::benchmarks {

/// numpy_learners.py in another process: idle unless it is its turn.
class PythonLearners {
 public:
  PythonLearners();

  /// Resets all learners and loads a ring; Newton warms up for `warmup` samples.
  void take(const TransitionRing& ring, std::size_t warmup);
  /// θ after `updates` more updates of td or newton with numpy or numba.
  std::vector<double> learn(const std::string& algorithm, const std::string& library,
                            std::size_t updates);
  /// A contestant whose run consists of `updates` updates.
  Contestant contestant(const std::string& algorithm, const std::string& library,
                        std::size_t updates);

 private:
  ChildProcess process_;
};

}  // namespace shortfall::benchmarks
