#include "shortfall/io/law_csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "io/line_chunks.hpp"
#include "io/rows.hpp"
#include "shortfall/io/input_file.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t shortest_row = std::string_view("0\n").size();

namespace column {
enum : std::size_t { value, probability };
constexpr std::array<std::string_view, 2> names = {"value", "probability"};
}  // namespace column

constexpr HeaderRule header_rule{
    .known = column::names,
    .required = 1,
    .accepted = "a column of numbers, or two: value,probability, with or without that header"};

/// The columns of a file whose first line is a row already.
Header implied_header(std::size_t fields, const Place& place) {
  if (fields > column::names.size()) {
    reject(place, fmt::format("found {} fields", fields), header_rule.accepted);
  }
  Header header;
  for (std::size_t i = 0; i < fields; ++i) {
    header.columns.push_back(i);
    header.names.push_back(column::names[i]);
  }
  return header;
}

struct Row {
  double value = 0.0;
  double probability = 0.0;
};

template <class Text>
bool read_row(Text& text, const Header& header, Row& row) {
  for (const std::size_t name : header.columns) {
    if (!text.next_field()) return false;
    const bool read =
        name == column::value ? text.number(row.value) : text.probability(row.probability);
    if (!read) return false;
  }
  return text.line_end();
}

void rescale(std::vector<double>& probabilities, std::string_view file) {
  const double sum = compensated_sum(probabilities);
  if (!(std::abs(sum - 1.0) <= probability_tolerance)) {
    reject({.file = file, .column = column::names[column::probability]},
           fmt::format("the sum is {}", sum), fmt::format("1 within {}", probability_tolerance));
  }
  for (double& p : probabilities) p /= sum;
}

}  // namespace

LoadedLaw read_law_csv(const std::string& path, const ReadOptions& options) {
  const InputFile file(path);
  const Place first_line{file.name(), 1};
  std::string_view after_first = file.text();
  const std::string_view first = take_line(after_first, first_line);
  std::vector<std::string_view> fields;
  split_fields(first, first_line, fields);
  const bool has_header = !parse_number(fields[0]);
  const Header header = has_header ? read_header(first, first_line, header_rule)
                                   : implied_header(fields.size(), first_line);
  const std::string_view body = without_blank_end(has_header ? after_first : file.text());
  if (body.empty()) reject({file.name()}, "there is no number", header_rule.accepted);

  LoadedLaw law;
  const bool weighted = header.has(column::probability);
  const RowContext context{file.name(), header, std::size_t{has_header ? 2u : 1u}};
  const auto read = [&](auto& text, Row& row) { return read_row(text, header, row); };
  const auto store = [&](std::size_t i, const Row& row) {
    law.atoms[i] = row.value;
    if (weighted) law.probabilities[i] = row.probability;
  };
  with_threads(options.threads, [&] {
    const std::vector<LineChunk> chunks = line_chunks(body, options.chunk_bytes, shortest_row);
    const std::size_t rows = row_count(chunks);
    law.atoms.resize(rows);
    law.probabilities.resize(rows, 1.0 / static_cast<double>(rows));
    for_each_chunk(chunks,
                   [&](const LineChunk& chunk) { for_each_row<Row>(chunk, context, read, store); });
  });
  if (weighted) rescale(law.probabilities, file.name());
  return law;
}

}  // namespace shortfall::io
