#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mdp/grouped_checks.hpp"
#include "mdp/table_groups.hpp"
#include "parallel/threads.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/risk/compensated_sum.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// Σ p of a row, or NaN if an entry is not acceptable; x - x is 0 only for finite x.
double sum_of_sound_row(const Outcomes::Row& law, std::size_t states) {
  CompensatedSum sum;
  bool sound = true;
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    const double p = law.probability[i];
    const double c = law.cost[i];
    sound &= (p >= 0.0) & (c - c == 0.0) & (law.next[i] < states);
    sum.add(p);
  }
  return sound ? sum.value() : std::numeric_limits<double>::quiet_NaN();
}

[[noreturn]] void explain(const GroupedTable& table, std::size_t row, std::size_t states) {
  const Outcomes::Row law = table.outcomes.row(row);
  const StateIndex base = table.state_base;
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    if (law.next[i] >= states) {
      detail::reject_row({table}, row,
                         fmt::format("leads to state {}; accepted: {} to {}", law.next[i] + base,
                                     base, states - 1 + base));
    }
    if (detail::is_sound(law.probability[i], law.cost[i])) continue;
    detail::reject_row(
        {table}, row, detail::outcome_problem(law.probability[i], law.cost[i], law.next[i] + base));
  }
  detail::reject_row({table}, row,
                     fmt::format("probabilities sum to {}; accepted: 1 within {}",
                                 compensated_sum(law.probability), probability_tolerance));
}

/// The result of a pass over the rows: the first that is not a law, and whether any p is 0.
struct Findings {
  std::size_t unsound = none;
  bool zeros = false;
};

/// Checks all rows, and rescales their probabilities to sum to one. Those of a row that has been
/// rescaled before, as a file has them that a model was written to, keep their bits.
Findings check_and_rescale(Outcomes& outcomes, std::size_t states) {
  constexpr std::size_t rows_per_task = 1024;
  return detail::parallel_reduce(
      outcomes.rows(), rows_per_task, Findings{},
      [&](std::size_t first, std::size_t last) {
        Findings found;
        for (std::size_t r = first; r < last; ++r) {
          const double sum = sum_of_sound_row(outcomes.row(r), states);
          if (!(std::abs(sum - 1.0) <= probability_tolerance)) {
            found.unsound = std::min(found.unsound, r);
            continue;
          }
          for (std::size_t i = outcomes.row_begin[r]; i < outcomes.row_begin[r + 1]; ++i) {
            found.zeros |= outcomes.probability[i] == 0.0;
            if (std::abs(sum - 1.0) > rescaled_tolerance) outcomes.probability[i] /= sum;
          }
        }
        return found;
      },
      [](Findings& a, const Findings& b) {
        a.unsound = std::min(a.unsound, b.unsound);
        a.zeros |= b.zeros;
      });
}

void leave_out_zeros(Outcomes& outcomes) {
  std::size_t kept = 0;
  for (std::size_t r = 0, i = 0; r < outcomes.rows(); ++r) {
    for (; i < outcomes.row_begin[r + 1]; ++i) {
      if (outcomes.probability[i] == 0.0) continue;
      outcomes.probability[kept] = outcomes.probability[i];
      outcomes.cost[kept] = outcomes.cost[i];
      outcomes.next[kept] = outcomes.next[i];
      ++kept;
    }
    outcomes.row_begin[r + 1] = kept;
  }
  outcomes.probability.resize(kept);
  outcomes.cost.resize(kept);
  outcomes.next.resize(kept);
}

}  // namespace

std::string detail::outcome_problem(double probability, double cost, std::uint64_t next) {
  if (!is_sound(probability, 0.0)) {
    return fmt::format("probability {} to state {}; accepted: a number in [0, 1]", probability,
                       next);
  }
  return fmt::format("cost {} to state {}; accepted: a finite number", cost, next);
}

Mdp Mdp::build(GroupedTable table) {
  detail::check_shape({table});
  if (table.outcomes.size() == 0)
    throw InvalidModel("the model has no transitions; accepted: one or more", 0);
  const std::size_t states = table.state_begin.size() - 1;
  const Findings found = check_and_rescale(table.outcomes, states);
  if (found.unsound != none) explain(table, found.unsound, states);
  if (found.zeros) leave_out_zeros(table.outcomes);
  table.outcomes.sort_rows();
  table.outcomes.probability_error =
      std::max(table.outcomes.probability_error, std::numeric_limits<double>::epsilon() / 2);
  RowCosts costs = RowCosts::of(table.outcomes);
  return {std::move(table), std::move(costs)};
}

Mdp::Mdp(GroupedTable&& table, RowCosts&& row_costs)
    : state_begin_(std::move(table.state_begin)),
      action_of_row_(std::move(table.action)),
      outcomes_(std::move(table.outcomes)),
      row_costs_(std::move(row_costs)),
      state_base_(table.state_base),
      action_base_(table.action_base) {
  for (std::size_t x = 0; x < states(); ++x) has_terminal_states_ |= is_terminal(x);
}

}  // namespace shortfall
