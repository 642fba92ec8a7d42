#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "shortfall/numbers/infinity.hpp"

/// How a long computation reports its progress, and how it is asked to stop.
namespace shortfall {

/// What is not known keeps its default.
struct Progress {
  std::string_view activity = {};  ///< "solving", "simulating", ..; valid during the call
  std::uint64_t done = 0;          ///< completed steps: iterations, stages, replications
  std::uint64_t total = 0;         ///< number of steps; 0: not known in advance
  double fraction = 0.0;           ///< share of the current step, or of a sweep in it
  double error_bound = infinity;   ///< certified, of the values found so far

  /// "solving: 3 iterations, within 0.01, 40 % of a sweep" or "simulating: 300 of 1000". An
  /// iteration may take several sweeps, so that the percentage begins again.
  std::string to_string() const;
};

/// What the computation should do.
enum class Request { proceed, stop };

/// Called from time to time, from any thread but one call at a time. It should return quickly.
/// After a request to stop there are no more calls, and the computation returns what it has. An
/// exception ends the computation and is rethrown.
using Monitor = std::function<Request(const Progress&)>;

/// A monitor that puts "NAME: " before the activity, and calls `monitor`, which it copies.
Monitor with_prefix(Monitor monitor, std::string name);

}  // namespace shortfall
