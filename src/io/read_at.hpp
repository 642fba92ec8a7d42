#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace shortfall::io {

/// Fills `bytes` with those of the open file from `offset` on, wherever it stands. False where the
/// file ends before. Throws InvalidInput, with `name` for the file, where it cannot be read.
[[nodiscard]] bool read_at(std::uint64_t offset, std::span<char> bytes, int descriptor,
                           const std::string& name);

/// The same for many bytes, in parallel.
[[nodiscard]] bool read_blocks_at(std::uint64_t offset, std::span<char> bytes, int descriptor,
                                  const std::string& name);

/// Throws InvalidInput: the file had `size` bytes when it was opened, and has them no more.
[[noreturn]] void reject_cut_short(const std::string& name, std::uint64_t size);

}  // namespace shortfall::io
