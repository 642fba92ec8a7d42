#include "shortfall/formats/law_csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "files/line_chunks.hpp"
#include "files/line_windows.hpp"
#include "formats/rows.hpp"
#include "parallel/threads.hpp"
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

/// The columns of a file without a header.
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

/// All rows of the file; `window` holds the first ones.
LoadedLaw read_rows(LineWindows& file, std::string_view window, const RowContext& context,
                    std::size_t chunk_bytes) {
  LoadedLaw law;
  const bool weighted = context.header.has(column::probability);
  const auto read = [&](auto& text, Row& row) { return read_row(text, context.header, row); };
  const auto store = [&](std::size_t i, const Row& row) {
    law.atoms[i] = row.value;
    if (weighted) law.probabilities[i] = row.probability;
  };
  for (; !window.empty(); window = file.next()) {
    const std::size_t rows_before = law.atoms.size();
    const std::vector<LineChunk> chunks =
        line_chunks(window, chunk_bytes, shortest_row, rows_before);
    const std::size_t rows = row_count(chunks);
    if (rows_before == 0) law.atoms.reserve(rows * (file.size() / window.size() + 1));
    law.atoms.resize(rows);
    if (weighted) law.probabilities.resize(rows);
    for_each_chunk(chunks,
                   [&](const LineChunk& chunk) { for_each_row<Row>(chunk, context, read, store); });
  }
  if (weighted) {
    rescale(law.probabilities, file.name());
  } else {
    const std::size_t rows = law.atoms.size();
    law.probabilities.assign(rows, 1.0 / static_cast<double>(rows));
  }
  return law;
}

}  // namespace

LoadedLaw read_law_csv(const std::string& path, const ReadOptions& options) {
  LoadedLaw law;
  detail::Workers(options.threads).run([&] {
    LineWindows file(path, chunks_per_window * options.chunk_bytes);
    const Place first_line{file.name(), 1};
    std::string_view window = file.next();
    std::string_view after_first = window;
    const std::string_view first = take_line(after_first, first_line);
    std::vector<std::string_view> fields;
    split_fields(first, first_line, fields);
    const bool has_header = !parse_number(fields[0]);
    const Header header = has_header ? read_header(first, first_line, header_rule)
                                     : implied_header(fields.size(), first_line);
    if (has_header) window = after_first.empty() ? file.next() : after_first;
    if (window.empty()) reject({file.name()}, "there is no number", header_rule.accepted);
    const RowContext context{file.name(), header, std::size_t{has_header ? 2u : 1u}};
    law = read_rows(file, window, context, options.chunk_bytes);
  });
  return law;
}

}  // namespace shortfall::io
