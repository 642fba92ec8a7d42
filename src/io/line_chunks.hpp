#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <string_view>
#include <vector>

#include "shortfall/io/csv.hpp"

namespace shortfall::io {

/// Whole lines of a file's body, parsed by one task.
struct LineChunk {
  std::string_view text;
  std::size_t first_row = 0;
  std::size_t rows = 0;
};

/// Cuts `body` after line ends, about every `chunk_bytes`, and counts the lines. A body that has a
/// line over `longest_line`, or more lines than rows of `shortest_row` bytes (line end included)
/// could be, is cut short behind the fault: what remains still fails, without reading the rest.
/// Runs on the calling thread's arena.
std::vector<LineChunk> line_chunks(std::string_view body, std::size_t chunk_bytes,
                                   std::size_t shortest_row);

inline std::size_t row_count(const std::vector<LineChunk>& chunks) {
  return chunks.empty() ? 0 : chunks.back().first_row + chunks.back().rows;
}

/// Calls parse(chunk) for all chunks in parallel on the calling thread's arena. What it throws is
/// rethrown; where several throw, the first in the order of the file, whatever ran first.
template <class Parse>
void for_each_chunk(const std::vector<LineChunk>& chunks, const Parse& parse) {
  std::vector<std::exception_ptr> errors(chunks.size());
  std::atomic<std::size_t> first_failed = chunks.size();
  tbb::parallel_for(std::size_t{0}, chunks.size(), [&](std::size_t k) {
    if (k > first_failed) return;
    try {
      parse(chunks[k]);
    } catch (...) {
      errors[k] = std::current_exception();
      std::size_t first = first_failed;
      while (k < first && !first_failed.compare_exchange_weak(first, k)) {
      }
    }
  });
  if (first_failed < chunks.size()) std::rethrow_exception(errors[first_failed]);
}

inline tbb::task_arena arena_of(int threads) {
  return tbb::task_arena(threads > 0 ? threads : tbb::task_arena::automatic);
}

}  // namespace shortfall::io
