#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "text/csv.hpp"

namespace shortfall::io {

/// Complete lines of a file's body, parsed by one task.
struct LineChunk {
  std::string_view text;
  std::size_t first_row = 0;
  std::size_t rows = 0;
};

/// Splits `body` after line ends, about every `chunk_bytes`, and counts the lines. A body with a
/// line over `longest_line`, or with more lines than rows of at least `shortest_row` bytes (line
/// end included) allow, is truncated after the fault: parsing still fails there, without reading
/// the rest. `first_row` is the number of the first line.
std::vector<LineChunk> line_chunks(std::string_view body, std::size_t chunk_bytes,
                                   std::size_t shortest_row, std::size_t first_row = 0);

inline std::size_t row_count(const std::vector<LineChunk>& chunks) {
  return chunks.empty() ? 0 : chunks.back().first_row + chunks.back().rows;
}

/// Calls parse(chunk) for all chunks in parallel. Rethrows the exception of the first chunk in the
/// file that failed, whatever ran first.
void for_each_chunk(const std::vector<LineChunk>& chunks,
                    const std::function<void(const LineChunk&)>& parse);

}  // namespace shortfall::io
