#include "shortfall/mdp/mdp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "errors/require.hpp"
#include "mdp/table_groups.hpp"
#include "numbers/roundoff.hpp"
#include "parallel/threads.hpp"
#include "shortfall/mdp/outcomes.hpp"

namespace shortfall {

void TransitionTable::add(StateIndex x, ActionIndex a, StateIndex x_next, Probability p, double c) {
  from.push_back(x);
  action.push_back(a);
  to.push_back(x_next);
  probability.push_back(p.value);
  cost.push_back(c);
}

Mdp Mdp::build(TransitionTable table) {
  const detail::TableSummary summary = detail::check_table(table);
  std::vector<std::size_t> order;  // empty if the table is already grouped
  if (!summary.grouped) order = detail::group(table, summary.states);
  GroupedTable grouped = detail::take_grouped(table, summary.states);
  try {
    return build(std::move(grouped));
  } catch (const InvalidModel& error) {
    std::size_t first_given = table.rows();
    for (std::size_t i = 0, pairs = 0; i < table.rows(); ++i) {
      if (detail::starts_pair(table, i)) ++pairs;
      if (pairs != error.row() + 1) continue;
      first_given = std::min(first_given, order.empty() ? i : order[i]);
    }
    throw InvalidModel(error.what(), first_given);
  }
}

Mdp Mdp::with_costs_divided(double divisor) const {
  GroupedTable table{state_begin_, action_of_row_, outcomes_, state_base_, action_base_};
  table.outcomes.divide_costs(divisor);
  RowCosts costs = RowCosts::of(table.outcomes);
  return {std::move(table), std::move(costs)};
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

void Outcomes::divide_costs(double divisor) {
  const double largest = largest_cost() / divisor;
  for (double& c : cost) c /= divisor;
  cost_error = detail::rounded_up(cost_error / divisor + detail::unit_roundoff * largest, 4.0) +
               (largest > 0.0 ? std::numeric_limits<double>::denorm_min() : 0.0);
}

void Outcomes::sort_rows() {
  constexpr std::size_t rows_per_task = 4096;
  detail::parallel_for_blocks(rows(), rows_per_task, [this](std::size_t first, std::size_t last) {
    // Ties between equal successors are broken by position, so that they keep their order.
    std::vector<std::tuple<StateIndex, std::size_t, double, double>> sorted;
    for (std::size_t r = first; r < last; ++r) {
      const std::size_t begin = row_begin[r];
      const std::size_t end = row_begin[r + 1];
      if (std::is_sorted(next.data() + begin, next.data() + end)) continue;
      sorted.clear();
      for (std::size_t i = begin; i < end; ++i) {
        sorted.emplace_back(next[i], i, probability[i], cost[i]);
      }
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = begin; i < end; ++i) {
        std::tie(next[i], std::ignore, probability[i], cost[i]) = sorted[i - begin];
      }
    }
  });
}

std::size_t Outcomes::longest_row() const {
  std::size_t longest = 0;
  for (std::size_t r = 0; r < rows(); ++r) {
    longest = std::max(longest, row_begin[r + 1] - row_begin[r]);
  }
  return longest;
}

double Outcomes::largest_cost() const {
  double largest = 0.0;
  for (const double c : cost) largest = std::max(largest, std::abs(c));
  return largest;
}

}  // namespace shortfall
