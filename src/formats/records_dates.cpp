#include "formats/records_dates.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

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

Decided decide(const std::vector<DateNumbers>& numbers, const std::vector<WrittenDate>& written) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i].year_first) continue;
    if (numbers[i].first > months) return {DateOrder::dmy, written[i].line};
    if (numbers[i].second > months) return {DateOrder::mdy, written[i].line};
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

}  // namespace

std::vector<std::chrono::sys_days> read_dates(const std::vector<WrittenDate>& written,
                                              std::string_view file,
                                              const RecordsOptions& options) {
  const DateOrder order = options.dates;
  std::vector<DateNumbers> numbers;
  for (const WrittenDate& date : written) {
    const std::optional<DateNumbers> read = read_date_numbers(date.text);
    const bool fits = read && (read->year_first || order != DateOrder::ymd);
    if (!fits) reject_field({file, date.line, date_name}, date.text, example_of(options));
    numbers.push_back(*read);
  }
  const Decided decided =
      order == DateOrder::automatic ? decide(numbers, written) : Decided{order, 0};
  std::vector<std::chrono::sys_days> dates;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& [first, second, third, year_first] = numbers[i];
    const Place place{file, written[i].line, date_name};
    if (!year_first && decided.order == DateOrder::automatic) {
      reject(place,
             fmt::format(
                 "found {}, and no date in the file shows whether the day or the month comes first",
                 quotation(written[i].text)),
             fmt::format("dates such as 2026-11-16; or {} for day first, {} for month first",
                         option_words(options.style, "dates", "dmy"),
                         option_words(options.style, "dates", "mdy")));
    }
    const std::optional<std::chrono::sys_days> date =
        year_first                        ? existing_date(first, second, third)
        : decided.order == DateOrder::dmy ? existing_date(third, second, first)
                                          : existing_date(third, first, second);
    if (!date) reject_date(place, written[i].text, decided, options);
    dates.push_back(*date);
  }
  return dates;
}

}  // namespace shortfall::io
