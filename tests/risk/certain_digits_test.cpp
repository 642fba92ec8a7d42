#include "numbers/certain_digits.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace shortfall {
namespace certain_digits_tests {

/// The number that a text says, to eleven bits more than a double has.
long double number(const std::string& text) {
  return std::stold(text);
}

/// What the roundings of the test itself may amount to.
constexpr long double slack = 1.0L + 1e-15L;

/// Mantissas of all lengths, with signs and exponents of costs.
rc::Gen<double> sizes(int least, int most) {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange<std::int64_t>(1, 10'000'000'000'000'000),
                                     rc::gen::inRange(0, 16), rc::gen::inRange(least, most)),
                      [](const auto& drawn) {
                        const auto& [digits, cut, exponent] = drawn;
                        const double kept =
                            std::floor(static_cast<double>(digits) / std::pow(10.0, cut)) + 1.0;
                        return std::ldexp(kept, exponent - 50);
                      });
}

RC_GTEST_PROP(CertainDigits, KeepTheExactValueWithinThePrintedBound, ()) {
  const double bound = *sizes(-60, 30);
  const int decimals = *rc::gen::inRange(-1, 8);
  const double finest = *sizes(-60, 0);
  CertainDigits digits(bound, {.decimals = decimals, .finest = finest});
  const int count = *rc::gen::inRange(1, 4);
  std::vector<std::pair<double, std::string>> printed;
  for (int k = 0; k < count; ++k) {
    const double value = *sizes(-60, 90) * (*rc::gen::arbitrary<bool>() ? 1.0 : -1.0);
    printed.emplace_back(value, digits.value(value));
  }
  const long double allowed = number(digits.bound());
  for (const auto& [value, text] : printed) {
    // The exact value may be anywhere within the bound of the computed one.
    const long double farthest = std::abs(number(text) - value) + static_cast<long double>(bound);
    RC_ASSERT(farthest <= allowed * slack);
  }
}

RC_GTEST_PROP(CertainDigits, PrintNoDigitBelowThePlaceOfTheBound, ()) {
  const double bound = *sizes(-40, 30);
  const double value = *sizes(-40, 60);
  const std::string text = CertainDigits(bound).value(value);
  const std::size_t point = text.find('.');
  const std::size_t exponent = std::min(text.find('e'), text.size());
  const auto decimals = point > exponent ? 0 : static_cast<int>(exponent - point - 1);
  const int power = exponent < text.size() ? std::stoi(text.substr(exponent + 1)) : 0;
  const double last_place = std::pow(10.0, power - decimals);
  RC_ASSERT(10.0 * last_place > bound * (1.0 - 1e-12) || decimals == 0);
}

RC_GTEST_PROP(BoundText, IsNotBelowTheBoundAndHasTwoDigits, ()) {
  const double bound = *sizes(-900, 900);
  const std::string text = bound_text(bound);
  RC_ASSERT(std::stod(text) >= bound);
  RC_ASSERT(std::stod(text) <= 1.1 * bound * (1.0 + 1e-12));
}

TEST(BoundText, IsRoundedUp) {
  for (const auto& [bound, text] :
       {std::pair(0.43186, "0.44"), std::pair(1e-6, "1e-06"), std::pair(1.0000001e-6, "1.1e-06"),
        std::pair(99.1, "100"), std::pair(130.2, "140"), std::pair(4321.0, "4400"),
        std::pair(9.96e-7, "1e-06"), std::pair(0.0, "0"), std::pair(HUGE_VAL, "unknown"),
        std::pair(std::nan(""), "unknown"), std::pair(2.0, "2"), std::pair(1e-320, "1e-300")}) {
    EXPECT_EQ(bound_text(bound), text);
  }
}

TEST(CertainDigits, HaveTheValuesOfTheHeader) {
  CertainDigits digits(0.43186, {.decimals = 5});
  EXPECT_EQ(digits.value(53.18516), "53.2");
  EXPECT_EQ(digits.bound(), "0.45");
}

TEST(CertainDigits, OfPreciseValuesAreThoseAskedFor) {
  CertainDigits nine(3e-14);
  EXPECT_EQ(nine.value(26.244), "26.244");
  EXPECT_EQ(nine.value(-0.001234567891234), "-0.00123456789");
  CertainDigits table(3e-14, {.decimals = 5});
  EXPECT_EQ(table.value(26.244), "26.24400");
  EXPECT_EQ(table.value(-1e-9), "0.00000");
  CertainDigits asked(1e-10, {.finest = 1e-9});
  EXPECT_EQ(asked.value(2.0 / 3.0), "0.6666666667");
  CertainDigits large(2.1e-6);
  EXPECT_EQ(large.value(319744.123456789), "319744.123457");
  CertainDigits none(HUGE_VAL);
  EXPECT_EQ(none.value(1.0 / 3.0), "0.333333333");
  EXPECT_EQ(none.bound(), "unknown");
}

}  // namespace certain_digits_tests
}  // namespace shortfall
