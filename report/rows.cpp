#include "report/rows.hpp"

#include <algorithm>
#include <stdexcept>

namespace shortfall::report {

std::string dump(const Json& value) {
  constexpr int on_one_line = -1;
  return value.dump(on_one_line, ' ', false, Json::error_handler_t::replace);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  field += '"';
  return field;
}

namespace {

std::string field_of(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv_field(value.get<std::string>());
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
  add_line(first, [](const std::string& key, const Json&) { return csv_field(key); });
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

}  // namespace shortfall::report
