#pragma once

#include <algorithm>
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
[[gnu::always_inline]] inline double nearest_double(std::uint64_t digits, unsigned places) {
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
  if (lower <= 1 && places <= 4 && (mantissa & 3) == 1 && mantissa << (top + 9) == upper) {
    --mantissa;
  }
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  // The number is upper · 2^(128 - shift - inverse.exponent), that is mantissa · 2^(exponent -
  // 1075). The mantissa's leading bit adds one to the field of the exponent, or two if rounding has
  // carried as far as that.
  const int exponent = 1075 + 128 + (top + 10) - shift - inverse.exponent;
  return std::bit_cast<double>((static_cast<std::uint64_t>(exponent - 1) << 52) + mantissa);
}

/// 10^0 to 10^19, the last below 2^64.
inline constexpr auto powers = [] {
  std::array<std::uint64_t, 20> result{1};
  for (std::size_t k = 1; k < result.size(); ++k) result[k] = 10 * result[k - 1];
  return result;
}();

/// Reads the number in [at, end): a minus or none, one to seven digits, and then nothing, or a
/// point and one to 23 places; `padding` readable bytes must follow. Returns whether it has this
/// form, and no more digits than 64 bits hold. No branch depends on the number of places: of 15 to
/// 19, a processor would guess wrong every other time.
[[gnu::always_inline]] inline bool read_plain_decimal(const char* at, const char* end,
                                                      double& value) {
  const bool negative = *at == '-';
  at += negative ? 1 : 0;
  std::uint64_t digits = static_cast<unsigned char>(*at) - std::uint64_t{'0'};
  if (at[1] == '.' && digits <= 9) {
    at += 2;
  } else {
    const std::uint64_t stops = EightDigits(at).others() | std::uint64_t{1} << 63;
    const auto whole = static_cast<unsigned>(std::countr_zero(stops)) / 8;
    digits = EightDigits(at, whole).value();
    at += whole;
    if (whole == 0 || (at != end && *at++ != '.')) return false;
    if (at == end) {
      value = negative ? -static_cast<double>(digits) : static_cast<double>(digits);
      return at[-1] != '.';
    }
  }
  const auto places = static_cast<std::size_t>(end - at);
  if (places - 1 >= 23) return false;
  const auto in_first = std::min(static_cast<unsigned>(places), 16u);
  const auto in_second = static_cast<unsigned>(places) - in_first;
  const SixteenDigits first(at, in_first);
  const EightDigits second(at + 16, in_second);
  if ((first.others() | second.others()) != 0) return false;
  double size = 0.0;
  if (digits < 1000) {
    digits = digits * powers[16] + first.value();
    if (digits >= powers[19 - in_second]) return false;
    size = nearest_double(digits * powers[in_second] + second.value(), 16 + in_second);
  } else {
    if (in_second > 0 || digits >= powers[19 - in_first]) return false;
    size =
        nearest_double(digits * powers[in_first] + first.value() / powers[16 - in_first], in_first);
  }
  value = negative ? -size : size;
  return true;
}

}  // namespace shortfall::io
