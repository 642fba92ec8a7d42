#pragma once

#include <cstddef>

namespace shortfall::io {

/// How a large file is read. The result, errors included, does not depend on these options.
struct ReadOptions {
  int threads = 0;                                 ///< 0: all cores
  std::size_t chunk_bytes = std::size_t{1} << 20;  ///< parsed by one task at a time, at least 1
};

}  // namespace shortfall::io
