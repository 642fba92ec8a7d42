// Two iterations of a parallel loop, each on a thread of its own, write the same variables. The
// thread sanitizer has to report it, or else it would not see a race in the loops of the library.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "parallel/threads.hpp"

int main() {
  std::vector<std::size_t> shared(1000);  // it may miss one of two accesses at the very same time
  std::atomic<int> arrived = 0;
  shortfall::detail::parallel_for(2, [&](std::size_t k) {
    // Relaxed, so that it orders nothing.
    arrived.fetch_add(1, std::memory_order_relaxed);
    while (arrived.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
    for (std::size_t& x : shared) x = k;
  });
  std::printf("wrote %zu\n", shared.front());
}
