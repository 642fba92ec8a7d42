#include "shortfall/mdp/mdp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "mdp/table_checks.hpp"
#include "parallel/threads.hpp"
#include "require.hpp"

namespace shortfall {
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
  detail::parallel_for_blocks(states, states_per_task, [&](std::size_t first, std::size_t last) {
    for (std::size_t x = first; x < last; ++x) {
      std::sort(order.data() + begin[x], order.data() + begin[x + 1], by_action);
    }
  });
  return order;
}

template <class T>
void permute(std::vector<T>& column, const std::vector<std::size_t>& order) {
  std::vector<T> result(order.size());
  detail::parallel_for_blocks(order.size(), rows_per_task,
                              [&](std::size_t first, std::size_t last) {
                                for (std::size_t i = first; i < last; ++i)
                                  result[i] = column[order[i]];
                              });
  column = std::move(result);
}

bool starts_pair(const TransitionTable& t, std::size_t i) {
  return i == 0 || t.from[i] != t.from[i - 1] || t.action[i] != t.action[i - 1];
}

/// The pairs of state and action of a table in their order, without the outcomes.
GroupedTable pairs_of(const TransitionTable& t, std::size_t states) {
  std::vector<std::size_t> pairs_before((t.rows() + rows_per_task - 1) / rows_per_task + 1);
  detail::parallel_for_blocks(t.rows(), rows_per_task, [&](std::size_t first, std::size_t last) {
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
  detail::parallel_for_blocks(t.rows(), rows_per_task, [&](std::size_t first, std::size_t last) {
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

void TransitionTable::add(StateIndex x, ActionIndex a, StateIndex x_next, double p, double c) {
  from.push_back(x);
  action.push_back(a);
  to.push_back(x_next);
  probability.push_back(p);
  cost.push_back(c);
}

Mdp Mdp::build(TransitionTable table) {
  const detail::TableSummary summary = detail::check_table(table);
  std::vector<std::size_t> order;  // empty if the table is already grouped
  if (!summary.grouped) {
    order = grouped_order(table, summary.states);
    permute(table.from, order);
    permute(table.action, order);
    permute(table.to, order);
    permute(table.probability, order);
    permute(table.cost, order);
  }
  GroupedTable grouped = pairs_of(table, summary.states);
  grouped.outcomes.probability = std::move(table.probability);
  grouped.outcomes.cost = std::move(table.cost);
  grouped.outcomes.next = std::move(table.to);
  try {
    return build(std::move(grouped));
  } catch (const InvalidModel& error) {
    std::size_t first_given = table.rows();
    for (std::size_t i = 0, pairs = 0; i < table.rows(); ++i) {
      if (starts_pair(table, i)) ++pairs;
      if (pairs != error.row() + 1) continue;
      first_given = std::min(first_given, order.empty() ? i : order[i]);
    }
    throw InvalidModel(error.what(), first_given);
  }
}

std::optional<std::size_t> Mdp::find_row(std::size_t x, ActionIndex action) const {
  for (std::size_t r = state_begin_[x]; r < state_begin_[x + 1]; ++r) {
    if (action_of_row_[r] == action) return r;
  }
  return std::nullopt;
}

void Mdp::check_policy(const Policy& policy) const {
  require(policy.size() == states(),
          "the policy has {} entries; accepted: one for each of {} states", policy.size(),
          states());
  for (std::size_t x = 0; x < states(); ++x) {
    const bool fits = is_terminal(x) ? policy[x] == no_action : find_row(x, policy[x]).has_value();
    if (fits) continue;
    require(!is_terminal(x), "the policy gives terminal state {} action {}; accepted: none",
            x + state_base_, policy[x] + action_base_);
    std::string has;
    for (std::size_t r = state_begin_[x]; r < state_begin_[x + 1]; ++r) {
      has += fmt::format("{}{}", has.empty() ? "" : ", ", action_of_row_[r] + action_base_);
    }
    throw InvalidInput(
        policy[x] == no_action
            ? fmt::format("the policy gives state {} no action; accepted: {}", x + state_base_, has)
            : fmt::format("the policy gives state {} action {}; accepted: {}", x + state_base_,
                          policy[x] + action_base_, has));
  }
}

}  // namespace shortfall
