#include "text/date.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace shortfall::io {
namespace {

constexpr std::array<std::string_view, 8> midnights = {" 00:00",     " 00:00:00",    " 0:00",
                                                       " 0:00:00",   "T00:00",       "T00:00:00",
                                                       "T00:00:00Z", " 00:00:00.000"};

std::string_view without_midnight(std::string_view text) {
  for (const std::string_view midnight : midnights) {
    if (text.ends_with(midnight)) return text.substr(0, text.size() - midnight.size());
  }
  return text;
}

/// Up to four digits off the front of `text`; their number is added to `digits`.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t& digits) {
  digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > 4) return std::nullopt;
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return value;
}

}  // namespace

std::optional<DateNumbers> read_date_numbers(std::string_view text) {
  text = without_midnight(text);
  std::array<unsigned, 3> numbers{};
  std::array<std::size_t, 3> digits{};
  char separator = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) {
      if (text.empty() || std::string_view("-./").find(text[0]) == std::string_view::npos)
        return {};
      if (i == 2 && text[0] != separator) return {};
      separator = text[0];
      text.remove_prefix(1);
    }
    const std::optional<unsigned> number = take_digits(text, digits[i]);
    if (!number) return {};
    numbers[i] = *number;
  }
  const bool year_first = digits[0] == 4 && digits[2] <= 2;
  const bool is_short = digits[2] == 2 && digits[0] <= 2;
  const bool year_last = is_short || (digits[2] == 4 && digits[0] <= 2);
  if (!text.empty() || digits[1] > 2 || year_first == year_last) return {};
  constexpr unsigned first_of_1900s = 69;
  if (is_short) numbers[2] += numbers[2] < first_of_1900s ? 2000U : 1900U;
  return DateNumbers{numbers[0], numbers[1], numbers[2], year_first, is_short};
}

std::optional<std::chrono::sys_days> existing_date(unsigned year, unsigned month, unsigned day) {
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(month), std::chrono::day(day)};
  if (year < first_year || year > last_year || !date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

}  // namespace shortfall::io
