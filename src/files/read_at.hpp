#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace shortfall::io {

/// Fills `bytes` from `offset` of the open file, whose position does not change. False if the file
/// ends before. Throws InvalidInput, with `name` for the file, if it cannot be read.
[[nodiscard]] bool read_at(std::uint64_t offset, std::span<char> bytes, int descriptor,
                           const std::string& name);

/// The same in parallel, for many bytes.
[[nodiscard]] bool read_blocks_at(std::uint64_t offset, std::span<char> bytes, int descriptor,
                                  const std::string& name);

/// Throws InvalidInput: the file had `size` bytes when it was opened, and is shorter now.
[[noreturn]] void reject_cut_short(const std::string& name, std::uint64_t size);

}  // namespace shortfall::io
