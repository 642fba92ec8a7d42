#include "mdp/table_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "parallel/threads.hpp"

namespace shortfall::detail {

namespace {

constexpr std::size_t rows_per_task = 65536;
constexpr std::size_t states_per_task = 1024;

/// Table rows in order of (from, action), rows of one pair in the given order: a counting sort by
/// state, then a sort by action within each state.
std::vector<std::size_t> grouped_order(const TransitionTable& t, std::size_t states) {
  std::vector<std::size_t> begin(states + 1);
  for (const std::size_t x : t.from) ++begin[x + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> order(t.rows());
  std::vector<std::size_t> slot = begin;
  for (std::size_t i = 0; i < t.rows(); ++i) order[slot[t.from[i]]++] = i;

  const auto by_action = [&](std::size_t i, std::size_t j) {
    return std::pair(t.action[i], i) < std::pair(t.action[j], j);
  };
  parallel_for_blocks(states, states_per_task, [&](std::size_t first, std::size_t last) {
    for (std::size_t x = first; x < last; ++x) {
      std::sort(order.data() + begin[x], order.data() + begin[x + 1], by_action);
    }
  });
  return order;
}

template <class T>
void permute(std::vector<T>& column, const std::vector<std::size_t>& order) {
  std::vector<T> result(order.size());
  parallel_for_blocks(order.size(), rows_per_task, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) result[i] = column[order[i]];
  });
  column = std::move(result);
}

bool is_grouped(const TransitionTable& t) {
  for (std::size_t i = 1; i < t.rows(); ++i) {
    if (std::pair(t.from[i - 1], t.action[i - 1]) > std::pair(t.from[i], t.action[i])) return false;
  }
  return true;
}

/// The pairs of state and action of a table in their order, without the outcomes.
GroupedTable pairs_of(const TransitionTable& t, std::size_t states) {
  std::vector<std::size_t> pairs_before((t.rows() + rows_per_task - 1) / rows_per_task + 1);
  parallel_for_blocks(t.rows(), rows_per_task, [&](std::size_t first, std::size_t last) {
    std::size_t pairs = 0;
    for (std::size_t i = first; i < last; ++i) pairs += starts_pair(t, i) ? 1u : 0u;
    pairs_before[first / rows_per_task + 1] = pairs;
  });
  std::partial_sum(pairs_before.begin(), pairs_before.end(), pairs_before.begin());
  const std::size_t pairs = pairs_before.back();
  GroupedTable grouped{.state_begin = std::vector<std::size_t>(states + 1, pairs),
                       .action = std::vector<ActionIndex>(pairs),
                       .outcomes = {},
                       .state_base = t.state_base,
                       .action_base = t.action_base};
  std::vector<std::size_t>& row_begin = grouped.outcomes.row_begin;
  row_begin.resize(pairs + 1, t.rows());
  parallel_for_blocks(t.rows(), rows_per_task, [&](std::size_t first, std::size_t last) {
    std::size_t pair = pairs_before[first / rows_per_task];
    for (std::size_t i = first; i < last; ++i) {
      if (!starts_pair(t, i)) continue;
      // States before this one that have no rows are terminal.
      for (std::size_t x = i == 0 ? 0 : t.from[i - 1] + std::size_t{1}; x <= t.from[i]; ++x) {
        grouped.state_begin[x] = pair;
      }
      grouped.action[pair] = t.action[i];
      row_begin[pair] = i;
      ++pair;
    }
  });
  return grouped;
}

}  // namespace

bool starts_pair(const TransitionTable& t, std::size_t i) {
  return i == 0 || t.from[i] != t.from[i - 1] || t.action[i] != t.action[i - 1];
}

std::vector<std::size_t> group(TransitionTable& table, std::size_t states) {
  if (is_grouped(table)) return {};
  std::vector<std::size_t> order = grouped_order(table, states);
  permute(table.from, order);
  permute(table.action, order);
  permute(table.to, order);
  permute(table.probability, order);
  permute(table.cost, order);
  return order;
}

GroupedTable take_grouped(TransitionTable& table, std::size_t states) {
  GroupedTable grouped = pairs_of(table, states);
  grouped.outcomes.probability = std::move(table.probability);
  grouped.outcomes.cost = std::move(table.cost);
  grouped.outcomes.next = std::move(table.to);
  return grouped;
}

namespace {

constexpr std::size_t rows_per_check = 65536;

/// What a pass over some rows finds.
struct Rows {
  bool sound = true;
  bool grouped = true;
  StateIndex largest_from = 0;
  StateIndex largest_to = 0;
  ActionIndex largest_action = 0;
};

/// One loop per column, or two columns that belong together: the compiler vectorises those.
Rows look_at(const TransitionTable& t, std::size_t first, std::size_t last) {
  Rows rows;
  std::uint64_t unsound = 0;
  for (std::size_t i = first; i < last; ++i) {
    unsound += is_sound(t.probability[i], t.cost[i]) ? 0u : 1u;
  }
  ActionIndex smallest_action = 0;
  for (std::size_t i = first; i < last; ++i) {
    smallest_action = std::min(smallest_action, t.action[i]);
    rows.largest_action = std::max(rows.largest_action, t.action[i]);
  }
  for (std::size_t i = first; i < last; ++i) rows.largest_to = std::max(rows.largest_to, t.to[i]);
  std::uint64_t descents = 0;
  for (std::size_t i = std::max<std::size_t>(first, 1); i < last; ++i) {
    descents += t.from[i - 1] > t.from[i] ? 1u : 0u;
    descents += t.from[i - 1] == t.from[i] && t.action[i - 1] > t.action[i] ? 1u : 0u;
  }
  for (std::size_t i = first; i < last; ++i) {
    rows.largest_from = std::max(rows.largest_from, t.from[i]);
  }
  rows.sound = unsound == 0 && smallest_action == 0;
  rows.grouped = descents == 0;
  return rows;
}

void merge(Rows& rows, const Rows& more) {
  rows.sound &= more.sound;
  rows.grouped &= more.grouped;
  rows.largest_from = std::max(rows.largest_from, more.largest_from);
  rows.largest_to = std::max(rows.largest_to, more.largest_to);
  rows.largest_action = std::max(rows.largest_action, more.largest_action);
}

[[noreturn]] void reject_first_unsound(const TransitionTable& t) {
  for (std::size_t i = 0;; ++i) {
    const auto reject = [&](const std::string& problem) {
      throw InvalidModel(fmt::format("state {}, action {}: {}", t.from[i] + t.state_base,
                                     t.action[i] + t.action_base, problem),
                         i);
    };
    if (t.action[i] < 0) {
      reject(fmt::format("the action is below {0}; accepted: {0} or more", t.action_base));
    }
    if (!is_sound(t.probability[i], t.cost[i])) {
      reject(outcome_problem(t.probability[i], t.cost[i], t.to[i] + t.state_base));
    }
  }
}

/// Marks the ids in a column; one that is too large has no mark.
template <class Id>
void mark(std::span<const Id> column, std::vector<std::uint8_t>& seen) {
  parallel_for_blocks(column.size(), rows_per_check, [&](std::size_t first, std::size_t last) {
    for (const Id id : column.subspan(first, last - first)) {
      const auto k = static_cast<std::size_t>(id);
      if (k >= seen.size()) continue;
      const std::atomic_ref mark_of_k(seen[k]);
      if (mark_of_k.load(std::memory_order_relaxed) == 0) {
        mark_of_k.store(1, std::memory_order_relaxed);
      }
    }
  });
}

/// Ids must be consecutive: a gap is far more often a mistake in the file than an unvisited state.
/// A gap shows as more ids than the rows could name, or as an id that no row names. A column is
/// read only if those before it have gaps.
template <class Id, class... Columns>
void reject_gaps(const char* what, Id base, Id largest, const Columns&... columns) {
  const std::size_t named_at_most = (columns.size() + ...);
  std::vector<std::uint8_t> seen(
      std::min(static_cast<std::size_t>(largest) + 1, named_at_most + 1));
  std::size_t gap = 0;
  const auto filled = [&](std::span<const Id> column) {
    mark(column, seen);
    while (gap < seen.size() && seen[gap] != 0) ++gap;
    return gap == seen.size();
  };
  if ((filled(columns) || ...)) return;
  std::size_t row_of_largest = 0;
  const auto names_largest = [&](const std::vector<Id>& column) {
    const auto found = std::ranges::find(column, largest);
    row_of_largest = static_cast<std::size_t>(found - column.begin());
    return found != column.end();
  };
  (void)(names_largest(columns) || ...);
  const auto first = static_cast<std::size_t>(base);
  throw InvalidModel(
      fmt::format("{0} ids are not consecutive: {1} appears but {2} does not; accepted: every "
                  "{0} from {3} on",
                  what, static_cast<std::size_t>(largest) + first, gap + first, base),
      row_of_largest);
}

}  // namespace

TableSummary check_table(const TransitionTable& table) {
  if (table.rows() == 0)
    throw InvalidModel("the model has no transitions; accepted: one or more", 0);
  const Rows rows = parallel_reduce(
      table.rows(), rows_per_check, Rows{},
      [&](std::size_t first, std::size_t last) { return look_at(table, first, last); }, merge);
  if (!rows.sound) reject_first_unsound(table);
  const StateIndex largest = std::max(rows.largest_from, rows.largest_to);
  reject_gaps("state", table.state_base, largest, table.from, table.to);
  reject_gaps("action", table.action_base, rows.largest_action, table.action);
  return {.states = static_cast<std::size_t>(largest) + 1, .grouped = rows.grouped};
}

}  // namespace shortfall::detail
