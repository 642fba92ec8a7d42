#include "formats/rows.hpp"

#include <fmt/format.h>

#include <string>

namespace shortfall::io {

double read_probability(std::string_view field, const Place& place) {
  const double p = read_number(field, place);
  if (!is_probability(p)) reject_field(place, field, "a number in [0, 1]");
  return p;
}

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
