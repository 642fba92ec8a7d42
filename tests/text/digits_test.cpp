#include "text/digits.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "text/field_ends.hpp"

namespace shortfall::io {
namespace {

TEST(FieldEnds, AreCommasAndCharactersBeforePlusOrOutsideAscii) {
  for (int other = -128; other < 128; ++other) {
    for (const std::size_t at : {0u, 15u, 16u, 63u}) {
      std::string text(64, '0');
      text[at] = static_cast<char>(other);
      const bool ends = other < '+' || other == ',';
      ASSERT_EQ(field_ends(text.data()), std::uint64_t{ends} << at) << other;
    }
  }
}

/// The number that the first `count` characters and `zeros` more form.
template <class Digits>
void expect_number(const std::string& text, unsigned count, std::size_t zeros) {
  std::string digits(1, '0');
  digits.append(text, 0, count).append(zeros, '0');
  const Digits read(text.data(), count);
  ASSERT_EQ(read.others(), 0u) << text << ' ' << count;
  ASSERT_EQ(read.value(), std::stoull(digits)) << text << ' ' << count;
}

TEST(Digits, FormANumber) {
  for (const char* text : {"1234567890123456", "0000000000000000", "9999999999999999"}) {
    for (unsigned count = 0; count <= 8; ++count) expect_number<EightDigits>(text, count, 0);
    for (unsigned count = 0; count <= 16; ++count) {
      expect_number<SixteenDigits>(text, count, 16 - count);
    }
  }
}

TEST(Digits, ShowEveryOtherCharacterAmongThem) {
  for (unsigned at = 0; at < 16; ++at) {
    for (int other = -128; other < 128; ++other) {
      const auto c = static_cast<char>(other);
      if (c >= '0' && c <= '9') continue;
      std::string text(16, '1');
      text[at] = c;
      for (unsigned count = 0; count <= 16; ++count) {
        ASSERT_EQ(SixteenDigits(text.data(), count).others() != 0, at < count) << other;
        if (count > 8) continue;
        ASSERT_EQ(EightDigits(text.data(), count).others() != 0, at < count) << other;
      }
      if (at >= 8) continue;
      ASSERT_EQ(std::countr_zero(EightDigits(text.data()).others()), 8 * static_cast<int>(at) + 7);
    }
  }
}

}  // namespace
}  // namespace shortfall::io
