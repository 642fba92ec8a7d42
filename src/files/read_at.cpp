#include "files/read_at.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>

#include "files/open_input.hpp"
#include "files/transfer.hpp"
#include "parallel/threads.hpp"
#include "text/place.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;  // read by one task

}  // namespace

bool read_at(std::uint64_t offset, std::span<char> bytes, int descriptor, const std::string& name) {
  while (!bytes.empty()) {
    const long count =
        read_some_at(descriptor, bytes.data(), bytes.size(), static_cast<long>(offset));
    if (count < 0) reject_input(name, errno);
    if (count == 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

bool read_blocks_at(std::uint64_t offset, std::span<char> bytes, int descriptor,
                    const std::string& name) {
  const std::size_t blocks = (bytes.size() + block_bytes - 1) / block_bytes;
  std::atomic<bool> complete = true;
  detail::parallel_for(blocks, [&](std::size_t k) {
    const std::size_t begin = k * block_bytes;
    const auto block = bytes.subspan(begin, std::min(block_bytes, bytes.size() - begin));
    if (!read_at(offset + begin, block, descriptor, name)) complete = false;
  });
  return complete;
}

void reject_cut_short(const std::string& name, std::uint64_t size) {
  reject({.file = name}, fmt::format("it had {} bytes, and was truncated while it was read", size),
         "a file that is not being written");
}

}  // namespace shortfall::io
