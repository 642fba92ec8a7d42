#pragma once

#include <cstddef>

/// Upper limits of this machine, measured by loops that do a single kind of work, compiled for its
/// widest vectors.
namespace shortfall::benchmarks {

/// The memory that one update of a learner reads and writes.
struct Footprint {
  const double* features;  ///< rows of length d; transition t uses rows t and t + 1
  std::size_t dimension;
  std::size_t transitions;
  double* written;            ///< read and written at every update: θ, or M
  std::size_t written_size;   ///< count of doubles; the memory is padded to a multiple of 8
  double* batched = nullptr;  ///< read and written at every sixteenth update: S
  std::size_t batched_size = 0;
};

struct MachineBound {
  /// About `count` independent multiplications, each followed by an addition; both are rounded.
  double (*multiply_adds)(std::size_t count);
  /// The same with fused multiply-adds.
  double (*fused_multiply_adds)(std::size_t count);
  /// Does the memory accesses of one update per transition and computes nothing.
  double (*touch)(const Footprint& footprint);
  /// `updates` of TD reduced to the operations that depend on each other: load and multiply θ,
  /// `additions` more, sum the lanes, evaluate the loss, then update and store one vector of θ. The
  /// next update cannot begin earlier, however wide the vectors are.
  double (*td_chain)(std::size_t updates, std::size_t additions);
};

const MachineBound& machine_bound();

}  // namespace shortfall::benchmarks
