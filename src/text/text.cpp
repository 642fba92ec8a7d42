#include "text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "shortfall/errors/error.hpp"

namespace shortfall::io {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

void check_is_text(const Place& place, std::string_view text) {
  if (text.starts_with("\x1F\x8B")) {
    reject(place, "this is compressed by gzip", "text in UTF-8, as zcat prints it");
  }
  if (text.starts_with("PK\x03\x04")) {
    reject(place, "this is a spreadsheet workbook or a ZIP archive", "text, saved as CSV");
  }
  if (text.find('\0') == std::string_view::npos) return;
  reject(place, "found a NUL byte, as binary and UTF-16 files have", "text in UTF-8");
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

void reject(const Place& place, std::string_view problem, std::string_view accepted) {
  std::string where(place.file);
  if (place.line > 0) where += fmt::format(", line {}", place.line);
  if (!place.column.empty()) where += fmt::format(", column {}", place.column);
  throw InvalidInput(fmt::format("{}: {}; accepted: {}", where, problem, accepted));
}

void reject_field(const Place& place, std::string_view field, std::string_view accepted) {
  reject(place, "found " + quotation(field), accepted);
}

std::string quotation(std::string_view text) {
  constexpr std::size_t longest_quotation = 60;
  if (text.size() <= longest_quotation) return fmt::format("{:?}", text);
  return fmt::format("{:?}...", text.substr(0, longest_quotation));
}

namespace {

// No known name is longer, so longer names are not compared.
constexpr std::size_t longest_name = 64;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between the first i letters of a and the first j letters of b.
  std::vector<std::size_t> two_before(b.size() + 1);
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_before, before);
    std::swap(before, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + changed});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string_view likely_name(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > longest_name) return {};
  std::string_view likely;
  std::size_t least = std::max<std::size_t>(2, name.size() / 4) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= least) continue;
    least = distance;
    likely = candidate;
  }
  return likely;
}

}  // namespace shortfall::io
