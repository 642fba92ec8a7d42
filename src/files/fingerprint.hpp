#pragma once

#include <cstdint>
#include <string>

namespace shortfall::io {

/// CRC-32 of the first and then the last (up to) 4096 of the bytes before `offset` in a regular
/// file, whose position does not change. Throws InvalidInput, with `name` for the file, if the file
/// is shorter than `offset` or cannot be read.
std::uint32_t fingerprint_before(std::uint64_t offset, int descriptor, const std::string& name);

}  // namespace shortfall::io
