#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "text/digits.hpp"

/// Numbers as programs write them, such as 0.006054176053959814: the fast path of all readers.
namespace shortfall::io {

/// 2^exponent / 10^places, rounded up to 128 bits, the first of which is set. Exact for 0 places.
struct InversePower {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  int exponent = 0;
};

inline constexpr unsigned most_places = 27;  ///< 5^27 is the last power of 5 below 2^63

inline constexpr auto inverse_powers = [] {
  std::array<InversePower, most_places + 1> result{};
  result[0] = {.high = std::uint64_t{1} << 63, .low = 0, .exponent = 127};
  std::uint64_t power = 1;  // 5^places
  for (unsigned places = 1; places <= most_places; ++places) {
    power *= 5;
    InversePower& inverse = result[places];
    std::uint64_t rest = 1;  // long division of a power of 2
    for (int bits = 0; bits < 128; rest = 2 * rest % power, ++inverse.exponent) {
      const std::uint64_t bit = 2 * rest / power;
      if (bits == 0 && bit == 0) continue;
      inverse.high = inverse.high << 1 | inverse.low >> 63;
      inverse.low = inverse.low << 1 | bit;
      ++bits;
    }
    if (++inverse.low == 0) ++inverse.high;
    inverse.exponent += static_cast<int>(places);
  }
  return result;
}();

/// The double nearest to digits / 10^places, a tie to the even one; places ≤ `most_places`.
/// Check: 3 and 1 give 0.3.
///
/// Lemire's algorithm (Number parsing at a gigabyte per second, Softw. Pract. Exp. 51, 2021): the
/// first 64 bits of digits · 2^e / 10^places decide the rounding, or 128 bits do; for so few places
/// they always suffice.
inline double nearest_double(std::uint64_t digits, unsigned places) {
  __extension__ using Wide = unsigned __int128;
  if (digits == 0) return 0.0;
  const InversePower& inverse = inverse_powers[places];
  const int shift = std::countl_zero(digits);
  const std::uint64_t w = digits << shift;
  const Wide first = Wide{w} * inverse.high;
  auto upper = static_cast<std::uint64_t>(first >> 64);
  auto lower = static_cast<std::uint64_t>(first);
  if ((upper & 0x1FF) == 0x1FF) {  // the bits after the mantissa: more could carry into it
    lower += static_cast<std::uint64_t>(Wide{w} * inverse.low >> 64);
    if (lower < static_cast<std::uint64_t>(first)) ++upper;
  }
  const int top = static_cast<int>(upper >> 63);
  std::uint64_t mantissa = upper >> (top + 9);  // 53 bits, and one to round
  // A tie is exact, hence only where 5^places divides the 64 bits of w.
  if (lower <= 1 && places <= 4 && (mantissa & 3) == 1 && mantissa << (top + 9) == upper)
    --mantissa;
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  // The number is mantissa · 2^(exponent - 1075). The mantissa's leading bit adds one to the field
  // of the exponent, or two if rounding has carried as far as that.
  const int exponent = 1075 + 138 + top - shift - inverse.exponent;
  return std::bit_cast<double>((static_cast<std::uint64_t>(exponent - 1) << 52) + mantissa);
}

/// 10^0 to 10^19, the last below 2^64.
inline constexpr auto powers = [] {
  std::array<std::uint64_t, 20> result{1};
  for (std::size_t k = 1; k < result.size(); ++k) result[k] = 10 * result[k - 1];
  return result;
}();

inline constexpr std::ptrdiff_t longest_plain_decimal = 34;  ///< with the character after it

/// Reads a number with at most 7 digits before the point, 23 after it and no exponent, from a text
/// of `longest_plain_decimal` characters or more. Returns its end; or nullptr, if it has another
/// form or more digits than 64 bits hold. Numbers with 8 places or more are read without a branch
/// that depends on how many there are: of 15 to 19, a processor guesses wrong every other time.
inline const char* read_plain_decimal(const char* at, double& value) {
  const bool negative = *at == '-';
  at += negative ? 1 : 0;
  auto digits = static_cast<std::uint64_t>(static_cast<unsigned char>(*at) - '0');
  if (at[1] == '.' && digits < 10) {
    ++at;
  } else {
    const EightDigits whole(at);
    const unsigned count = whole.count();
    if (count == 0 || count == 8) return nullptr;
    digits = whole.value(count);
    at += count;
  }
  unsigned places = 0;
  if (*at == '.') {
    ++at;
    if (const EightDigits first(at); first.all()) {
      const EightDigits second(at + 8);
      const EightDigits third(at + 16);
      const unsigned in_second = second.count();
      const unsigned in_third = in_second / 8 * third.count();  // 0 if the second is not full
      places = 8 + in_second + in_third;
      digits = digits * powers[8] + first.value();  // 15 digits at most
      if (in_third == 8 || digits >= powers[27 - places]) return nullptr;
      digits = digits * powers[in_second] + second.value(in_second);
      digits = digits * powers[in_third] + third.value(in_third);
    } else {
      places = first.count();
      if (places == 0) return nullptr;
      digits = digits * powers[places] + first.value(places);
    }
    at += places;
  }
  if ((*at | 0x20) == 'e') return nullptr;
  const double size = nearest_double(digits, places);
  value = negative ? -size : size;
  return at;
}

}  // namespace shortfall::io
