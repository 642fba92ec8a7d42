#include "io/text.hpp"

namespace shortfall::io {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

void check_is_text(const Place& place, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return;
  reject(place, "found a NUL byte, as binary and UTF-16 files have", "text in UTF-8");
}

bool is_standard_input(std::string_view path) {
  return path == "-" || path == "/dev/stdin";
}

}  // namespace shortfall::io
