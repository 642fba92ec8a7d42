#include "text/decimal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <limits>
#include <random>
#include <string>

#include "text/field_ends.hpp"

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

/// Reads a number that other text follows: of a file, or what else is in memory.
bool read(const std::string& number, const std::string& after, double& value) {
  std::string text = number;
  text.append(after).append(padding, '5');
  return read_plain_decimal(text.data(), text.data() + number.size(), value);
}

void expect_read(const std::string& number) {
  for (const char* after : {",", "\r\n", "7", ".7", "e7"}) {
    double value = 0.0;
    const bool plain = read(number, after, value);
    const bool is_integer = number.find('.') == std::string::npos;
    if (!plain && is_integer && *after != ',' && *after != '\r') continue;  // another may read it
    ASSERT_TRUE(plain) << number << after;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(from_chars(number)))
        << number << after;
  }
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
                             "999999.9999999999999",
                             "999.9999999999999999",
                             "1000.000000000000001",
                             "9007199.254740993"}) {
    expect_read(number);
  }
  std::mt19937_64 random(4);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::bit_cast<double>((random() >> 12) | (1000 + random() % 45) << 52);
    expect_read(fmt::format("{:.{}f}", i % 2 == 0 ? x : -x, random() % 12));
  }
}

/// Any digits in any number of places: what is read is right.
TEST(PlainDecimal, IsRightOrLeftToOthers) {
  std::mt19937_64 random(5);
  int plain = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string number(random() % 2, '-');
    const auto append = [&](std::size_t digits, std::size_t zeros) {
      for (std::size_t k = 0; k < digits; ++k) {
        number += k < zeros ? '0' : static_cast<char>('0' + random() % 10);
      }
    };
    append(1 + random() % 8, random() % 8);
    if (const std::size_t places = random() % 25; places > 0) {
      number += '.';
      append(places, random() % 2 == 0 ? random() % places : 0);
    }
    double value = 0.0;
    if (!read(number, ",", value)) continue;
    ++plain;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(from_chars(number)))
        << number;
  }
  EXPECT_GT(plain, 100000);
}

TEST(PlainDecimal, LeavesOtherFormsToOthers) {
  for (const char* number : {"",
                             "-",
                             "+1",
                             ".5",
                             "-.5",
                             "1.",
                             "1.2.3",
                             "1.-2",
                             "--1",
                             "x",
                             "nan",
                             "inf",
                             "-inf",
                             "1e5",
                             "1E5",
                             "0.5e-3",
                             "12345678",
                             "12345678.5",
                             "0.123456789012345678901234",
                             "1.2345678901234567890123",
                             "99999.99999999999999999",
                             "0.12345678x",
                             "0.1234567890123456x",
                             "0.12345678901234567x"}) {
    double value = 0.0;
    EXPECT_FALSE(read(number, ",", value)) << number;
  }
}

}  // namespace
}  // namespace shortfall::io
