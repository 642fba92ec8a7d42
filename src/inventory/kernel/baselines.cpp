#include "shortfall/inventory/kernel/baselines.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "errors/require.hpp"
#include "inventory/kernel/memory.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::inventory {
namespace {

/// The policy that orders order_at(day, total), or as much of it as fits.
template <class OrderAt>
Policy orders_by_total(const Model& model, OrderAt&& order_at) {
  const StockIndex& stocks = model.stocks();
  Policy orders(model.states());
  for (std::size_t day = 0; day < model.days(); ++day) {
    const auto of_day = orders.begin() + static_cast<std::ptrdiff_t>(day * stocks.size());
    for (std::size_t total = 0; total <= model.capacity(); ++total) {
      const std::size_t order = std::min(order_at(day, total), model.largest_order(day, total));
      std::fill(of_day + static_cast<std::ptrdiff_t>(stocks.layer_begin(total)),
                of_day + static_cast<std::ptrdiff_t>(stocks.layer_begin(total + 1)),
                static_cast<ActionIndex>(order));
    }
  }
  return orders;
}

template <class Number>
void check_lengths(const Model& model, const std::vector<std::vector<Number>>& by_total) {
  const bool fits = by_total.size() == model.days() &&
                    std::all_of(by_total.begin(), by_total.end(), [&](const auto& of_day) {
                      return of_day.size() == model.capacity() + 1;
                    });
  if (fits) return;
  throw InvalidInput(
      fmt::format("a non-perishable optimum of another model; accepted: {} days, stock 0 to {}",
                  model.days(), model.capacity()));
}

}  // namespace

Policy static_policy(const Model& model, const NonPerishable& non_perishable) {
  check_lengths(model, non_perishable.order);
  return orders_by_total(
      model, [&](std::size_t day, std::size_t total) { return non_perishable.order[day][total]; });
}

std::vector<double> static_values(const Model& model, const NonPerishable& non_perishable) {
  check_lengths(model, non_perishable.value);
  std::vector<double> values;
  values.reserve(model.states());
  for (const std::vector<double>& of_day : non_perishable.value) {
    for (std::size_t total = 0; total <= model.capacity(); ++total) {
      values.insert(values.end(), model.stocks().layer_size(total), of_day[total]);
    }
  }
  return values;
}

Policy base_stock_policy(const Model& model, std::size_t level) {
  if (level < 1 || level > model.capacity()) {
    throw InvalidInput(
        fmt::format("base stock level = {}; accepted: 1 to {}", level, model.capacity()));
  }
  return reorder_policy(model, {.reorder_at = level - 1, .order_up_to = level});
}

Policy reorder_policy(const Model& model, const ReorderLevels& levels) {
  const auto [s, S] = levels;
  if (s >= S || S > model.capacity()) {
    throw InvalidInput(
        fmt::format("reorder at {} up to {}; accepted: s < S, at most {}", s, S, model.capacity()));
  }
  return orders_by_total(model, [s = s, S = S](std::size_t, std::size_t total) -> std::size_t {
    return total <= s ? S - total : 0;
  });
}

Policy fixed_policy(const Model& model, std::size_t amount) {
  if (amount > model.capacity()) {
    throw InvalidInput(
        fmt::format("fixed order = {}; accepted: 0 to {}", amount, model.capacity()));
  }
  return orders_by_total(model, [amount](std::size_t, std::size_t) { return amount; });
}

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
                    static_cast<StateIndex>(next_day * totals + left), Probability(law[d]),
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
  require(criterion.gamma < 1.0, "gamma = {}; accepted: a number strictly between 0 and 1",
          criterion.gamma);
  const Mdp mdp = without_expiry(model);
  // As accurate as double arithmetic can certify, or nearly, so that ties between orders
  // are recognised.
  constexpr double relative_tolerance = 1e-13;
  const double largest_cost = mdp.outcomes().largest_cost();
  const double tolerance = relative_tolerance * (largest_cost > 0.0 ? largest_cost : 1.0);
  const Solution solution =
      shortfall::solve(mdp, criterion,
                       {.tolerance = std::max(tolerance, std::numeric_limits<double>::min()),
                        .max_iterations = 10000},
                       {.threads = 1});
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

Policy myopic_policy(const Model& model, const Criterion& criterion, const Execution& execution) {
  check_memory(model, shortfall::detail::ranks_of(execution));
  shortfall::detail::Watch watch(execution, {.activity = "computing myopic orders"});
  StockBellman bellman(model, criterion, execution.threads, watch);
  const std::vector<double> nothing_to_come(model.states(), 0.0);
  return greedy_orders(bellman, nothing_to_come);
}

}  // namespace shortfall::inventory
