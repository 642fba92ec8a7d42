#include "shortfall/formats/records_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "files/input_file.hpp"
#include "formats/records_columns.hpp"
#include "formats/records_dates.hpp"
#include "formats/records_headings.hpp"
#include "text/csv.hpp"
#include "text/number.hpp"
#include "text/problems.hpp"
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
  constexpr std::array<std::string_view, 12> no = {
      "", "0", "-", "n", "no", "non", "false", "nein", "falsch", "faux", "falso", "nee"};
  constexpr std::array<std::string_view, 16> yes = {"1",  "x",  "y",    "yes",      "t",    "true",
                                                    "j",  "ja", "wahr", "oui",      "vrai", "si",
                                                    "sí", "sì", "sim",  "verdadero"};
  const std::string word = lower_case(field);
  if (std::ranges::find(no, word) != no.end()) return false;
  if (std::ranges::find(yes, word) == yes.end()) {
    reject_field(place, field, "0 or no; 1 or yes if the stock ran out");
  }
  return true;
}

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}

/// Reads rows one by one, and keeps what is wrong with them. Their dates are read last: only the
/// whole file shows whether the day or the month comes first.
class RecordRows {
 public:
  RecordRows(const RecordHeader& header, char separator, std::string_view file)
      : header_(header), separator_(separator), file_(file), problems_(file) {
    for (std::size_t i = 0; i < header.columns.size(); ++i) {
      if (header.columns[i] == record_column::date) date_ = i;
      if (header.columns[i] == record_column::demand) demand_ = i;
    }
  }

  void add(std::string_view line, std::size_t number) {
    if (!problems_.keep([&] { split_fields(line, {file_, number}, fields_, separator_); })) return;
    if (std::ranges::all_of(fields_, &std::string_view::empty)) return;
    if (is_no_row()) {
      skipped_.push_back(fmt::format("line {}", number));
      return;
    }
    while (fields_.size() > header_.columns.size() && fields_.back().empty()) fields_.pop_back();
    if (fields_.size() != header_.columns.size()) {
      problems_.keep([&] { reject_length(number); });
      return;
    }
    days_.emplace_back();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const std::size_t column = header_.columns[i];
      if (column == record_column::unused) continue;
      problems_.keep([&] { read(column, {file_, number, record_column::names[column]}, i); });
    }
    problems_.keep([&] { read_received(number); });
    demanded_ += days_.back().demand;
  }

  std::vector<DayRecord> take(const RecordsOptions& options) {
    if (days_.empty() && problems_.empty()) {
      reject({file_}, "there is no row after the header", "one row per day");
    }
    const std::vector<std::optional<std::chrono::sys_days>> dates =
        read_dates(written_, file_, options, problems_);
    std::vector<DatedLine> known;
    for (std::size_t i = 0; i < dates.size(); ++i) {
      if (!dates[i]) continue;
      days_[i].date = *dates[i];
      known.push_back({*dates[i], written_[i].line});
    }
    check_repeated(known);
    check_order(known);
    problems_.throw_if_any();
    if (days_.front().date > days_.back().date) std::ranges::reverse(days_);
    return std::move(days_);
  }

  std::vector<std::string> skipped() const { return skipped_; }

 private:
  struct DatedLine {
    std::chrono::sys_days date;
    std::size_t line;
  };

  /// A line of totals, or a heading or a note between rows.
  bool is_no_row() const {
    if (date_ >= fields_.size()) {
      return fields_.size() == 1 && header_.columns.size() > 1 && !has_digit(fields_[0]);
    }
    const std::string_view date = fields_[date_];
    if (is_total_label(date) || is_total_label(fields_[0])) return true;
    const auto filled = std::ranges::count_if(fields_, [](auto field) { return !field.empty(); });
    if (filled == 1 && !date.empty()) return !has_digit(date);
    // A line of totals without a label.
    return date.empty() && !days_.empty() && demand_ < fields_.size() &&
           fields_[demand_] == fmt::format("{}", demanded_) && days_.size() > 1;
  }

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
  void check_order(const std::vector<DatedLine>& dates) {
    std::size_t falls = 0;
    for (std::size_t i = 1; i < dates.size(); ++i) {
      falls += dates[i].date < dates[i - 1].date ? 1u : 0u;
    }
    const bool newest_first = 2 * falls >= dates.size();
    for (std::size_t i = 1; i < dates.size(); ++i) {
      const auto& [date, line] = dates[i];
      const auto& [before, line_before] = dates[i - 1];
      if (date == before || (date < before) == newest_first) continue;
      problems_.keep([&, line = line, date = date, before = before, line_before = line_before] {
        reject({file_, line, record_column::names[record_column::date]},
               fmt::format("found {} after {} on line {}", inventory::iso_date(date),
                           inventory::iso_date(before), line_before),
               "rows in the order of their dates, oldest first or newest first");
      });
    }
  }

  void check_repeated(std::vector<DatedLine> dates) {
    std::ranges::stable_sort(dates, {}, &DatedLine::date);
    for (std::size_t i = 1; i < dates.size(); ++i) {
      if (dates[i].date != dates[i - 1].date) continue;
      problems_.keep([&] {
        reject({file_, dates[i].line, record_column::names[record_column::date]},
               fmt::format("{} is on line {} as well", inventory::iso_date(dates[i].date),
                           dates[i - 1].line),
               "one row per day");
      });
    }
  }

  const RecordHeader& header_;
  char separator_;
  std::string_view file_;
  Problems problems_;
  std::size_t date_ = 0;  // of the fields
  std::size_t demand_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<DayRecord> days_;
  std::vector<WrittenDate> written_;  // one for each day
  std::vector<std::string> skipped_;
  std::uint64_t demanded_ = 0;
};

/// Excel's own way to say which separator a file has.
std::optional<char> declared_separator(std::string_view line) {
  const bool declares = line.size() == 5 && line.starts_with("sep=");
  return declares ? std::optional(line[4]) : std::nullopt;
}

/// How many lines are above the header: none, unless a later line is one and the first is not.
std::size_t lines_above_header(std::string_view text, const RecordsOptions& options) {
  constexpr std::size_t most = 20;
  const auto is_one = [&](std::string_view line) {
    return is_header(line, separator_of(line, options.columns), options.columns);
  };
  for (std::size_t above = 0; above <= most && !text.empty(); ++above) {
    const std::size_t end = text.substr(0, longest_line).find('\n');
    if (is_one(trimmed(text.substr(0, end)))) return above;
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return 0;
}

}  // namespace

Records read_records_csv(const std::string& path, const RecordsOptions& options) {
  const InputFile file(path);
  std::string_view body = file.text();
  std::size_t line = 1;
  std::optional<char> declared;
  std::vector<std::string> skipped;
  std::string_view first = take_line(body, {file.name(), line});
  const auto next = [&] { first = take_line(body, {file.name(), ++line}); };
  declared = declared_separator(trimmed(first));
  if (declared) {
    next();
  } else {
    for (std::size_t above = lines_above_header(file.text(), options); above > 0; --above) {
      if (!trimmed(first).empty()) skipped.push_back(fmt::format("line {}", line));
      next();
    }
  }
  const char separator = declared.value_or(separator_of(first, options.columns));
  std::vector<std::string_view> names;
  split_fields(first, {file.name(), line}, names, separator);
  const RecordHeader header = read_record_header(names, {file.name(), line}, options);
  RecordRows rows(header, separator, file.name());
  for (body = without_blank_end(body); !body.empty();) {
    ++line;
    rows.add(take_line(body, {file.name(), line}), line);
  }
  std::vector<DayRecord> days = rows.take(options);
  std::ranges::move(rows.skipped(), std::back_inserter(skipped));
  return {.days = std::move(days),
          .columns = {.stockout = header.has(record_column::stockout),
                      .ordered = header.has(record_column::ordered),
                      .wasted = header.has(record_column::wasted),
                      .received = header.received,
                      .unused = header.unused,
                      .mapped = header.mapped,
                      .skipped = std::move(skipped)}};
}

}  // namespace shortfall::io
