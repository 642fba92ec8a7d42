#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Long arrays in a file, in blocks with a checksum each. A part of an array can be read and
/// checked without the rest, blocks are read in parallel, and a change of the file while it is read
/// shows as a wrong checksum. Files are not mapped: if a mapped file is truncated, access to the
/// missing part kills the program.
namespace shortfall::io {

/// The CRC-32 of `bytes`, continued from `before`, the CRC-32 of the bytes before them.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

inline constexpr std::size_t checked_block_bytes = std::size_t{256} << 10;

/// The number of blocks of an array, the last of which may be shorter.
constexpr std::uint64_t block_count(std::uint64_t bytes) {
  return (bytes + checked_block_bytes - 1) / checked_block_bytes;
}

/// The CRC-32 of each block.
std::vector<std::uint32_t> block_checksums(std::span<const char> bytes);

/// An array in an open file, which has `bytes` bytes from `offset` on.
struct CheckedArray {
  int descriptor;
  std::string_view file;  ///< its name, for messages
  std::uint64_t offset;
  std::uint64_t bytes;
  std::span<const std::uint32_t> checksums;
};

/// Fills `target` with the bytes from position `begin` of the array on. Throws InvalidInput, which
/// names the file and the first block that differs, if a block is not as it was written.
void read_checked(const CheckedArray& array, std::uint64_t begin, std::span<char> target);

}  // namespace shortfall::io
