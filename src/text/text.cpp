#include "text/text.hpp"

#include <fmt/format.h>

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

}  // namespace shortfall::io
