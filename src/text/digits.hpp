#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

/// Decimal digits in text, many at a time, without a branch for each.
namespace shortfall::io {

/// The number that characters of a text form. Check: "1234,567" and 4 have value() 1234.
class EightDigits {
 public:
  /// The first `count` characters, at most eight; text[0] to text[7] are read, whatever they are.
  explicit EightDigits(const char* text, unsigned count = 8) {
    std::memcpy(&bytes_, text, sizeof bytes_);
    if constexpr (std::endian::native == std::endian::big) bytes_ = __builtin_bswap64(bytes_);
    bytes_ ^= 0x3030303030303030;           // digits become 0 to 9
    const unsigned half = 4 * (8 - count);  // in two steps: 64 bits is too far for one
    bytes_ = (bytes_ << half) << half;      // zeros before the digits
  }

  /// 0 if all characters are digits. Otherwise the lowest bit set is the top bit of the first byte
  /// that is none: a carry can only reach bytes after it.
  std::uint64_t others() const {
    return (bytes_ | (bytes_ + 0x7676767676767676)) & 0x8080808080808080;
  }

  /// The number, if all characters are digits; 0 if there are none.
  std::uint64_t value() const {
    const std::uint64_t pairs = 10 * bytes_ + (bytes_ >> 8);               // in every other byte
    return ((pairs & 0x000000FF000000FF) * 0x000F424000000064 +            // 100 + (1000000 << 32)
            ((pairs >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>  // 1 + (10000 << 32)
           32;
  }

 private:
  std::uint64_t bytes_ = 0;
};

/// The number that up to 16 characters of a text form, followed by zeros if they are fewer: digits
/// after a point. Check: "25,00000" and 2 have value() 25 · 10^14.
class SixteenDigits {
 public:
  /// The first `count` characters; text[0] to text[15] are read, whatever they are.
  SixteenDigits(const char* text, unsigned count) {
    static constexpr auto kept = [] {  // 16 bytes of ones, then of zeros
      std::array<std::uint8_t, 32> result{};
      for (std::size_t i = 0; i < 16; ++i) result[i] = 0xFF;
      return result;
    }();
    const std::uint8_t* const mask = kept.data() + 16 - count;
#ifdef __SSE2__
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    const __m128i digits = _mm_and_si128(_mm_xor_si128(bytes, _mm_set1_epi8('0')),
                                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask)));
    // What is not 0 to 9, as unsigned bytes, is above 0 after subtracting 9 with saturation.
    others_ = static_cast<unsigned>(_mm_movemask_epi8(
                  _mm_cmpeq_epi8(_mm_subs_epu8(digits, _mm_set1_epi8(9)), _mm_setzero_si128()))) ^
              0xFFFF;
    const __m128i tens =
        _mm_mullo_epi16(_mm_and_si128(digits, _mm_set1_epi16(0xFF)), _mm_set1_epi16(10));
    const __m128i twos = _mm_add_epi16(tens, _mm_srli_epi16(digits, 8));
    const __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(1 << 16 | 100));
    const __m128i eights =
        _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
    const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
    value_ = (both & 0xFFFFFFFF) * 100000000 + (both >> 32);
#else
    std::array<char, 16> digits{};
    for (std::size_t i = 0; i < 16; ++i) {
      digits[i] = static_cast<char>(((text[i] ^ '0') & mask[i]) ^ '0');
    }
    const EightDigits first(digits.data());
    const EightDigits second(digits.data() + 8);
    others_ = first.others() | second.others();
    value_ = first.value() * 100000000 + second.value();
#endif
  }

  std::uint64_t others() const {
    return others_;
  }  ///< 0 if all characters are digits
  std::uint64_t value() const {
    return value_;
  }  ///< the number, if they are

 private:
  std::uint64_t others_ = 0;
  std::uint64_t value_ = 0;
};

}  // namespace shortfall::io
