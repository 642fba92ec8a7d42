#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/mdp/outcomes.hpp"

/// Simulated periods as transitions between states, for learners and statistics of one's own.
namespace shortfall::inventory {

/// The largest number of periods in a path.
inline constexpr std::size_t max_path = 1'000'000'000;

struct PathOptions {
  std::size_t periods = 60'000;
  /// The probability of a restart after each period, as in learn::Trajectory.
  double restart = 0.0;
  std::uint64_t seed = 1;
};

/// One entry per period. If there is no restart after period n, next[n] is state[n + 1].
struct SampledPath {
  std::vector<StateIndex> state;
  std::vector<double> cost;
  std::vector<StateIndex> next;
};

/// A path under the given orders. Starts and restarts are those of a training: on a random day,
/// with stock from an arbitrary delivery, so that restarts reach stock levels that the orders
/// avoid. The monitor is called with the number of finished periods, and the path is shorter than
/// asked for if stopped. Throws InvalidInput for orders that are not feasible,
/// for more than max_path periods and for a probability outside [0, 1).
SampledPath sample_path(const Model& model, const Policy& orders, const PathOptions& options = {},
                        const Execution& execution = {});

}  // namespace shortfall::inventory
