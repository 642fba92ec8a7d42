#include "files/checksum.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "files/file_descriptor.hpp"
#include "parallel/threads.hpp"
#include "text/text.hpp"

namespace shortfall::io {

// Not zlib's, which gives the same number but takes several times as long as copying the bytes.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
  if (bytes.empty()) return before;  // a null pointer would mean a new start
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

namespace {

std::string_view text_of(std::span<const char> bytes) {
  return {bytes.data(), bytes.size()};
}

/// Block k of the array, whole, is read into `block`; false if it is not as it was written.
bool read_block(const CheckedArray& array, std::uint64_t k, std::span<char> block) {
  const std::uint64_t offset = array.offset + k * checked_block_bytes;
  return read_at(offset, block, array.descriptor, std::string(array.file)) &&
         checksum(text_of(block)) == array.checksums[static_cast<std::size_t>(k)];
}

}  // namespace

std::vector<std::uint32_t> block_checksums(std::span<const char> bytes) {
  std::vector<std::uint32_t> checksums(static_cast<std::size_t>(block_count(bytes.size())));
  detail::parallel_for_blocks(bytes.size(), checked_block_bytes,
                              [&](std::size_t first, std::size_t last) {
                                checksums[first / checked_block_bytes] =
                                    checksum(text_of(bytes.subspan(first, last - first)));
                              });
  return checksums;
}

void read_checked(const CheckedArray& array, std::uint64_t begin, std::span<char> target) {
  if (target.empty()) return;
  const std::uint64_t end = begin + target.size();
  const std::uint64_t first_block = begin / checked_block_bytes;
  const auto blocks = static_cast<std::size_t>(block_count(end) - first_block);
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> wrong(blocks, none);
  detail::parallel_for(blocks, [&](std::size_t i) {
    const std::uint64_t k = first_block + i;
    const std::uint64_t block_begin = k * checked_block_bytes;
    const std::uint64_t block_end = std::min(block_begin + checked_block_bytes, array.bytes);
    const auto size = static_cast<std::size_t>(block_end - block_begin);
    if (block_begin >= begin && block_end <= end) {
      const auto position = static_cast<std::size_t>(block_begin - begin);
      if (!read_block(array, k, target.subspan(position, size))) wrong[i] = k;
      return;
    }
    // Only a part of this block is asked for, but its checksum is that of the whole.
    const auto block = std::make_unique_for_overwrite<char[]>(size);
    if (!read_block(array, k, {block.get(), size})) wrong[i] = k;
    const std::uint64_t from = std::max(begin, block_begin);
    const std::uint64_t to = std::min(end, block_end);
    std::memcpy(target.data() + (from - begin), block.get() + (from - block_begin), to - from);
  });
  const std::uint64_t k = *std::ranges::min_element(wrong);
  if (k == none) return;
  const std::uint64_t offset = array.offset + k * checked_block_bytes;
  const std::uint64_t size =
      std::min<std::uint64_t>(checked_block_bytes, array.bytes - k * checked_block_bytes);
  reject({.file = array.file},
         fmt::format("bytes {} to {} do not match their checksum", offset, offset + size - 1),
         "a file as it was written, which does not change");
}

}  // namespace shortfall::io
