#include "shortfall/formats/features_csv.hpp"

#include <fmt/format.h>

#include <string_view>

#include "files/input_file.hpp"
#include "text/csv.hpp"
#include "text/number.hpp"

namespace shortfall::io {
namespace {

std::string feature_name(std::size_t i) {
  return fmt::format("x{}", i + 1);
}

void check_names(const std::vector<std::string_view>& names, const Place& place) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == feature_name(i)) continue;
    reject(place, fmt::format("column {} is '{}'", i + 1, names[i].substr(0, 60)),
           "the header x1,..,xd, in this order");
  }
}

}  // namespace

FeatureRows read_features_csv(const std::string& path) {
  const InputFile file(path);
  std::string_view body = without_blank_end(file.text());
  std::size_t line = 1;
  std::vector<std::string_view> fields;
  const std::string_view header = take_line(body, {file.name(), line});
  split_fields(header, {file.name(), line}, fields);
  check_names(fields, {file.name(), line});
  FeatureRows rows{.dimension = fields.size(), .numbers = {}};
  while (!body.empty()) {
    ++line;
    const std::string_view text = take_line(body, {file.name(), line});
    split_fields(text, {file.name(), line}, fields);
    if (fields.size() != rows.dimension) {
      reject({file.name(), line}, fmt::format("found {} fields", fields.size()),
             fmt::format("{}, one for each column of the header", rows.dimension));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::optional<double> number = parse_finite_number(fields[i]);
      if (!number) {
        reject_field({file.name(), line, feature_name(i)}, fields[i], "a finite number");
      }
      rows.numbers.push_back(*number);
    }
  }
  if (rows.numbers.empty()) {
    reject({file.name()}, "there is no row after the header", "one row per state");
  }
  return rows;
}

}  // namespace shortfall::io
