#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "mdp/grouped_checks.hpp"
#include "mdp/table_groups.hpp"
#include "parallel/threads.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall {
namespace {

constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

/// One pass without branches: whether a row is sound does not depend on where it is not.
bool is_restored_row(const Outcomes::Row& law, std::size_t states) {
  CompensatedSum sum;
  bool sound = true;
  StateIndex before = 0;
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    const double p = law.probability[i];
    const double c = law.cost[i];
    sound &= (p > 0.0) & (p <= 1.0) & (c - c == 0.0);  // c - c is 0 only for finite c
    sound &= law.next[i] < states;
    sound &= law.next[i] >= before;
    before = law.next[i];
    sum.add(p);
  }
  return sound && std::abs(sum.value() - 1.0) <= rescaled_tolerance;
}

/// Whether p ≤ 1 for all of them, and Σ p = 1 as nearly as is_restored_row() asks, without doubt:
/// numbers side by side, in lanes of a vector, are added in another order. Both sums are within
/// 2u + 2n²u² of the exact one (CompensatedSum), so they differ by less than 5u.
bool sum_to_one(std::span<const double> probability) {
  constexpr std::size_t lanes = 4;
  constexpr double largest_difference = 2.5 * std::numeric_limits<double>::epsilon();
  std::array<double, lanes> sum{};
  std::array<double, lanes> error{};
  std::array<double, lanes> largest{};
  const auto add = [&](std::size_t k, double p) {
    const double total = sum[k] + p;
    const double added = total - sum[k];
    error[k] += (sum[k] - (total - added)) + (p - added);
    sum[k] = total;
    largest[k] = p > largest[k] ? p : largest[k];
  };
  std::size_t i = 0;
  for (; i + lanes <= probability.size(); i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) add(k, probability[i + k]);
  }
  for (std::size_t k = 0; i + k < probability.size(); ++k) add(k, probability[i + k]);
  CompensatedSum all;
  for (const double x : sum) all.add(x);
  for (const double x : error) all.add(x);
  return std::abs(all.value() - 1.0) <= rescaled_tolerance - largest_difference &&
         *std::ranges::max_element(largest) <= 1.0;
}

bool is_in_order(std::span<const StateIndex> next) {
  std::uint32_t descents = 0;  // counted, so that the compiler vectorises the loop
  for (std::size_t i = 1; i < next.size(); ++i) descents |= next[i] < next[i - 1] ? 1u : 0u;
  return descents == 0;
}

/// Whether is_restored_row() holds, by what is known of the row's costs, for the price of fewer
/// operations; false if in doubt. E c is a number only if every cost is, and every probability.
bool is_plainly_sound(const Outcomes::Row& law, std::size_t states, double expected_cost,
                      double least_probability) {
  constexpr std::size_t few = 16;
  constexpr std::size_t many = std::size_t{1} << 24;  // n²u² is far below u up to here
  return law.next.size() >= few && law.next.size() <= many && std::isfinite(expected_cost) &&
         least_probability > 0.0 && law.next.back() < states && is_in_order(law.next) &&
         sum_to_one(law.probability);
}

/// What is wrong with a row that is not sound; states have ids from `base` on.
std::string problem_of(const Outcomes::Row& law, std::size_t states, std::uint64_t base) {
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    const std::uint64_t next = law.next[i] + base;
    if (law.next[i] >= states) {
      return fmt::format("leads to state {}; accepted: {} to {}", next, base, states - 1 + base);
    }
    if (!(law.probability[i] > 0.0 && law.probability[i] <= 1.0)) {
      return fmt::format("probability {} to state {}; accepted: a number in (0, 1]",
                         law.probability[i], next);
    }
    if (!std::isfinite(law.cost[i])) {
      return detail::outcome_problem(law.probability[i], law.cost[i], next);
    }
    if (i > 0 && law.next[i] < law.next[i - 1]) {
      return fmt::format("state {} after state {}; accepted: next states in increasing order", next,
                         law.next[i - 1] + base);
    }
  }
  return fmt::format("probabilities sum to {}; accepted: 1 within {:.2g}, as after rescaling",
                     compensated_sum(law.probability), rescaled_tolerance);
}

}  // namespace

detail::RestoredRows::RestoredRows(const GroupedTable& table, std::size_t states)
    : table_(table),
      states_(states),
      costs_(empty_row_costs(table.outcomes.rows())),
      unsound_(no_row) {}

void detail::RestoredRows::see(std::size_t outcomes) {
  struct Findings {
    CostLimits limits;
    std::size_t unsound = no_row;
  };
  const Outcomes& rows = table_.outcomes;
  const auto ends = rows.row_begin.begin() + static_cast<std::ptrdiff_t>(seen_) + 1;
  const auto count =
      static_cast<std::size_t>(std::upper_bound(ends, rows.row_begin.end(), outcomes) - ends);
  const Findings found = parallel_reduce(
      count, rows_per_task(rows), Findings(),
      [&](std::size_t first, std::size_t last) {
        Findings here;
        for (std::size_t r = seen_ + first; r < seen_ + last; ++r) {
          const Outcomes::Row law = rows.row(r);
          const CostLimits limits = summarise_row(law, costs_.expected[r], costs_.vary[r]);
          here.limits.merge(limits);
          const bool sound =
              is_plainly_sound(law, states_, costs_.expected[r], limits.least_probability) ||
              is_restored_row(law, states_);
          if (!sound) here.unsound = std::min(here.unsound, r);
        }
        return here;
      },
      [](Findings& a, const Findings& b) {
        a.limits.merge(b.limits);
        a.unsound = std::min(a.unsound, b.unsound);
      });
  limits_.merge(found.limits);
  unsound_ = std::min(unsound_, found.unsound);
  seen_ += count;
}

RowCosts detail::RestoredRows::finish(std::size_t first_state) {
  if (unsound_ != no_row) {
    reject_row({table_, first_state}, unsound_,
               problem_of(table_.outcomes.row(unsound_), states_, table_.state_base));
  }
  set_limits(limits_, costs_);
  return std::move(costs_);
}

Mdp Mdp::restore(GroupedTable table) {
  detail::check_shape({table});
  if (table.outcomes.size() == 0) {
    throw InvalidModel("the model has no transitions; accepted: one or more", 0);
  }
  detail::RestoredRows rows(table, table.state_begin.size() - 1);
  rows.see(table.outcomes.size());
  RowCosts costs = rows.finish();
  return {std::move(table), std::move(costs)};
}

}  // namespace shortfall
