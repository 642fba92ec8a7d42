#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "parallel/communicator.hpp"
#include "parallel/threads.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::inventory {

struct ValueRange {
  double lowest = infinity;
  double highest = -infinity;

  void include(const ValueRange& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
};

/// The range of values that all processes have: each looks at its part. NaN is passed over, and
/// zeros lose their sign, since which of two is the largest may depend on the order of values.
inline ValueRange range_of(std::span<const double> values,
                           shortfall::detail::Communicator& communicator) {
  constexpr std::size_t values_per_task = 1 << 15;
  const std::size_t first = values.size() * communicator.rank() / communicator.size();
  const std::size_t last = values.size() * (communicator.rank() + 1) / communicator.size();
  const ValueRange here = shortfall::detail::parallel_reduce(
      last - first, values_per_task, ValueRange(),
      [part = values.subspan(first)](std::size_t begin, std::size_t end) {
        ValueRange range;
        for (const double v : part.subspan(begin, end - begin)) range.include({v, v});
        return range;
      },
      [](ValueRange& a, const ValueRange& b) { a.include(b); });
  std::array<double, 2> ends{-here.lowest, here.highest};
  communicator.max(ends);
  return {0.0 - ends[0], 0.0 + ends[1]};
}

}  // namespace shortfall::inventory
