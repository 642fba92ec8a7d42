#include "text/decimal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <limits>
#include <random>
#include <string>

namespace shortfall::io {
namespace {

double from_chars(const std::string& text) {
  double value = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(stop, text.data() + text.size()) << text;
  EXPECT_EQ(error, std::errc()) << text;
  return value;
}

void expect_nearest(std::uint64_t digits, unsigned places) {
  const std::string text = fmt::format("{}e-{}", digits, places);
  ASSERT_EQ(std::bit_cast<std::uint64_t>(nearest_double(digits, places)),
            std::bit_cast<std::uint64_t>(from_chars(text)))
      << text;
}

/// How read_plain_decimal reads `number` when a comma and other text follow.
void expect_read(const std::string& number) {
  const std::string text = number + ",12345678901234567890123456789012345";
  double value = 0.0;
  const char* const stop = read_plain_decimal(text.data(), value);
  ASSERT_EQ(stop, text.data() + number.size()) << number;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(from_chars(number)))
      << number;
}

void expect_left_to_others(const std::string& number) {
  const std::string text = number + ",12345678901234567890123456789012345";
  double value = 0.0;
  EXPECT_EQ(read_plain_decimal(text.data(), value), nullptr) << number;
}

TEST(EightDigits, StopAtTheFirstOtherCharacter) {
  const std::string digits = "12345678";
  for (unsigned count = 0; count <= 8; ++count) {
    for (int other = -128; other < 128; ++other) {
      const auto c = static_cast<char>(other);
      if (c >= '0' && c <= '9') continue;
      std::string text = digits;
      if (count < 8) text[count] = c;
      const EightDigits read(text.data());
      ASSERT_EQ(read.count(), count) << other;
      ASSERT_EQ(read.all(), count == 8);
      ASSERT_EQ(read.value(count), count == 0 ? 0u : std::stoul(digits.substr(0, count))) << other;
    }
  }
}

TEST(EightDigits, FormANumber) {
  EXPECT_EQ(EightDigits("12345678").value(), 12345678u);
  EXPECT_EQ(EightDigits("00000000").value(), 0u);
  EXPECT_EQ(EightDigits("99999999").value(), 99999999u);
}

TEST(NearestDouble, IsThatOfTheStandardLibraryForRandomDigits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    expect_nearest(random() >> (random() % 64),
                   static_cast<unsigned>(random() % (most_places + 1)));
  }
  for (unsigned places = 0; places <= most_places; ++places) {
    expect_nearest(0, places);
    expect_nearest(1, places);
    expect_nearest(std::numeric_limits<std::uint64_t>::max(), places);
  }
}

/// Midpoints of two doubles, and the numbers with as many places next to them.
TEST(NearestDouble, RoundsTiesToEven) {
  EXPECT_EQ(nearest_double(9007199254740993, 0), 9007199254740992.0);  // 2^53 + 1
  EXPECT_EQ(nearest_double(9007199254740995, 0), 9007199254740996.0);
  std::mt19937_64 random(2);
  std::uint64_t power = 1;  // 5^places
  for (unsigned places = 0; places <= 4; ++places, power *= 5) {
    const int free_bits = std::countl_zero(power) - 10;  // after 54 bits of the midpoint
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t midpoint = (random() >> 11 | std::uint64_t{1} << 52) * 2 + 1;
      // midpoint · 2^(k - places) has these digits, if they fit.
      const int k = static_cast<int>(random() % 12);
      if (k > free_bits || midpoint > (~std::uint64_t{0} >> k) / power) continue;
      const std::uint64_t digits = (midpoint << k) * power;
      for (const std::uint64_t d : {digits - 1, digits, digits + 1}) expect_nearest(d, places);
    }
  }
}

/// Shortest forms of doubles, and all numbers next to them in their last place.
TEST(NearestDouble, FindsADoubleFromItsDigits) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    const double x = static_cast<double>(random() >> 11) * 0x1.0p-53;
    const std::string text = fmt::format("{:.17f}", x);
    const std::uint64_t digits = std::stoull(text.substr(0, 1) + text.substr(2));
    EXPECT_EQ(nearest_double(digits, 17), from_chars(text));
    expect_nearest(digits + 1, 17);
  }
}

TEST(PlainDecimal, IsReadAsByTheStandardLibrary) {
  for (const char* number : {"0",
                             "-0",
                             "0.0",
                             "-0.0",
                             "1",
                             "7654321",
                             "1234567.5",
                             "0.1",
                             "0.3",
                             "-2.5",
                             "00.50",
                             "0.00000000",
                             "0.000000000000000",
                             "0.0000000000000000",
                             "0.12345678",
                             "0.123456789",
                             "0.1234567890123456",
                             "0.12345678901234567",
                             "0.006054176053959814",
                             "6.456421371008906",
                             "0.00000000000000000000001",
                             "0.00001234567890123456789",
                             "999999.9999999999999"}) {
    expect_read(number);
  }
  std::mt19937_64 random(4);
  for (int i = 0; i < 200000; ++i) {
    const double x = std::bit_cast<double>((random() >> 12) | (1000 + random() % 45) << 52);
    const std::string text = fmt::format("{:.{}f}", i % 2 == 0 ? x : -x, random() % 12);
    expect_read(text);
  }
}

TEST(PlainDecimal, LeavesOtherFormsToOthers) {
  for (const char* number :
       {"", "-", "+1", ".5", "-.5", "1.", "x", "nan", "inf", "-inf", "1e5", "1E5", "0.5e-3",
        "12345678", "12345678.5", "0.123456789012345678901234", "1.2345678901234567890123",
        "99999.99999999999999999"}) {
    expect_left_to_others(number);
  }
}

}  // namespace
}  // namespace shortfall::io
