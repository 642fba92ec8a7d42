#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "child_process.hpp"
#include "side_by_side.hpp"
#include "transition_ring.hpp"

namespace shortfall::benchmarks {

/// numpy_learners.py at work in another process: silent unless it is its turn.
class PythonLearners {
 public:
  PythonLearners();

  /// Begins anew on a ring; Newton warms up for that many samples.
  void take(const TransitionRing& ring, std::size_t warmup);
  /// θ after another `updates` of td or newton with numpy or numba.
  std::vector<double> learn(const std::string& algorithm, const std::string& library,
                            std::size_t updates);
  /// A contestant of which one run is so many updates.
  Contestant contestant(const std::string& algorithm, const std::string& library,
                        std::size_t updates);

 private:
  ChildProcess process_;
};

}  // namespace shortfall::benchmarks
