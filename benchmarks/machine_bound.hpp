#pragma once

#include <cstddef>

/// What this machine can do at best, measured: loops that do one thing and nothing else, compiled
/// for its widest vectors.
namespace shortfall::benchmarks {

/// The memory that an update of a learner has to touch.
struct Footprint {
  const double* features;  ///< rows of d, of which transition t has t and t + 1
  std::size_t dimension;
  std::size_t transitions;
  double* written;            ///< read and written at every update: θ, or M
  std::size_t written_size;   ///< in numbers; aligned memory up to a multiple of 8 is there
  double* batched = nullptr;  ///< read and written at every sixteenth: S
  std::size_t batched_size = 0;
};

struct MachineBound {
  /// About `count` independent multiplications, each with an addition; both are rounded.
  double (*multiply_adds)(std::size_t count);
  /// The same, fused.
  double (*fused_multiply_adds)(std::size_t count);
  /// Reads and writes what as many updates must as there are transitions, and computes nothing.
  double (*touch)(const Footprint& footprint);
  /// `updates` of TD stripped to the operations that wait for one another: θ is loaded and
  /// multiplied, `additions` follow, the lanes are summed, the loss is taken, and θ, one vector of
  /// it, is moved and stored. However wide the machine, the next update begins after that.
  double (*td_chain)(std::size_t updates, std::size_t additions);
};

const MachineBound& machine_bound();

}  // namespace shortfall::benchmarks
