#pragma once

#include <cstdint>
#include <string>

namespace shortfall::io {

/// CRC-32 of the first and then the last (up to) 4096 of the bytes before `offset` of the regular
/// file open as `descriptor`, whose own position does not move. Throws InvalidInput, which calls
/// the file `name`, where the file is shorter than `offset` or cannot be read.
std::uint32_t fingerprint_before(std::uint64_t offset, int descriptor, const std::string& name);

}  // namespace shortfall::io
