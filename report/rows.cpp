#include "report/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "text/csv.hpp"

namespace shortfall::report {

std::string dump(const Json& value) {
  constexpr int on_one_line = -1;
  return value.dump(on_one_line, ' ', false, Json::error_handler_t::replace);
}

namespace {

std::string field_of(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return io::csv_field(value.get<std::string>());
  if (value.is_structured()) throw std::logic_error("a row contains " + dump(value));
  // As in the JSON document, where infinity and NaN are null.
  const std::string text = dump(value);
  return text == "null" ? "" : text;
}

bool is_row(const Json& value) {
  return std::none_of(value.begin(), value.end(), [](const Json& v) { return v.is_structured(); });
}

void add_text(const Json& value, std::string& text, const std::string& line) {
  if (!value.is_structured() || is_row(value)) {
    text += dump(value);
    return;
  }
  text += value.is_object() ? '{' : '[';
  const char* separator = "";
  for (const auto& [key, entry] : value.items()) {
    text += separator;
    text += line + " ";
    if (value.is_object()) text += dump(Json(key)) + ": ";
    add_text(entry, text, line + " ");
    separator = ",";
  }
  text += line;
  text += value.is_object() ? '}' : ']';
}

}  // namespace

std::string text_of(const Json& document) {
  std::string text;
  add_text(document, text, "\n");
  return text + "\n";
}

std::string csv_of(const Json& rows) {
  if (rows.empty()) return "";
  std::string text;
  const auto add_line = [&text](const Json& row, const auto& field) {
    const char* separator = "";
    for (const auto& [key, value] : row.items()) {
      text += separator;
      text += field(key, value);
      separator = ",";
    }
    text += "\n";
  };
  const Json& first = rows.front();
  add_line(first, [](const std::string& key, const Json&) { return io::csv_field(key); });
  for (const Json& row : rows) {
    auto expected = first.begin();
    if (row.size() != first.size())
      throw std::logic_error("a row has different keys: " + dump(row));
    add_line(row, [&](const std::string& key, const Json& value) {
      if (key != (expected++).key())
        throw std::logic_error("a row has different keys: " + dump(row));
      return field_of(value);
    });
  }
  return text;
}

Json digits_of_values(std::span<const double> values) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::uint32_t most = (std::uint32_t{1} << 30) - 1;
  const auto [lowest, highest] = std::ranges::minmax(values);
  const double step = (highest - lowest) / most;
  std::string text;
  text.reserve(5 * values.size());
  for (const double value : values) {
    const double steps = step > 0.0 ? std::round((value - lowest) / step) : 0.0;
    const auto k = static_cast<std::uint32_t>(std::min(steps, static_cast<double>(most)));
    for (int shift = 24; shift >= 0; shift -= 6) text += digits[(k >> shift) & 63U];
  }
  return {{"lowest", lowest}, {"step", step}, {"digits", text}};
}

}  // namespace shortfall::report
