#include "formats/distributed_csv.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "formats/model_csv_part.hpp"
#include "formats/table_memory.hpp"
#include "parallel/bytes.hpp"

namespace shortfall::io {
namespace {

using detail::Bytes;
using detail::Communicator;
using detail::DistributedModel;
using detail::Partition;

/// What all ranks know about the ids of a file.
struct Ids {
  StateIndex state_base;
  ActionIndex action_base;
  std::size_t states;
  std::size_t actions;
};

/// Nothing if a base is not accepted, or if there is no row.
std::optional<Ids> ids_of(const TransitionTable& part, Communicator& communicator) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  std::array<double, 4> largest{none, none, none, none};
  const auto take = [&](double& of, double number) { of = std::max(of, number); };
  for (std::size_t i = 0; i < part.rows(); ++i) {
    take(largest[0], -static_cast<double>(std::min(part.from[i], part.to[i])));
    take(largest[1], static_cast<double>(std::max(part.from[i], part.to[i])));
    take(largest[2], -static_cast<double>(part.action[i]));
    take(largest[3], static_cast<double>(part.action[i]));
  }
  communicator.max(largest);
  if (!(largest[0] >= -1.0 && largest[2] >= -1.0)) return std::nullopt;
  Ids ids{.state_base = static_cast<StateIndex>(-largest[0]),
          .action_base = static_cast<ActionIndex>(-largest[2]),
          .states = 0,
          .actions = 0};
  ids.states = static_cast<std::size_t>(largest[1]) - ids.state_base + 1;
  ids.actions = static_cast<std::size_t>(largest[3] + largest[2]) + 1;
  return ids;
}

/// Whether more ids would be needed than all rows can name.
bool has_gap_by_size(const Ids& ids, std::uint64_t rows) {
  return ids.states > 2 * rows || ids.actions > rows;
}

/// Rows as they are sent.
struct SentRow {
  double probability;
  double cost;
  StateIndex from;
  ActionIndex action;
  StateIndex to;
  std::uint32_t padding = 0;
};

/// Takes the rows of states that other ranks have out of the table, keeping the order of both.
std::vector<Bytes> take_foreign_rows(TransitionTable& part, std::span<const std::size_t> begin,
                                     std::size_t rank) {
  std::vector<Bytes> sent(begin.size() - 1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < part.rows(); ++i) {
    const auto owner = static_cast<std::size_t>(
        std::upper_bound(begin.begin() + 1, begin.end() - 1, part.from[i]) - begin.begin() - 1);
    if (owner == rank) {
      part.from[kept] = part.from[i];
      part.action[kept] = part.action[i];
      part.to[kept] = part.to[i];
      part.probability[kept] = part.probability[i];
      part.cost[kept] = part.cost[i];
      ++kept;
    } else {
      const SentRow row{part.probability[i], part.cost[i], part.from[i], part.action[i],
                        part.to[i]};
      const auto bytes = std::as_bytes(std::span(&row, 1));
      sent[owner].insert(sent[owner].end(), bytes.begin(), bytes.end());
    }
  }
  // What many rows leave is given back before as many arrive.
  const bool are_many = kept < part.rows() - part.rows() / 4;
  const auto cut = [&](auto& column) {
    column.resize(kept);
    if (are_many) column.shrink_to_fit();
  };
  cut(part.from);
  cut(part.action);
  cut(part.to);
  cut(part.probability);
  cut(part.cost);
  return sent;
}

/// Appends rows that were sent, and frees them.
void append(TransitionTable& table, Bytes& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(SentRow)) {
    SentRow row;
    std::memcpy(&row, bytes.data() + at, sizeof(SentRow));
    table.add(row.from, row.action, row.to, row.probability, row.cost);
  }
  Bytes().swap(bytes);
}

/// Likewise, one column after the other.
void append(TransitionTable& table, TransitionTable& more) {
  const auto join = [](auto& column, auto& other) {
    column.insert(column.end(), other.begin(), other.end());
    std::remove_reference_t<decltype(other)>().swap(other);
  };
  join(table.from, more.from);
  join(table.action, more.action);
  join(table.to, more.to);
  join(table.probability, more.probability);
  join(table.cost, more.cost);
}

/// The rows of own states in the order of the file: parts of the file are in order of rank.
TransitionTable own_rows(TransitionTable part, std::span<const std::size_t> begin,
                         Communicator& communicator) {
  const std::size_t rank = communicator.rank();
  std::vector<Bytes> received = communicator.trade(take_foreign_rows(part, begin, rank));
  std::size_t rows = part.rows();
  for (const Bytes& bytes : received) rows += bytes.size() / sizeof(SentRow);
  TransitionTable own;
  own.state_base = part.state_base;
  own.action_base = part.action_base;
  if (rows == part.rows()) return part;
  reserve(own, rows);
  for (std::size_t r = 0; r < rank; ++r) append(own, received[r]);
  append(own, part);
  for (std::size_t r = rank + 1; r < communicator.size(); ++r) append(own, received[r]);
  return own;
}

/// Of the parts of all ranks.
std::vector<std::uint64_t> outcomes_by_block(const TransitionTable& part, std::size_t states,
                                             Communicator& communicator) {
  const std::size_t block = Partition::block_size(states);
  std::vector<std::uint64_t> outcomes((states + block - 1) / block);
  for (const StateIndex x : part.from) ++outcomes[x / block];
  communicator.sum(outcomes);
  return outcomes;
}

/// Whether every state occurs, as one that is left or as a successor.
bool has_every_state(const TransitionTable& own, std::span<const std::size_t> begin,
                     Communicator& communicator) {
  std::vector<std::uint8_t> occurs(begin.back());
  for (const StateIndex x : own.from) occurs[x] = 1;
  for (const StateIndex x : own.to) occurs[x] = 1;
  std::vector<Bytes> marks;
  for (std::size_t r = 0; r + 1 < begin.size(); ++r) {
    const auto of_rank =
        std::as_bytes(std::span(occurs).subspan(begin[r], begin[r + 1] - begin[r]));
    marks.emplace_back(of_rank.begin(), of_rank.end());
  }
  marks = communicator.trade(std::move(marks));
  bool here = true;
  for (std::size_t x = 0; x < marks[0].size(); ++x) {
    here &= std::ranges::any_of(marks, [&](const Bytes& m) { return m[x] != std::byte{0}; });
  }
  return communicator.all(here);
}

bool has_every_action(const TransitionTable& own, std::size_t actions, Communicator& communicator) {
  std::vector<double> occurs(actions);
  for (const ActionIndex a : own.action) occurs[static_cast<std::size_t>(a)] = 1.0;
  communicator.max(occurs);
  return std::ranges::all_of(occurs, [](double mark) { return mark > 0.0; });
}

/// The part of this rank, nothing if it is not sound.
std::optional<LoadedTable> read_part(const std::string& path, Communicator& communicator,
                                     const ReadOptions& options) {
  std::optional<LoadedTable> loaded;
  try {
    loaded = read_table_part(path, {communicator.rank(), communicator.size()}, options);
  } catch (const InvalidInput&) {
  }
  if (!communicator.all(loaded.has_value())) return std::nullopt;
  return loaded;
}

/// Whether all ranks read the same file, as far as its size and its header tell.
bool is_same_for_all(const std::string& path, Sense sense, Communicator& communicator) {
  const double size = static_cast<double>(file_size(path));
  const double kind = sense == Sense::reward ? 1.0 : 0.0;
  return communicator.max(size) == communicator.min(size) &&
         communicator.max(kind) == communicator.min(kind);
}

}  // namespace

std::optional<LoadedPart> read_distributed_csv(const std::string& path, Communicator& communicator,
                                               const ReadOptions& options) {
  std::optional<LoadedTable> loaded = read_part(path, communicator, options);
  if (!loaded || !is_same_for_all(path, loaded->sense, communicator)) return std::nullopt;
  TransitionTable& part = loaded->table;
  const std::optional<Ids> ids = ids_of(part, communicator);
  if (!ids || has_gap_by_size(*ids, communicator.sum(std::uint64_t{part.rows()}))) {
    return std::nullopt;
  }
  part.state_base = ids->state_base;
  part.action_base = ids->action_base;
  for (StateIndex& x : part.from) x -= ids->state_base;
  for (StateIndex& x : part.to) x -= ids->state_base;
  for (ActionIndex& a : part.action) a -= ids->action_base;

  std::vector<std::size_t> begin = Partition::divide(
      ids->states, outcomes_by_block(part, ids->states, communicator), communicator.size());
  TransitionTable own = own_rows(std::move(part), begin, communicator);
  const bool has_states = has_every_state(own, begin, communicator);
  const bool has_actions = has_every_action(own, ids->actions, communicator);
  if (!has_states || !has_actions) return std::nullopt;

  std::optional<Mdp> rows;
  try {
    rows = DistributedModel::check_rows(std::move(own), begin, communicator.rank());
  } catch (const InvalidModel&) {
  }
  if (!communicator.all(rows.has_value())) return std::nullopt;
  return LoadedPart{DistributedModel(communicator, std::move(begin), std::move(*rows)),
                    loaded->sense};
}

}  // namespace shortfall::io
