#include "shortfall/formats/records_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "files/input_file.hpp"
#include "formats/records_columns.hpp"
#include "formats/records_dates.hpp"
#include "text/csv.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

using inventory::DayRecord;
using inventory::Records;

/// An integer, also as 12.0, 12,0 or 12,00. Three zeros may be a thousand.
std::optional<std::uint32_t> units_in(std::string_view field) {
  const std::size_t point = field.find_first_of(".,");
  if (point != std::string_view::npos) {
    const std::string_view places = field.substr(point + 1);
    if (places != "0" && places != "00") return std::nullopt;
    field = field.substr(0, point);
  }
  return parse_id(field, inventory::largest_recorded_units);
}

std::uint32_t read_units(std::string_view field, const Place& place, std::string_view unknown) {
  if (const std::optional<std::uint32_t> units = units_in(field)) return *units;
  reject_field(place, field,
               fmt::format("an integer from 0 to {} without thousands separators{}",
                           inventory::largest_recorded_units, unknown));
}

bool read_stockout(std::string_view field, const Place& place) {
  constexpr std::array<std::string_view, 8> no = {"",      "0",  "false", "FALSE",
                                                  "False", "no", "NO",    "No"};
  constexpr std::array<std::string_view, 7> yes = {"1",   "true", "TRUE", "True",
                                                   "yes", "YES",  "Yes"};
  if (std::ranges::find(no, field) != no.end()) return false;
  if (std::ranges::find(yes, field) == yes.end()) {
    reject_field(place, field, "0 or no; 1 or yes if the stock ran out");
  }
  return true;
}

/// Reads rows one by one. Their dates are read last: only the whole file shows whether the day or
/// the month comes first.
class RecordRows {
 public:
  RecordRows(const RecordHeader& header, char separator, std::string_view file)
      : header_(header), separator_(separator), file_(file) {}

  void add(std::string_view line, std::size_t number) {
    split_fields(line, {file_, number}, fields_, separator_);
    if (std::ranges::all_of(fields_, &std::string_view::empty)) return;
    while (fields_.size() > header_.columns.size() && fields_.back().empty()) fields_.pop_back();
    if (fields_.size() != header_.columns.size()) reject_length(number);
    days_.emplace_back();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const std::size_t column = header_.columns[i];
      if (column == record_column::unused) continue;
      read(column, {file_, number, record_column::names[column]}, i);
    }
    read_received(number);
  }

  std::vector<DayRecord> take(const RecordsOptions& options) {
    if (days_.empty()) reject({file_}, "there is no row after the header", "one row per day");
    const std::vector<std::chrono::sys_days> dates = read_dates(written_, file_, options);
    check_repeated(dates);
    check_order(dates);
    for (std::size_t i = 0; i < dates.size(); ++i) days_[i].date = dates[i];
    if (dates.front() > dates.back()) std::ranges::reverse(days_);
    return std::move(days_);
  }

 private:
  void read(std::size_t column, const Place& place, std::size_t i) {
    DayRecord& day = days_.back();
    const std::string_view field = fields_[i];
    switch (column) {
      case record_column::date:
        written_.push_back({field, place.line});
        break;
      case record_column::demand:
        day.demand = read_units(field, place, "; leave out the row of a day that is not known");
        break;
      case record_column::stockout:
        day.stockout = read_stockout(field, place);
        break;
      case record_column::ordered:
        if (!field.empty()) day.ordered = read_units(field, place, ", or empty if not known");
        break;
      case record_column::wasted:
        if (!field.empty()) day.wasted = read_units(field, place, ", or empty if not known");
        break;
      default:
        break;  // received: a row at a time
    }
  }

  void read_received(std::size_t line) {
    std::vector<std::uint32_t> received(header_.received);
    bool known = false;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const std::size_t column = header_.columns[i];
      if (!record_column::is_received(column) || fields_[i].empty()) continue;
      received[column - record_column::first_received] =
          read_units(fields_[i], {file_, line, record_column::names[column]}, ", or empty");
      known = true;
    }
    if (known) days_.back().received = std::move(received);
  }

  [[noreturn]] void reject_length(std::size_t line) const {
    std::vector<std::string_view> names;
    for (const std::size_t column : header_.columns) {
      if (column != record_column::unused) names.push_back(record_column::names[column]);
    }
    const std::size_t others = header_.unused.size();
    reject({file_, line}, fmt::format("found {} field(s)", fields_.size()),
           fmt::format("{}: {}{}", header_.columns.size(),
                       fmt::join(names, fmt::format("{}", separator_)),
                       others > 0 ? fmt::format(" and {} not used", others) : ""));
  }

  /// All increasing or all decreasing, as most are.
  void check_order(const std::vector<std::chrono::sys_days>& dates) const {
    std::size_t falls = 0;
    for (std::size_t i = 1; i < dates.size(); ++i) falls += dates[i] < dates[i - 1] ? 1u : 0u;
    const bool newest_first = 2 * falls >= dates.size();
    for (std::size_t i = 1; i < dates.size(); ++i) {
      if ((dates[i] < dates[i - 1]) == newest_first) continue;
      reject({file_, written_[i].line, record_column::names[record_column::date]},
             fmt::format("found {} after {} on line {}", inventory::iso_date(dates[i]),
                         inventory::iso_date(dates[i - 1]), written_[i - 1].line),
             "rows in the order of their dates, oldest first or newest first");
    }
  }

  void check_repeated(const std::vector<std::chrono::sys_days>& dates) const {
    std::vector<std::pair<std::chrono::sys_days, std::size_t>> sorted;
    for (std::size_t i = 0; i < dates.size(); ++i) sorted.emplace_back(dates[i], written_[i].line);
    std::ranges::sort(sorted);
    const auto twice =
        std::ranges::adjacent_find(sorted, {}, [](const auto& d) { return d.first; });
    if (twice == sorted.end()) return;
    reject(
        {file_, std::next(twice)->second, record_column::names[record_column::date]},
        fmt::format("{} is on line {} as well", inventory::iso_date(twice->first), twice->second),
        "one row per day");
  }

  const RecordHeader& header_;
  char separator_;
  std::string_view file_;
  std::vector<std::string_view> fields_;
  std::vector<DayRecord> days_;
  std::vector<WrittenDate> written_;
};

/// Excel's own way to say which separator a file has.
std::optional<char> declared_separator(std::string_view line) {
  const bool declares = line.size() == 5 && line.starts_with("sep=");
  return declares ? std::optional(line[4]) : std::nullopt;
}

}  // namespace

Records read_records_csv(const std::string& path, const RecordsOptions& options) {
  const InputFile file(path);
  std::string_view body = file.text();
  std::size_t line = 1;
  std::string_view first = take_line(body, {file.name(), line});
  const std::optional<char> declared = declared_separator(trimmed(first));
  if (declared) first = take_line(body, {file.name(), ++line});
  const char separator = declared.value_or(separator_of(first));
  std::vector<std::string_view> names;
  split_fields(first, {file.name(), line}, names, separator);
  const RecordHeader header = read_record_header(names, {file.name(), line}, options.shelf_life);
  RecordRows rows(header, separator, file.name());
  for (body = without_blank_end(body); !body.empty();) {
    ++line;
    rows.add(take_line(body, {file.name(), line}), line);
  }
  return {.days = rows.take(options),
          .columns = {.stockout = header.has(record_column::stockout),
                      .ordered = header.has(record_column::ordered),
                      .wasted = header.has(record_column::wasted),
                      .received = header.received,
                      .unused = header.unused}};
}

}  // namespace shortfall::io
