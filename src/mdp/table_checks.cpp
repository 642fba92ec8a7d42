#include "mdp/table_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "mdp/model_checks.hpp"
#include "parallel/threads.hpp"

namespace shortfall::detail {
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
