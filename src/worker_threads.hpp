#pragma once

#include <tbb/info.h>

#include <algorithm>

namespace shortfall::detail {

/// The number of threads to use where `requested` were asked for, 0 meaning all: never more than
/// there are cores, of which oneTBB would complain on standard error.
inline int worker_threads(int requested) {
  const int cores = tbb::info::default_concurrency();
  return requested > 0 ? std::min(requested, cores) : cores;
}

}  // namespace shortfall::detail
