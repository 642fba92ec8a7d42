#pragma once

#include <tbb/info.h>

#include <algorithm>

namespace shortfall::detail {

/// The number of threads for a request, where 0 means all cores. It never exceeds the number of
/// cores, about which oneTBB would print a warning.
inline int worker_threads(int requested) {
  const int cores = tbb::info::default_concurrency();
  return requested > 0 ? std::min(requested, cores) : cores;
}

}  // namespace shortfall::detail
