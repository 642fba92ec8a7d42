#include "formats/records_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "shortfall/inventory/fit/records.hpp"
#include "text/problems.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

std::string accepted_columns(std::size_t shelf_life) {
  return fmt::format(
      "date,demand, and if known stockout, ordered, wasted, received_1 to received_{}, in any "
      "order; other columns are not used",
      shelf_life == 0 ? "M for shelf life M" : fmt::format("{}", shelf_life));
}

/// One letter is wrong, missing or doubled, two are swapped, or the end is missing.
bool resembles(std::string_view name, std::string_view known) {
  if (name.size() > known.size() + 1 || name.size() + 2 < known.size()) return false;
  return edit_distance(name, known) == 1 || known.starts_with(name);
}

/// The unused heading that is likely a column which the header lacks.
const std::string* likely_heading(const RecordHeader& header, std::string_view missing) {
  for (const std::string& name : header.unused) {
    if (likely_name(lower_case(name), record_column::names) == missing) return &name;
  }
  return nullptr;
}

/// Finds columns that are required and missing. One that is likely misspelt is left to
/// check_unused() where that will find it, too.
void check_needed(const RecordHeader& header, const Place& place, std::size_t shelf_life,
                  Problems& problems) {
  for (const std::size_t needed : {record_column::date, record_column::demand}) {
    if (header.has(needed)) continue;
    const std::string_view missing = record_column::names[needed];
    const std::string* const likely = likely_heading(header, missing);
    if (likely && resembles(lower_case(*likely), missing)) continue;
    const std::string unused = inventory::columns_in_words(header.unused);
    problems.keep([&] {
      reject(place,
             likely
                 ? fmt::format("unknown column {}, did you mean {}?", quotation(*likely), missing)
                 : fmt::format("column {} is missing{}", missing,
                               unused.empty() ? "" : fmt::format(", the header has {}", unused)),
             accepted_columns(shelf_life));
    });
  }
}

/// A column that is not used, but may stand for one which the header lacks.
void check_unused(const RecordHeader& header, std::string_view name, const Place& place,
                  std::size_t shelf_life) {
  constexpr std::size_t longest = 64;
  const std::string lower = lower_case(name.substr(0, longest));
  std::string hint;
  for (std::size_t column = 0; column < record_column::unused; ++column) {
    if (!resembles(lower, record_column::names[column]) || header.has(column)) continue;
    hint = fmt::format(", did you mean {}?", record_column::names[column]);
    break;
  }
  const bool is_received = lower == "received" || lower.starts_with("received_");
  if (header.received == 0 && is_received) hint = ": units are received by days left";
  if (hint.empty()) return;
  reject(place, fmt::format("unknown column {}{}", quotation(name), hint),
         accepted_columns(shelf_life));
}

void check_received(const RecordHeader& header, const Place& place, std::size_t shelf_life) {
  const std::size_t expected = header.received == 0 ? 0 : std::max(header.received, shelf_life);
  for (std::size_t i = 0; i < expected; ++i) {
    const std::size_t column = record_column::first_received + i;
    if (header.has(column)) continue;
    reject(place, fmt::format("column {} is missing", record_column::names[column]),
           accepted_columns(shelf_life));
  }
  if (shelf_life > 0 && header.received > shelf_life) {
    reject(
        place,
        fmt::format("column received_{} is beyond the shelf life {}", header.received, shelf_life),
        accepted_columns(shelf_life));
  }
}

/// The fields of a line that may be a header, without quotes around them.
std::vector<std::string_view> likely_fields(std::string_view line, char separator) {
  std::vector<std::string_view> fields = split(line, separator);
  for (std::string_view& field : fields) {
    field = trimmed(field);
    if (field.size() > 1 && field.starts_with('"') && field.ends_with('"')) {
      field = trimmed(field.substr(1, field.size() - 2));
    }
  }
  return fields;
}

/// A heading that was given, but is not there.
void check_given(const std::vector<std::string_view>& fields, const Place& place,
                 const RecordsOptions& options) {
  for (const auto& [column, heading] : options.columns) {
    const bool is_there = std::ranges::any_of(
        fields, [&](std::string_view field) { return lower_case(field) == lower_case(heading); });
    if (is_there) continue;
    reject(place,
           fmt::format("there is no column {} for {}, the header has {}", quotation(heading),
                       column, inventory::columns_in_words({fields.begin(), fields.end()})),
           fmt::format("a heading of the file, in {}",
                       heading_option(options.style, column, "HEADING")));
  }
}

/// Two headings that may mean the same.
void check_meanings(const RecordHeader& header, const std::vector<std::string_view>& fields,
                    const Place& place, const RecordsOptions& options) {
  for (std::size_t i = 0; i < header.columns.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::size_t column = header.columns[i];
      if (column == record_column::unused || header.columns[j] != column) continue;
      if (header.matches[i] != Match::meaning) {
        reject(place, fmt::format("column {} appears twice", record_column::names.at(column)),
               accepted_columns(options.shelf_life));
      }
      reject(
          place,
          fmt::format("{} and {} may both be {}", quotation(fields[j]), quotation(fields[i]),
                      record_column::names.at(column)),
          fmt::format("which one it is, by {}",
                      heading_option(options.style, record_column::names.at(column), fields[j])));
    }
  }
}

}  // namespace

bool RecordHeader::has(std::size_t column) const {
  return std::ranges::find(columns, column) != columns.end();
}

bool is_header(std::string_view line, char separator, const std::vector<ColumnHeading>& given) {
  bool has_date = false;
  bool has_demand = false;
  for (const auto& [column, match] : match_headings(likely_fields(line, separator), given)) {
    has_date = has_date || column == record_column::date;
    has_demand = has_demand || column == record_column::demand;
  }
  return has_date && has_demand;
}

char separator_of(std::string_view header_line, const std::vector<ColumnHeading>& given) {
  for (const char separator : {',', ';', '\t'}) {
    if (is_header(header_line, separator, given)) return separator;
  }
  for (const char separator : {';', '\t'}) {
    if (header_line.find(separator) != std::string_view::npos) return separator;
  }
  return ',';
}

RecordHeader read_record_header(const std::vector<std::string_view>& fields, const Place& place,
                                const RecordsOptions& options) {
  RecordHeader header;
  std::vector<std::string_view> headings = fields;
  while (!headings.empty() && headings.back().empty()) headings.pop_back();
  for (const auto& [column, match] : match_headings(headings, options.columns)) {
    const std::string_view heading = headings[header.columns.size()];
    header.columns.push_back(column);
    header.matches.push_back(match);
    if (column == record_column::unused) {
      header.unused.emplace_back(heading);
    } else if (match == Match::meaning) {
      header.mapped.push_back(
          fmt::format("{} as {}", quotation(heading), record_column::names.at(column)));
    }
    if (record_column::is_received(column)) {
      header.received = std::max(header.received, column - record_column::first_received + 1);
    }
  }
  check_given(headings, place, options);
  check_meanings(header, headings, place, options);
  Problems problems(place.file);
  check_needed(header, place, options.shelf_life, problems);
  for (const std::string& name : header.unused) {
    problems.keep([&] { check_unused(header, name, place, options.shelf_life); });
  }
  problems.keep([&] { check_received(header, place, options.shelf_life); });
  problems.throw_if_any();
  return header;
}

}  // namespace shortfall::io
