#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "mdp/grouped_checks.hpp"
#include "mdp/model_checks.hpp"
#include "parallel/threads.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall {
namespace {

/// One pass without branches: whether a row is sound does not depend on where it is not.
bool is_restored_row(const Outcomes::Row& law, std::size_t states) {
  CompensatedSum sum;
  bool sound = true;
  StateIndex before = 0;
  for (std::size_t i = 0; i < law.next.size(); ++i) {
    const double p = law.probability[i];
    const double c = law.cost[i];
    sound &= (p > 0.0) & (p <= 1.0) & (c - c == 0.0);  // c - c is 0 only for finite c
    sound &= (law.next[i] < states) & (law.next[i] >= before);
    before = law.next[i];
    sum.add(p);
  }
  return sound && std::abs(sum.value() - 1.0) <= rescaled_tolerance;
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

void detail::check_restored(const TablePart& part, std::size_t states) {
  constexpr std::size_t rows_per_task = 1024;
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  check_shape(part);
  const Outcomes& outcomes = part.table.outcomes;
  const std::size_t unsound = parallel_reduce(
      outcomes.rows(), rows_per_task, none,
      [&](std::size_t first, std::size_t last) {
        while (first < last && is_restored_row(outcomes.row(first), states)) ++first;
        return first < last ? first : none;
      },
      [](std::size_t& a, std::size_t b) { a = std::min(a, b); });
  if (unsound == none) return;
  reject_row(part, unsound, problem_of(outcomes.row(unsound), states, part.table.state_base));
}

Mdp Mdp::restore(GroupedTable table) {
  detail::check_restored({table}, table.state_begin.size() - 1);
  if (table.outcomes.size() == 0) throw InvalidModel("the model has no transitions", 0);
  return Mdp(std::move(table));
}

}  // namespace shortfall
