#include "shortfall/formats/model_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "files/input_file.hpp"
#include "files/line_chunks.hpp"
#include "files/line_windows.hpp"
#include "formats/rows.hpp"
#include "huge_pages.hpp"
#include "parallel.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t first_row_line = 2;
constexpr std::size_t shortest_row = std::string_view("0,0,0,1,0\n").size();
constexpr std::uint32_t largest_state = std::numeric_limits<StateIndex>::max();
constexpr std::uint32_t largest_action = std::numeric_limits<ActionIndex>::max();

namespace column {
enum : std::size_t { from, action, to, probability, cost, reward };
constexpr std::array<std::string_view, 6> names = {"idstatefrom", "idaction", "idstateto",
                                                   "probability", "cost",     "reward"};
}  // namespace column

constexpr HeaderRule header_rule{
    .known = column::names,
    .required = 4,
    .accepted = "idstatefrom,idaction,idstateto,probability and one of cost,reward, in any order"};

Sense sense_of(const Header& header, const Place& place) {
  const bool has_cost = header.has(column::cost);
  if (has_cost == header.has(column::reward)) {
    reject(place, has_cost ? "both cost and reward are given" : "cost or reward is missing",
           header_rule.accepted);
  }
  return has_cost ? Sense::cost : Sense::reward;
}

/// A row as in the file: ids with their bases, a cost or a reward.
struct Row {
  std::uint32_t from = 0;
  std::uint32_t action = 0;
  std::uint32_t to = 0;
  double probability = 0.0;
  double amount = 0.0;
};

template <class Text>
bool read_row(Text& text, const Header& header, Row& row) {
  const auto read_field = [&](std::size_t name) {
    switch (name) {
      case column::from:
        return text.id(row.from, largest_state);
      case column::action:
        return text.id(row.action, largest_action);
      case column::to:
        return text.id(row.to, largest_state);
      case column::probability:
        return text.probability(row.probability);
      default:
        return text.number(row.amount);
    }
  };
  for (const std::size_t name : header.columns) {
    if (!text.next_field() || !read_field(name)) return false;
  }
  return text.line_end();
}

/// Touching new memory for the first time takes about as long as parsing, so it is done in
/// parallel, too.
void resize(TransitionTable& table, std::size_t rows) {
  detail::parallel_invoke({[&] { table.probability.resize(rows); },
                           [&] { table.cost.resize(rows); }, [&] { table.from.resize(rows); },
                           [&] { table.action.resize(rows); }, [&] { table.to.resize(rows); }});
}

/// Reserves room for `rows`, so that columns are not moved as they grow.
void reserve(TransitionTable& table, std::size_t rows) {
  detail::reserve(table.probability, rows);
  detail::reserve(table.cost, rows);
  detail::reserve(table.from, rows);
  detail::reserve(table.action, rows);
  detail::reserve(table.to, rows);
}

[[noreturn]] void reject_base(const Place& place, std::int64_t smallest) {
  reject(place, fmt::format("the smallest id is {}", smallest), "ids that start at 0 or at 1");
}

/// Makes states and actions count from 0, and stores their bases.
void take_bases(TransitionTable& table, std::string_view file) {
  table.state_base = std::min(std::ranges::min(table.from), std::ranges::min(table.to));
  table.action_base = std::ranges::min(table.action);
  std::size_t i = 0;
  if (table.state_base > 1) {
    while (table.from[i] != table.state_base && table.to[i] != table.state_base) ++i;
    const auto name = table.from[i] == table.state_base ? column::from : column::to;
    reject_base({file, i + first_row_line, column::names[name]}, table.state_base);
  }
  if (table.action_base > 1) {
    while (table.action[i] != table.action_base) ++i;
    reject_base({file, i + first_row_line, column::names[column::action]}, table.action_base);
  }
  for (StateIndex& x : table.from) x -= table.state_base;
  for (StateIndex& x : table.to) x -= table.state_base;
  for (ActionIndex& a : table.action) a -= table.action_base;
}

/// All rows of the file; `window` holds the first ones, after the header.
TransitionTable read_rows(LineWindows& file, std::string_view window, const Header& header,
                          std::size_t chunk_bytes) {
  TransitionTable table;
  const Sense sense = header.has(column::cost) ? Sense::cost : Sense::reward;
  const RowContext context{file.name(), header, first_row_line};
  const auto read = [&](auto& text, Row& row) { return read_row(text, header, row); };
  const auto store = [&](std::size_t i, const Row& row) {
    table.from[i] = row.from;
    table.action[i] = static_cast<ActionIndex>(row.action);
    table.to[i] = row.to;
    table.probability[i] = row.probability;
    table.cost[i] = in_sense(row.amount, sense);
  };
  for (; !window.empty(); window = file.next()) {
    const std::size_t rows_before = table.rows();
    const std::vector<LineChunk> chunks =
        line_chunks(window, chunk_bytes, shortest_row, rows_before);
    const std::size_t rows = row_count(chunks);
    if (rows_before == 0) reserve(table, rows * (file.size() / window.size() + 1));
    resize(table, rows);
    for_each_chunk(chunks,
                   [&](const LineChunk& chunk) { for_each_row<Row>(chunk, context, read, store); });
  }
  return table;
}

}  // namespace

LoadedTable read_table_csv(const std::string& path, const ReadOptions& options) {
  LoadedTable loaded{};
  detail::Workers(options.threads).run([&] {
    LineWindows file(path, chunks_per_window * options.chunk_bytes);
    const Place first_line{file.name(), 1};
    std::string_view window = file.next();
    const Header header = read_header(take_line(window, first_line), first_line, header_rule);
    loaded.sense = sense_of(header, first_line);
    if (window.empty()) window = file.next();
    if (window.empty()) reject({file.name()}, "there is no row", "a header and one row or more");
    loaded.table = read_rows(file, window, header, options.chunk_bytes);
    take_bases(loaded.table, file.name());
  });
  return loaded;
}

LoadedModel read_model_csv(const std::string& path, const ReadOptions& options) {
  LoadedTable loaded = read_table_csv(path, options);
  LoadedModel result{.model = {}, .sense = loaded.sense};
  try {
    detail::Workers(options.threads).run([&] {
      result.model = Mdp::build(std::move(loaded.table));
    });
  } catch (const InvalidModel& error) {
    throw InvalidInput(fmt::format("{}, line {}: {}", input_name(path),
                                   error.row() + first_row_line, error.what()));
  }
  return result;
}

}  // namespace shortfall::io
