#include "text/place.hpp"

#include <fmt/format.h>

#include "shortfall/errors/error.hpp"

namespace shortfall::io {

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

}  // namespace shortfall::io
