#include "shortfall/mdp/mdp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "mdp/model_checks.hpp"
#include "parallel.hpp"
#include "require.hpp"

namespace shortfall {
namespace {

constexpr std::size_t rows_per_sort = 65536;
constexpr std::size_t states_per_task = 1024;

void check_entries(const TransitionTable& table) {
  if (table.rows() == 0) throw InvalidModel("the model has no transitions", 0);
  const auto reject = [&](std::size_t row, const std::string& problem) {
    throw InvalidModel(fmt::format("state {}, action {}: {}", table.from[row] + table.state_base,
                                   table.action[row] + table.action_base, problem),
                       row);
  };
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double p = table.probability[i];
    const double c = table.cost[i];
    if (table.action[i] < 0) {
      reject(i, fmt::format("action ids below {} are not accepted", table.action_base));
    }
    if (!detail::is_sound(p, c)) {
      reject(i, detail::outcome_problem(p, c, table.to[i] + table.state_base));
    }
  }
}

/// Ids must be consecutive: a gap is far more often a mistake in the file than an unvisited state.
/// A gap shows as more ids than the rows could name, or as an id that no row names.
template <class Id, class... Columns>
std::size_t count_without_gaps(const char* what, Id base, std::size_t rows,
                               const Columns&... columns) {
  std::size_t count = 0;
  std::size_t row_of_largest = 0;
  const auto largest = [&](const std::vector<Id>& column) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (static_cast<std::size_t>(column[i]) >= count) {
        count = static_cast<std::size_t>(column[i]) + 1;
        row_of_largest = i;
      }
    }
  };
  (largest(columns), ...);
  const std::size_t named_at_most = rows * sizeof...(columns);
  std::vector<bool> seen(std::min(count, named_at_most + 1));
  const auto mark = [&](const std::vector<Id>& column) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (static_cast<std::size_t>(column[i]) < seen.size()) {
        seen[static_cast<std::size_t>(column[i])] = true;
      }
    }
  };
  (mark(columns), ...);
  const auto gap = std::find(seen.begin(), seen.end(), false);
  if (gap != seen.end()) {
    throw InvalidModel(
        fmt::format("{0} ids are not consecutive: {1} appears but {2} does not; accepted: every "
                    "{0} from {3} on",
                    what, count - 1 + static_cast<std::size_t>(base),
                    static_cast<std::size_t>(gap - seen.begin()) + static_cast<std::size_t>(base),
                    base),
        row_of_largest);
  }
  return count;
}

bool is_grouped(const TransitionTable& t) {
  for (std::size_t i = 1; i < t.rows(); ++i) {
    if (std::pair(t.from[i - 1], t.action[i - 1]) > std::pair(t.from[i], t.action[i])) return false;
  }
  return true;
}

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
  detail::parallel_for_blocks(order.size(), rows_per_sort,
                              [&](std::size_t first, std::size_t last) {
                                for (std::size_t i = first; i < last; ++i)
                                  result[i] = column[order[i]];
                              });
  column = std::move(result);
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
  check_entries(table);
  const std::size_t rows = table.rows();
  const std::size_t states =
      count_without_gaps("state", table.state_base, rows, table.from, table.to);
  count_without_gaps("action", table.action_base, rows, table.action);

  std::vector<std::size_t> order;  // empty if the table is already grouped
  if (!is_grouped(table)) {
    order = grouped_order(table, states);
    permute(table.from, order);
    permute(table.action, order);
    permute(table.to, order);
    permute(table.probability, order);
    permute(table.cost, order);
  }

  const auto starts_pair = [&](std::size_t i) {
    return i == 0 || table.from[i] != table.from[i - 1] || table.action[i] != table.action[i - 1];
  };
  GroupedTable grouped{.state_begin = std::vector<std::size_t>(states + 1),
                       .action = {},
                       .outcomes = {},
                       .state_base = table.state_base,
                       .action_base = table.action_base};
  Outcomes& outcomes = grouped.outcomes;
  for (std::size_t i = 0; i < rows; ++i) {
    if (starts_pair(i)) {
      grouped.action.push_back(table.action[i]);
      ++grouped.state_begin[table.from[i] + 1];
      outcomes.row_begin.push_back(i);
    }
    ++outcomes.row_begin.back();
  }
  std::partial_sum(grouped.state_begin.begin(), grouped.state_begin.end(),
                   grouped.state_begin.begin());
  outcomes.probability = std::move(table.probability);
  outcomes.cost = std::move(table.cost);
  outcomes.next = std::move(table.to);
  try {
    return build(std::move(grouped));
  } catch (const InvalidModel& error) {
    std::size_t first_given = rows;
    for (std::size_t i = 0, pairs = 0; i < rows; ++i) {
      if (starts_pair(i)) ++pairs;
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
