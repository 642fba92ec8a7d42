#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "shortfall/inventory/kernel/solve.hpp"
#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::testing {

/// What `solver` finds on this many ranks, as the last of them has it: for tests that hold on any
/// number of ranks.
inline Solution on_ranks(std::size_t ranks,
                         const std::function<Solution(const Execution&)>& solver) {
  std::vector<Solution> found(ranks);
  run_ranks(ranks, [&](detail::Communicator& communicator) {
    found[communicator.rank()] = solver({.threads = 1, .processes = &communicator});
  });
  return found.back();
}

}  // namespace shortfall::testing
