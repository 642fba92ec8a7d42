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
#include "formats/table_memory.hpp"
#include "parallel/threads.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t first_row_line = 2;
constexpr std::size_t rows_per_task = 65536;
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

/// The same for a file with the columns in the usual order, which nearly all have.
template <class Text>
bool read_usual_row(Text& text, Row& row) {
  return text.next_field() && text.id(row.from, largest_state) &&     //
         text.next_field() && text.id(row.action, largest_action) &&  //
         text.next_field() && text.id(row.to, largest_state) &&       //
         text.next_field() && text.probability(row.probability) &&    //
         text.next_field() && text.number(row.amount) && text.line_end();
}

bool has_usual_order(const Header& header) {
  constexpr std::array usual = {column::from, column::action, column::to, column::probability};
  return std::equal(usual.begin(), usual.end(), header.columns.begin());
}

[[noreturn]] void reject_base(const Place& place, std::int64_t smallest) {
  reject(place, fmt::format("the smallest id is {}", smallest), "ids that start at 0 or at 1");
}

template <class Id>
Id smallest(const std::vector<Id>& column) {
  if (column.front() == 0) return 0;  // as in most files
  return detail::parallel_reduce(
      column.size(), rows_per_task, column.front(),
      [&](std::size_t first, std::size_t last) {
        return *std::min_element(column.data() + first, column.data() + last);
      },
      [](Id& a, Id b) { a = std::min(a, b); });
}

template <class Id>
void subtract(Id base, std::vector<Id>& column) {
  if (base == 0) return;
  detail::parallel_for_blocks(column.size(), rows_per_task,
                              [&](std::size_t first, std::size_t last) {
                                for (std::size_t i = first; i < last; ++i) column[i] -= base;
                              });
}

/// Makes states and actions count from 0, and stores their bases.
void take_bases(TransitionTable& table, std::string_view file) {
  table.state_base = smallest(table.from);
  if (table.state_base > 0) table.state_base = std::min(table.state_base, smallest(table.to));
  table.action_base = smallest(table.action);
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
  subtract(table.state_base, table.from);
  subtract(table.state_base, table.to);
  subtract(table.action_base, table.action);
}

/// All rows of the file; `window` holds the first ones, after the header.
TransitionTable read_rows(LineWindows& file, std::string_view window, const Header& header,
                          std::size_t chunk_bytes) {
  TransitionTable table;
  const Sense sense = header.has(column::cost) ? Sense::cost : Sense::reward;
  const RowContext context{file.name(), header, first_row_line};
  const auto read = [&](auto& text, Row& row) { return read_row(text, header, row); };
  const auto read_usual = [](auto& text, Row& row) { return read_usual_row(text, row); };
  const bool usual = has_usual_order(header);
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
    for_each_chunk(chunks, [&](const LineChunk& chunk) {
      usual ? for_each_row<Row>(chunk, context, read_usual, store)
            : for_each_row<Row>(chunk, context, read, store);
    });
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
