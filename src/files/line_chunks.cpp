#include "files/line_chunks.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "parallel/threads.hpp"

namespace shortfall::io {
namespace {

std::vector<LineChunk> cut(std::string_view body, std::size_t chunk_bytes) {
  std::vector<LineChunk> chunks;
  while (!body.empty()) {
    std::size_t length = body.size();
    if (chunk_bytes < length) {
      const std::size_t last = chunk_bytes - 1;
      const std::size_t line_end = body.substr(last, longest_line + 1).find('\n');
      const bool found = line_end != std::string_view::npos;
      length = std::min(length, last + (found ? line_end : longest_line) + 1);
      chunks.push_back({.text = body.substr(0, length)});
      if (!found) break;
    } else {
      chunks.push_back({.text = body});
    }
    body.remove_prefix(length);
  }
  return chunks;
}

/// Counts in bytes, which the compiler adds sixteen at a time, over blocks so short that they do
/// not overflow.
std::size_t count_line_ends(std::string_view text) {
  constexpr std::size_t block = 192;
  std::size_t ends = 0;
  for (; text.size() >= block; text.remove_prefix(block)) {
    std::uint8_t in_block = 0;
    for (std::size_t i = 0; i < block; ++i) {
      in_block = static_cast<std::uint8_t>(in_block + (text[i] == '\n' ? 1 : 0));
    }
    ends += in_block;
  }
  return ends + static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::size_t count_lines(std::string_view text) {
  return count_line_ends(text) + (text.ends_with('\n') ? 0 : 1);
}

}  // namespace

std::vector<LineChunk> line_chunks(std::string_view body, std::size_t chunk_bytes,
                                   std::size_t shortest_row, std::size_t first_row) {
  std::vector<LineChunk> chunks = cut(body, std::max<std::size_t>(chunk_bytes, 1));
  detail::parallel_for(chunks.size(),
                       [&](std::size_t k) { chunks[k].rows = count_lines(chunks[k].text); });
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    chunks[k].first_row = first_row;
    first_row += chunks[k].rows;
    // The last line may lack its end, hence the one byte.
    if (chunks[k].rows * shortest_row > chunks[k].text.size() + 1) chunks.resize(k + 1);
  }
  return chunks;
}

void for_each_chunk(const std::vector<LineChunk>& chunks,
                    const std::function<void(const LineChunk&)>& parse) {
  std::vector<std::exception_ptr> errors(chunks.size());
  std::atomic<std::size_t> first_failed = chunks.size();
  detail::parallel_for(chunks.size(), [&](std::size_t k) {
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

}  // namespace shortfall::io
