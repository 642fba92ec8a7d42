#include "mdp/grouped_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace shortfall::detail {

void reject_row(const TablePart& part, std::size_t row, const std::string& problem) {
  const GroupedTable& table = part.table;
  const auto after = std::ranges::upper_bound(table.state_begin, row);
  const auto x = static_cast<std::size_t>(after - table.state_begin.begin()) - 1;
  throw InvalidModel(fmt::format("state {}, action {}: {}", x + part.first_state + table.state_base,
                                 std::int64_t{table.action[row]} + table.action_base, problem),
                     row);
}

void check_shape(const TablePart& part) {
  const GroupedTable& table = part.table;
  const Outcomes& outcomes = table.outcomes;
  const bool fits =
      !table.state_begin.empty() && table.state_begin.front() == 0 &&
      std::ranges::is_sorted(table.state_begin) &&
      table.state_begin.back() == table.action.size() && table.action.size() == outcomes.rows() &&
      outcomes.row_begin.front() == 0 && std::ranges::is_sorted(outcomes.row_begin) &&
      outcomes.row_begin.back() == outcomes.size() && outcomes.cost.size() == outcomes.size() &&
      outcomes.next.size() == outcomes.size();
  if (!fits)
    throw InvalidModel("the parts of a grouped table are inconsistent; accepted: those of Mdp", 0);
  for (std::size_t x = 0; x + 1 < table.state_begin.size(); ++x) {
    for (std::size_t r = table.state_begin[x]; r < table.state_begin[x + 1]; ++r) {
      if (table.action[r] < 0) reject_row(part, r, "the action is below 0; accepted: 0 or more");
      if (table.action[r] == std::numeric_limits<ActionIndex>::max()) {
        reject_row(part, r, "the action id is too large; accepted: up to 2147483646");
      }
      if (r > table.state_begin[x] && table.action[r - 1] >= table.action[r]) {
        reject_row(part, r, "out of order; accepted: the actions of a state in increasing order");
      }
    }
  }
}

}  // namespace shortfall::detail
