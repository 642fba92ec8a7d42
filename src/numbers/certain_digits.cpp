#include "numbers/certain_digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "numbers/roundoff.hpp"

namespace shortfall {
namespace {

constexpr int significant_digits = 9;
constexpr int no_place = -400;  ///< below those of all doubles

/// That of the first digit of x: 0 for 1 to 9.9, -1 for 0.1 to 0.99.
int place_of(double x) {
  if (x == 0.0) return no_place;
  const std::string text = fmt::format("{:.16e}", x);
  const std::size_t exponent = text.find('e') + 1 + (text[text.find('e') + 1] == '+' ? 1u : 0u);
  int place = 0;
  std::from_chars(text.data() + exponent, text.data() + text.size(), place);
  return place;
}

double number_of(const std::string& text) {
  double number = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The double next to 10^place, on every processor.
double power_of_ten(int place) {
  return number_of(fmt::format("1e{}", place));
}

/// "26.2" of "26.20", "1e-09" of "1.00e-09".
std::string without_zeros_at_the_end(const std::string& number) {
  if (number.find('.') == std::string::npos) return number;
  const std::size_t end = std::min(number.find('e'), number.size());
  std::size_t last = number.find_last_not_of('0', end - 1);
  if (number[last] == '.') --last;
  return number.substr(0, last + 1) + number.substr(end);
}

/// `value` rounded to a multiple of 10^place.
std::string rounded_text(double value, int place) {
  const int first = place_of(value);
  if (first >= 15 || (first < -5 && first >= place)) {
    return fmt::format("{:.{}e}", value, std::clamp(first - place, 0, 16));
  }
  if (place <= 0) return fmt::format("{:.{}f}", value, std::min(-place, 20));
  const double unit = power_of_ten(place);
  return fmt::format("{:.0f}", std::nearbyint(value / unit) * unit);
}

}  // namespace

std::string bound_text(double bound) {
  if (!std::isfinite(bound)) return "unknown";
  if (bound <= 0.0) return "0";
  bound = std::max(bound, 1e-300);  // powers of ten below are not all doubles
  const int first = place_of(bound);
  // Dividing by a power of ten may itself round, in either direction.
  auto tenths = static_cast<int>(std::ceil(bound / power_of_ten(first) * 10.0)) - 1;
  std::string text;
  do {
    text = fmt::format("{:.2g}", number_of(fmt::format("{}e{}", ++tenths, first - 1)));
  } while (number_of(text) < bound);
  const double rounded_up = number_of(text);
  return rounded_up >= 100.0 && rounded_up < 1e15 ? fmt::format("{:.0f}", rounded_up) : text;
}

CertainDigits::CertainDigits(double bound, const Most& most)
    : bound_(std::isnan(bound) ? HUGE_VAL : bound), most_(most), with_rounding_(bound_) {}

int CertainDigits::last_place(double value) const {
  int finest = -most_.decimals;
  if (most_.decimals < 0) {
    finest = place_of(most_.finest) - 1;
    if (value != 0.0) finest = std::min(finest, place_of(value) - significant_digits + 1);
  }
  return std::isfinite(bound_) ? std::max(place_of(bound_), finest) : finest;
}

std::string CertainDigits::value(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  std::string text = rounded_text(value, last_place(value));
  if (most_.decimals < 0) text = without_zeros_at_the_end(text);
  const double printed = number_of(text);
  if (printed == 0.0 && text.front() == '-') text.erase(0, 1);
  // A decimal fraction is not a double, and the difference of two doubles is rounded, too.
  constexpr double all_integers_to = 1.0 / detail::unit_roundoff;
  const bool is_exact = printed == std::nearbyint(printed) && std::abs(printed) <= all_integers_to;
  const double of_fraction = is_exact ? 0.0 : detail::unit_roundoff * std::abs(printed);
  const double rounding = std::abs(printed - value) + of_fraction;
  if (rounding > 0.0) {
    with_rounding_ = std::max(with_rounding_, detail::rounded_up(bound_ + rounding, 4.0));
  }
  return text;
}

}  // namespace shortfall
