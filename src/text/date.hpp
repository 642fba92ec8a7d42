#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace shortfall::io {

/// Three numbers that may be a date, in the order of the text.
struct DateNumbers {
  unsigned first = 0;
  unsigned second = 0;
  unsigned third = 0;
  bool year_first = false;  ///< the first has four digits; otherwise the third is the year
  bool is_short = false;  ///< the third had two digits: 00 to 68 is 2000 to 2068, 69 to 99 is 1900s
};

/// Reads 2026-11-16, 16.11.2026, 11/16/2026, 16.11.26 and the like: a year of four digits first or
/// last, or of two last, two numbers of one or two digits, twice the same of - . / between them. A
/// time of midnight may follow, as spreadsheets write it. Nothing for any other text.
std::optional<DateNumbers> read_date_numbers(std::string_view text);

/// The accepted years: others are typing errors.
inline constexpr unsigned first_year = 1900;
inline constexpr unsigned last_year = 2199;

/// Nothing for a date that does not exist, such as February 30, or of another year.
std::optional<std::chrono::sys_days> existing_date(unsigned year, unsigned month, unsigned day);

}  // namespace shortfall::io
