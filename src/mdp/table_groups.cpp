#include "mdp/table_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

}  // namespace shortfall::detail
