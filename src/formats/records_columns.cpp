#include "formats/records_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "shortfall/inventory/fit/records.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

std::string accepted_columns(std::size_t shelf_life) {
  return fmt::format(
      "date,demand, and if known stockout, ordered, wasted, received_1 to received_{}, in any "
      "order; other columns are not used",
      shelf_life == 0 ? "M for shelf life M" : fmt::format("{}", shelf_life));
}

std::string lower_case(std::string_view name) {
  std::string result(name);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Rejects a header without a required column, or with a similar name in its place.
void check_needed(const RecordHeader& header, const Place& place, std::size_t shelf_life) {
  for (const std::size_t needed : {record_column::date, record_column::demand}) {
    if (header.has(needed)) continue;
    const std::string_view missing = record_column::names[needed];
    for (const std::string& name : header.unused) {
      if (likely_name(lower_case(name), record_column::names) != missing) continue;
      reject(place, fmt::format("unknown column {}, did you mean {}?", quotation(name), missing),
             accepted_columns(shelf_life));
    }
    const std::string unused = inventory::columns_in_words(header.unused);
    reject(place,
           fmt::format("column {} is missing{}", missing,
                       unused.empty() ? "" : fmt::format(", the header has {}", unused)),
           accepted_columns(shelf_life));
  }
}

/// One letter is wrong, missing or doubled, two are swapped, or the end is missing.
bool resembles(std::string_view name, std::string_view known) {
  if (name.size() > known.size() + 1 || name.size() + 2 < known.size()) return false;
  return edit_distance(name, known) == 1 || known.starts_with(name);
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

/// Whether a header has the needed columns if this separates its fields.
bool separates(char separator, std::string_view header_line) {
  const auto is_in = [&](std::string_view needed) {
    return std::ranges::any_of(split(header_line, separator), [&](std::string_view field) {
      field = trimmed(field);
      if (field.size() > 1 && field.starts_with('"') && field.ends_with('"')) {
        field = trimmed(field.substr(1, field.size() - 2));
      }
      return lower_case(field) == needed;
    });
  };
  return is_in(record_column::names[record_column::date]) &&
         is_in(record_column::names[record_column::demand]);
}

}  // namespace

bool RecordHeader::has(std::size_t column) const {
  return std::ranges::find(columns, column) != columns.end();
}

char separator_of(std::string_view header_line) {
  for (const char separator : {',', ';', '\t'}) {
    if (separates(separator, header_line)) return separator;
  }
  for (const char separator : {';', '\t'}) {
    if (header_line.find(separator) != std::string_view::npos) return separator;
  }
  return ',';
}

RecordHeader read_record_header(const std::vector<std::string_view>& fields, const Place& place,
                                std::size_t shelf_life) {
  RecordHeader header;
  std::size_t named = fields.size();
  while (named > 0 && fields[named - 1].empty()) --named;
  for (std::size_t i = 0; i < named; ++i) {
    const auto known = std::ranges::find(record_column::names, lower_case(fields[i]));
    const auto column = static_cast<std::size_t>(known - record_column::names.begin());
    if (column == record_column::unused) {
      header.unused.emplace_back(fields[i]);
    } else if (header.has(column)) {
      reject(place, fmt::format("column {} appears twice", *known), accepted_columns(shelf_life));
    }
    header.columns.push_back(column);
    if (record_column::is_received(column)) {
      header.received = std::max(header.received, column - record_column::first_received + 1);
    }
  }
  check_needed(header, place, shelf_life);
  for (const std::string& name : header.unused) check_unused(header, name, place, shelf_life);
  check_received(header, place, shelf_life);
  return header;
}

}  // namespace shortfall::io
