#include "shortfall/inventory/baselines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shortfall/error.hpp"

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

}  // namespace shortfall::inventory
