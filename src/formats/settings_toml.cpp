#include "formats/settings_toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors/require.hpp"
#include "formats/inventory_keys.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

Value converted(const toml::node& node) {
  if (const auto* value = node.as_boolean()) return {value->get()};
  if (const auto* value = node.as_integer()) return {value->get()};
  if (const auto* value = node.as_floating_point()) return {value->get()};
  if (const auto* value = node.as_string()) return {value->get()};
  if (node.is_table()) return {Value::Other{"a table"}};
  const toml::array* const array = node.as_array();
  if (!array) return {Value::Other{"a date or time"}};
  Value::List list;
  for (const toml::node& entry : *array) list.push_back(converted(entry));
  return {std::move(list)};
}

/// A table name or key, and its line. TOML tables iterate in alphabetical order, but errors are
/// reported in the order of the file.
struct Entry {
  std::string name;
  const toml::node* node;
  std::size_t line;
};

std::vector<Entry> entries_by_line(const toml::table& table, const std::string& prefix) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) {
    const auto line = std::max(key.source().begin.line, toml::source_index{1});
    entries.push_back({prefix + std::string(key.str()), &node, line});
  }
  std::ranges::stable_sort(entries, {}, &Entry::line);
  return entries;
}

/// How many brackets around a value and dots of its key are accepted together.
constexpr std::size_t deepest_nesting = 64;

/// Where quoted text that begins at `at` ends; several lines later if its quotes are triple.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const std::string quotes(3, text[at]);
  const bool is_long = text.substr(at).starts_with(quotes);
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\' && quotes[0] == '"') {
      ++at;
    } else if (!is_long && (text[at] == quotes[0] || text[at] == '\n')) {
      return at + 1;
    } else if (is_long && text.substr(at).starts_with(quotes)) {
      // The text itself may end with one or two quotes.
      return std::min({text.find_first_not_of(quotes[0], at), at + 5, text.size()});
    }
  }
  return text.size();
}

/// The first line, from 1, that is nested too deep, so that at most some thousand levels reach
/// toml++. For text that is not TOML, correct up to the first syntax error.
std::optional<std::size_t> line_nested_too_deep(std::string_view text) {
  std::size_t brackets = 0;
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    if (c == '.') ++dots;
    if (c == '=' || c == ',' || c == '\n') dots = 0;
    if (brackets + dots > deepest_nesting) {
      return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
    }
    at = c == '#'                ? std::min(text.find('\n', at), text.size())
         : c == '"' || c == '\'' ? end_of_quoted(text, at)
                                 : at + 1;
  }
  return std::nullopt;
}

std::string accepted_nesting() {
  return fmt::format("at most {} levels of names and brackets", deepest_nesting);
}

/// toml++ parses recursively, so input that is nested too deep for the stack must not reach it.
toml::table parsed(std::string_view text, const std::string& name) {
  if (const auto line = line_nested_too_deep(text)) {
    reject({.file = name, .line = *line}, "nested too deeply", accepted_nesting());
  }
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    reject({.file = name, .line = error.source().begin.line}, std::string(error.description()),
           "a configuration in TOML");
  }
}

}  // namespace

Settings read_settings(std::string_view text, const std::string& name) {
  const toml::table document = parsed(text, name);
  Settings settings;
  for (const Entry& top : entries_by_line(document, "")) {
    const std::string where = fmt::format("{}, line {}", name, top.line);
    const toml::table* const table = top.node->as_table();
    if (!table && !top.node->is_array_of_tables()) {
      check_key(top.name, fmt::format("{}, key {}", where, top.name));
    }
    check_table(top.name, fmt::format("{}, table [{}]", where, top.name));
    require(table != nullptr, "{}: found a list of tables [[{}]]; accepted: one table [{}]", where,
            top.name, top.name);
    for (const Entry& entry : entries_by_line(*table, top.name + ".")) {
      std::string place = fmt::format("{}, line {}, key {}", name, entry.line, entry.name);
      check_key(entry.name, place);
      settings[entry.name] = {std::move(place), converted(*entry.node), Origin::file};
    }
  }
  return settings;
}

Value parse_value(std::string_view text, std::string_view where) {
  text = trimmed(text);
  require(!text.empty(), "{}: the value is missing; accepted: KEY=VALUE", where);
  const bool one_line = text.find_first_of("\r\n") == std::string_view::npos;
  const std::string line = fmt::format("value = {}", text);
  require(!line_nested_too_deep(line), "{}: nested too deeply; accepted: {}", where,
          accepted_nesting());
  try {
    if (one_line) return converted(*toml::parse(line).get("value"));
  } catch (const toml::parse_error& error) {
    require(std::string_view("[{\"'").find(text.front()) == std::string_view::npos,
            "{}: {}; accepted: a TOML value", where, error.description());
  }
  if (const auto number = parse_number(text)) return {*number};
  return {std::string(text)};
}

}  // namespace shortfall::io
