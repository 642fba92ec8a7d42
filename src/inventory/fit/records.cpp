#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/fit/warning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "errors/require.hpp"
#include "text/date.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {
namespace {

void check_units(std::optional<std::uint32_t> units, const DayRecord& day, const char* what) {
  require(units.value_or(0) <= largest_recorded_units, "{}: {} {}; accepted: 0 to {}",
          iso_date(day.date), what, units.value_or(0), largest_recorded_units);
}

}  // namespace

std::uint32_t DayRecord::received_units() const {
  return std::accumulate(received.begin(), received.end(), std::uint32_t{0});
}

void check_records(const Records& records) {
  require(!records.days.empty(), "there is no day; accepted: records of at least one day");
  for (std::size_t i = 0; i < records.days.size(); ++i) {
    const DayRecord& day = records.days[i];
    require(i == 0 || records.days[i - 1].date < day.date,
            "{} follows {}; accepted: increasing dates", iso_date(day.date),
            i == 0 ? "" : iso_date(records.days[i - 1].date));
    check_units(day.demand, day, "demand");
    check_units(day.ordered, day, "ordered");
    check_units(day.wasted, day, "wasted");
    for (const std::uint32_t units : day.received) check_units(units, day, "received");
    require(day.received.empty() || day.received.size() == records.columns.received,
            "{}: received has {} entries; accepted: {}, or none if it is not known",
            iso_date(day.date), day.received.size(), records.columns.received);
  }
}

std::vector<Warning> warnings_of(const RecordColumns& columns) {
  std::vector<Warning> warnings;
  const auto add = [&](WarningCode code, const std::vector<std::string>& names) {
    if (!names.empty()) warnings.push_back({.code = code, .names = names});
  };
  add(WarningCode::columns_mapped, columns.mapped);
  add(WarningCode::unused_columns, columns.unused);
  add(WarningCode::lines_skipped, columns.skipped);
  return warnings;
}

Records within(const Records& records, const Window& window) {
  check_records(records);
  using std::chrono::days;
  const auto newest = records.days.back().date;
  Records result{.days = {}, .columns = records.columns};
  for (const DayRecord& day : records.days) {
    const bool recent = window.last == 0 || newest - day.date < days(window.last);
    if (recent && (!window.since || day.date >= *window.since)) result.days.push_back(day);
  }
  require(!result.days.empty(), "no day is left: the last one is {}; accepted: at most that date",
          iso_date(newest));
  return result;
}

std::vector<std::chrono::sys_days> delivery_mismatches(const Records& records) {
  std::vector<std::chrono::sys_days> dates;
  for (const DayRecord& day : records.days) {
    if (!day.ordered || day.received.empty()) continue;
    if (*day.ordered != day.received_units()) dates.push_back(day.date);
  }
  return dates;
}

std::vector<Gap> long_gaps(const Records& records) {
  using std::chrono::days;
  std::vector<Gap> gaps;
  for (std::size_t i = 1; i < records.days.size(); ++i) {
    const Gap gap{records.days[i - 1].date + days(1), records.days[i].date - days(1)};
    if (gap.last - gap.first >= days(longest_closure)) gaps.push_back(gap);
  }
  return gaps;
}

std::string columns_in_words(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::vector<std::string> quoted;
  std::size_t others = 0;
  for (const std::string& name : names) {
    std::string text = name.empty() ? "a column without a name" : io::quotation(name);
    if (std::ranges::find(quoted, text) != quoted.end()) continue;
    if (quoted.size() < most) {
      quoted.push_back(std::move(text));
    } else {
      ++others;
    }
  }
  return fmt::format("{}{}", fmt::join(quoted, ", "),
                     others > 0 ? fmt::format(" and {} more", others) : "");
}

std::string iso_date(std::chrono::sys_days date) {
  const std::chrono::year_month_day parts(date);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(parts.year()),
                     static_cast<unsigned>(parts.month()), static_cast<unsigned>(parts.day()));
}

std::optional<std::chrono::sys_days> parse_iso_date(const std::string& text) {
  const std::optional<io::DateNumbers> numbers = io::read_date_numbers(text);
  if (!numbers || !numbers->year_first) return std::nullopt;
  const auto date = io::existing_date(numbers->first, numbers->second, numbers->third);
  // Those numbers may be written in more ways than one.
  return date && iso_date(*date) == text ? date : std::nullopt;
}

}  // namespace shortfall::inventory
