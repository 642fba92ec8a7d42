#include "formats/records_dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "formats/records_columns.hpp"
#include "text/date.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

constexpr std::string_view date_name = record_column::names[record_column::date];
constexpr unsigned months = 12;

/// What is accepted, as an example, where the order was asked for.
std::string example_of(const RecordsOptions& options) {
  const auto asked = [&](const char* word) {
    return ": " + option_words(options.style, "dates", word);
  };
  switch (options.dates) {
    case DateOrder::ymd:
      return "a date such as 2026-11-16";
    case DateOrder::dmy:
      return "a date such as 16.11.2026 or 2026-11-16" + asked("dmy");
    case DateOrder::mdy:
      return "a date such as 11/16/2026 or 2026-11-16" + asked("mdy");
    case DateOrder::automatic:
      break;
  }
  return "a date such as 2026-11-16, 16.11.2026 or 11/16/2026";
}

/// The order of dates whose year comes last, and the line that decided.
struct Decided {
  DateOrder order = DateOrder::automatic;
  std::size_t line = 0;
};

Decided decide(const std::vector<std::optional<DateNumbers>>& numbers,
               const std::vector<WrittenDate>& written) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i] || numbers[i]->year_first) continue;
    if (numbers[i]->first > months) return {DateOrder::dmy, written[i].line};
    if (numbers[i]->second > months) return {DateOrder::mdy, written[i].line};
  }
  return {};
}

/// Why a date of the decided order does not exist.
[[noreturn]] void reject_date(const Place& place, std::string_view text, const Decided& decided,
                              const RecordsOptions& options) {
  // A user who gave no option cannot fix the date by another one.
  const std::string accepted = decided.line == 0 ? example_of(options)
                               : decided.order == DateOrder::dmy
                                   ? "a date such as 16.11.2026 or 2026-11-16"
                                   : "a date such as 11/16/2026 or 2026-11-16";
  const std::string because =
      decided.line > 0 && decided.line != place.line
          ? fmt::format(": no such date, where line {} has {} first", decided.line,
                        decided.order == DateOrder::dmy ? "the day" : "the month")
          : ": no such date";
  reject(place, fmt::format("found {}{}", quotation(text), because),
         fmt::format("{}, in a year from {} to {}", accepted, first_year, last_year));
}

using Dates = std::vector<std::optional<std::chrono::sys_days>>;

/// Years of two digits may come first, as in 26-11-16: read as the last number, they are then years
/// apart.
void check_short_years(const std::vector<std::optional<DateNumbers>>& numbers, Dates& dates,
                       const std::vector<WrittenDate>& written, std::string_view file,
                       Problems& problems) {
  constexpr auto usual = std::chrono::days(31);
  std::size_t found = 0;
  std::size_t first = written.size();
  std::size_t far = 0;
  std::optional<std::chrono::sys_days> before;
  for (std::size_t i = 0; i < dates.size(); ++i) {
    if (!dates[i]) continue;
    if (numbers[i]->is_short) first = std::min(first, i);
    ++found;
    if (before && (*dates[i] - *before > usual || *before - *dates[i] > usual)) ++far;
    before = dates[i];
  }
  if (first == written.size() || 2 * far < found) return;
  problems.keep([&] {
    reject({file, written[first].line, date_name},
           fmt::format("found {}: with its last number as the year, most rows are months apart",
                       quotation(written[first].text)),
           "a date such as 2026-11-16, with a year of four digits");
  });
}

}  // namespace

Dates read_dates(const std::vector<WrittenDate>& written, std::string_view file,
                 const RecordsOptions& options, Problems& problems) {
  const DateOrder order = options.dates;
  std::vector<std::optional<DateNumbers>> numbers;
  for (const WrittenDate& date : written) {
    const std::optional<DateNumbers> read = read_date_numbers(date.text);
    const bool fits = read && (read->year_first || order != DateOrder::ymd);
    numbers.push_back(fits ? read : std::nullopt);
    if (fits) continue;
    problems.keep([&] {
      reject_field({file, date.line, date_name}, date.text, example_of(options));
    });
  }
  const Decided decided =
      order == DateOrder::automatic ? decide(numbers, written) : Decided{order, 0};
  Dates dates(written.size());
  bool is_unclear = false;  // which is said once
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i]) continue;
    const auto& [first, second, third, year_first, is_short] = *numbers[i];
    const Place place{file, written[i].line, date_name};
    if (!year_first && decided.order == DateOrder::automatic) {
      if (std::exchange(is_unclear, true)) continue;
      problems.keep([&] {
        reject(
            place,
            fmt::format(
                "found {}, and no date in the file shows whether the day or the month comes first",
                quotation(written[i].text)),
            fmt::format("dates such as 2026-11-16; or {} for day first, {} for month first",
                        option_words(options.style, "dates", "dmy"),
                        option_words(options.style, "dates", "mdy")));
      });
      continue;
    }
    dates[i] = year_first                        ? existing_date(first, second, third)
               : decided.order == DateOrder::dmy ? existing_date(third, second, first)
                                                 : existing_date(third, first, second);
    if (!dates[i]) {
      problems.keep([&] { reject_date(place, written[i].text, decided, options); });
    }
  }
  if (order == DateOrder::automatic) check_short_years(numbers, dates, written, file, problems);
  return dates;
}

}  // namespace shortfall::io
