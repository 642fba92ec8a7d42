#include "io/rows.hpp"

#include <fmt/format.h>

#include <string>

namespace shortfall::io {

void AnyRow::start(std::string_view line, const Place& place) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
    reject(place, "the line is blank", "blank lines after the last row only");
  }
  split_fields(line, place, fields_);
  if (fields_.size() != header_.names.size()) {
    std::string names;
    for (const std::string_view name : header_.names) names += fmt::format("{},", name);
    names.pop_back();
    reject(place, fmt::format("found {} field(s)", fields_.size()),
           fmt::format("{}: {}", header_.names.size(), names));
  }
  place_ = place;
  at_ = 0;
}

}  // namespace shortfall::io
