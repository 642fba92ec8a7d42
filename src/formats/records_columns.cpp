#include "formats/records_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "text/likely_name.hpp"

namespace shortfall::io {
namespace {

std::string accepted_columns(std::size_t shelf_life) {
  return fmt::format(
      "date,demand, and if known stockout, ordered, wasted, received_1 to received_{}, in any "
      "order",
      shelf_life == 0 ? "M for shelf life M" : fmt::format("{}", shelf_life));
}

std::string lower_case(std::string_view name) {
  std::string result(name);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Rejects an unknown name that may stand for a column which the header lacks: a needed one, units
/// received, or the one that it resembles.
void check_unused(const RecordHeader& header, std::string_view name, const Place& place,
                  std::size_t shelf_life) {
  const std::string lower = lower_case(name);
  const std::string_view likely = likely_name(lower, record_column::names);
  const auto meant = static_cast<std::size_t>(std::ranges::find(record_column::names, likely) -
                                              record_column::names.begin());
  const bool lacks_needed = !header.has(record_column::date) || !header.has(record_column::demand);
  const bool resembles = meant != record_column::unused && !header.has(meant);
  if (!lacks_needed && !resembles && !lower.starts_with("received")) return;
  const std::string hint = lower == "received" ? ": units are received by days left"
                           : likely.empty()    ? ""
                                               : fmt::format(", did you mean {}?", likely);
  reject(place, fmt::format("unknown column {}{}", quotation(name), hint),
         accepted_columns(shelf_life));
}

void check_complete(const RecordHeader& header, const Place& place, std::size_t shelf_life) {
  const std::size_t expected = header.received == 0 ? 0 : std::max(header.received, shelf_life);
  for (std::size_t column = 0; column < record_column::first_received + expected; ++column) {
    const bool optional = column > record_column::demand && column < record_column::first_received;
    if (optional || header.has(column)) continue;
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

}  // namespace

bool RecordHeader::has(std::size_t column) const {
  return std::ranges::find(columns, column) != columns.end();
}

char separator_of(std::string_view header_line) {
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
    if (column >= record_column::first_received && column != record_column::unused) {
      header.received = std::max(header.received, column - record_column::first_received + 1);
    }
  }
  for (const std::string& name : header.unused) check_unused(header, name, place, shelf_life);
  check_complete(header, place, shelf_life);
  return header;
}

}  // namespace shortfall::io
