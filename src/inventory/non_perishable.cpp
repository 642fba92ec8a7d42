#include <algorithm>
#include <limits>
#include <utility>

#include "require.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/inventory/baselines.hpp"

namespace shortfall::inventory {
namespace {

/// States are numbered day by day, by total stock; actions are orders. Nothing expires, so the next
/// total is (total + z - D)⁺.
Mdp without_expiry(const Model& model) {
  const std::size_t totals = model.capacity() + 1;
  TransitionTable table;
  for (std::size_t day = 0; day < model.days(); ++day) {
    const auto law = model.demand(day);
    const std::size_t next_day = (day + 1) % model.days();
    for (std::size_t total = 0; total < totals; ++total) {
      for (std::size_t z = 0; z <= model.largest_order(day, total); ++z) {
        const double order_cost = model.order_cost(day, z);
        for (std::size_t d = 0; d < law.size(); ++d) {
          const std::size_t left = total + z - std::min(d, total + z);
          table.add(static_cast<StateIndex>(day * totals + total), static_cast<ActionIndex>(z),
                    static_cast<StateIndex>(next_day * totals + left), law[d],
                    order_cost + model.period_cost(day, {total + z, 0}, d));
        }
      }
    }
  }
  return Mdp::build(std::move(table));
}

/// The level that an (s, S) policy reaches, min(S, t + largest_order(t)), increases with t: at s it
/// is the smallest S that fits the orders.
std::optional<ReorderLevels> shape_of(const Model& model, std::size_t day,
                                      const std::vector<std::size_t>& order) {
  std::size_t s = order.size() - 1;
  while (s > 0 && order[s] == 0) --s;
  const ReorderLevels levels{.reorder_at = s, .order_up_to = s + order[s]};
  if (order[s] == 0) return std::nullopt;
  for (std::size_t t = 0; t < s; ++t) {
    const std::size_t most = model.largest_order(day, t);
    if (order[t] != std::min(levels.order_up_to - t, most)) return std::nullopt;
  }
  return levels;
}

}  // namespace

NonPerishable solve_non_perishable(const Model& model, const Criterion& criterion) {
  const Mdp mdp = without_expiry(model);
  // As accurate as double arithmetic can certify, or nearly, so that ties between orders
  // are recognised.
  constexpr double relative_tolerance = 1e-13;
  const double largest_cost = mdp.outcomes().largest_cost();
  const double tolerance = relative_tolerance * (largest_cost > 0.0 ? largest_cost : 1.0);
  const Solution solution =
      shortfall::solve(mdp, criterion,
                       {.tolerance = std::max(tolerance, std::numeric_limits<double>::min()),
                        .max_iterations = 10000,
                        .threads = 1});
  require(solution.status != Status::overflow,
          "costs so large that their discounted sum overflows; accepted: smaller");
  NonPerishable result;
  result.error_bound = solution.error_bound;
  const std::size_t totals = model.capacity() + 1;
  for (std::size_t day = 0; day < model.days(); ++day) {
    std::vector<std::size_t>& order = result.order.emplace_back(totals);
    std::vector<double>& value = result.value.emplace_back(totals);
    for (std::size_t t = 0; t < totals; ++t) {
      order[t] = static_cast<std::size_t>(solution.policy[day * totals + t]);
      value[t] = solution.values[day * totals + t];
    }
    result.shape.push_back(shape_of(model, day, order));
  }
  return result;
}

}  // namespace shortfall::inventory
