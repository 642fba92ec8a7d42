#include "text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "text/text.hpp"

namespace shortfall::io {
namespace {

/// Takes a quoted field off `rest`, up to the separator after it.
std::string_view take_quoted(std::string_view& rest, const Place& place, char separator) {
  const std::string_view whole = rest;
  rest.remove_prefix(rest.find('"') + 1);
  std::size_t close = rest.find('"');
  while (rest.substr(std::min(close, rest.size())).starts_with("\"\"")) {
    close = rest.find('"', close + 2);
  }
  if (close == std::string_view::npos) {
    reject_field(place, trimmed(whole), "a closing quote on the same line");
  }
  const std::string_view field = trimmed(rest.substr(0, close));
  rest.remove_prefix(close + 1);
  const std::size_t end = std::min(rest.find(separator), rest.size());
  if (!trimmed(rest.substr(0, end)).empty()) {
    reject_field(place, trimmed(whole.substr(0, whole.size() - rest.size() + end)),
                 "a field, or a field in quotes, with quotes inside doubled");
  }
  rest.remove_prefix(end);
  return field;
}

}  // namespace

std::string_view without_blank_end(std::string_view text) {
  // Bounded, so that a file that is one long line of blanks is not scanned back to its beginning.
  for (std::size_t run = 0; run <= longest_line && !text.empty(); ++run) {
    if (text.back() == '\n') {
      run = 0;
    } else if (blanks.find(text.back()) == std::string_view::npos) {
      break;
    }
    text.remove_suffix(1);
  }
  return text;
}

std::string_view take_line(std::string_view& text, const Place& place) {
  const std::size_t end = text.substr(0, longest_line + 1).find('\n');
  if (end == std::string_view::npos && text.size() > longest_line) {
    reject(place, "the line is too long", fmt::format("at most {} bytes per line", longest_line));
  }
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  check_is_text(place, line);
  return line;
}

void split_fields(std::string_view line, const Place& place, std::vector<std::string_view>& fields,
                  char separator) {
  fields.clear();
  for (std::string_view rest = line;;) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    if (trimmed(rest.substr(0, end)).starts_with('"')) {
      fields.push_back(take_quoted(rest, place, separator));
    } else {
      fields.push_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end);
    }
    if (rest.empty()) return;
    rest.remove_prefix(1);
  }
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

bool Header::has(std::size_t column) const {
  return std::ranges::find(columns, column) != columns.end();
}

Header read_header(std::string_view line, const Place& place, const HeaderRule& rule) {
  if (trimmed(line).empty()) reject(place, "the line is blank", rule.accepted);
  Header header;
  split_fields(line, place, header.names);
  for (std::string_view& name : header.names) {
    const auto known = std::ranges::find(rule.known, name);
    const auto column = static_cast<std::size_t>(known - rule.known.begin());
    if (known == rule.known.end()) {
      reject(place, fmt::format("unknown column {}", quotation(name)), rule.accepted);
    }
    if (header.has(column))
      reject(place, fmt::format("column {} appears twice", name), rule.accepted);
    header.columns.push_back(column);
    name = *known;
  }
  for (std::size_t column = 0; column < rule.required; ++column) {
    if (header.has(column)) continue;
    reject(place, fmt::format("column {} is missing", rule.known[column]), rule.accepted);
  }
  return header;
}

}  // namespace shortfall::io
