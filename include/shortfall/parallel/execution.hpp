#pragma once

#include "shortfall/monitor/monitor.hpp"

namespace shortfall {
namespace detail {
class Communicator;
class Partition;
}  // namespace detail

/// Threads, processes and monitor of a computation. Results do not depend on it, bit for bit,
/// unless the monitor asks to stop.
struct Execution {
  int threads = 0;       ///< 0: all cores
  Monitor monitor = {};  ///< each function says what it reports
  /// The processes that compute the result together, all of them with the same arguments. Null:
  /// this one alone.
  detail::Communicator* processes = nullptr;
  /// Which states of an explicit model are those of which process. Then the rows, values and
  /// policies that a solver of dp gets and returns are those of its own states. Null: all are here.
  const detail::Partition* division = nullptr;
};

}  // namespace shortfall
