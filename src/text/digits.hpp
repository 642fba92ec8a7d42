#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

/// Decimal digits in text, eight at a time, without a branch for each.
namespace shortfall::io {

/// The first eight characters of a text, of which `count` are digits before any other character.
/// Check: "1234,567" has count 4 and value() 1234; ",1234567" has count 0 and value() 0.
class EightDigits {
 public:
  /// Reads text[0] to text[7], whatever they are.
  explicit EightDigits(const char* text) {
    std::memcpy(&bytes_, text, sizeof bytes_);
    if constexpr (std::endian::native == std::endian::big) bytes_ = __builtin_bswap64(bytes_);
    bytes_ ^= 0x3030303030303030;  // digits become 0 to 9
    // The first byte above 9 gets its top bit; a carry can only reach bytes after it.
    const std::uint64_t others = (bytes_ | (bytes_ + 0x7676767676767676)) & 0x8080808080808080;
    count = static_cast<unsigned>(std::countr_zero(others)) / 8;
  }

  /// The number that these digits form.
  std::uint32_t value() const {
    const unsigned half = 4 * (8 - count);       // in two steps: 64 bits is too far for one
    std::uint64_t v = (bytes_ << half) << half;  // zeros before the digits
    v = 10 * v + (v >> 8);                       // numbers of two digits, in every other byte
    v = (v & 0x000000FF000000FF) * 0x000F424000000064 +         // 100 + (1000000 << 32)
        ((v >> 16) & 0x000000FF000000FF) * 0x0000271000000001;  // 1 + (10000 << 32)
    return static_cast<std::uint32_t>(v >> 32);
  }

  unsigned count;

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace shortfall::io
