#pragma once

#include <cstddef>
#include <functional>
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
/// `first_row` is the number of the first line.
std::vector<LineChunk> line_chunks(std::string_view body, std::size_t chunk_bytes,
                                   std::size_t shortest_row, std::size_t first_row = 0);

inline std::size_t row_count(const std::vector<LineChunk>& chunks) {
  return chunks.empty() ? 0 : chunks.back().first_row + chunks.back().rows;
}

/// Calls parse(chunk) for all chunks in parallel. What it throws is rethrown; where several throw,
/// the first in the order of the file, whatever ran first.
void for_each_chunk(const std::vector<LineChunk>& chunks,
                    const std::function<void(const LineChunk&)>& parse);

/// Calls work(), which runs in parallel on at most `threads` threads; 0: all cores.
void with_threads(int threads, const std::function<void()>& work);

}  // namespace shortfall::io
