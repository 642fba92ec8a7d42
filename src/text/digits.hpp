#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

/// Decimal digits in text, eight at a time, without a branch for each.
namespace shortfall::io {

/// The first eight characters of a text. Check: "1234,567" has count() 4, and value(4) is 1234.
class EightDigits {
 public:
  /// Reads text[0] to text[7], whatever they are.
  explicit EightDigits(const char* text) {
    std::memcpy(&bytes_, text, sizeof bytes_);
    if constexpr (std::endian::native == std::endian::big) bytes_ = __builtin_bswap64(bytes_);
    bytes_ ^= 0x3030303030303030;  // digits become 0 to 9
  }

  /// Whether all eight are digits.
  bool all() const { return others() == 0; }

  /// Number of digits before the first other character.
  unsigned count() const {
    // The bit at the end is for eight digits: counting the zeros of 0 would be a case of its own.
    const std::uint64_t stops = others() >> 1 | std::uint64_t{1} << 63;
    return static_cast<unsigned>(std::countr_zero(stops) + 1) / 8;
  }

  /// The number that the first `count` characters form, all of them digits; 0 if there are none.
  std::uint64_t value(unsigned count) const {
    const unsigned half = 4 * (8 - count);      // in two steps: 64 bits is too far for one
    return value_of((bytes_ << half) << half);  // zeros before the digits
  }

  /// The number that all eight form.
  std::uint64_t value() const { return value_of(bytes_); }

 private:
  /// The top bit of each byte that is no digit, up to the first of them; a carry can only reach
  /// bytes after it.
  std::uint64_t others() const {
    return (bytes_ | (bytes_ + 0x7676767676767676)) & 0x8080808080808080;
  }

  static std::uint64_t value_of(std::uint64_t v) {
    v = 10 * v + (v >> 8);  // numbers of two digits, in every other byte
    return ((v & 0x000000FF000000FF) * 0x000F424000000064 +            // 100 + (1000000 << 32)
            ((v >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>  // 1 + (10000 << 32)
           32;
  }

  std::uint64_t bytes_ = 0;
};

}  // namespace shortfall::io
