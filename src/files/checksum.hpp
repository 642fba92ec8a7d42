#pragma once

#include <cstdint>
#include <string_view>

namespace shortfall::io {

/// The CRC-32 of `bytes`, continued from `before`, the CRC-32 of the bytes before them.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

}  // namespace shortfall::io
