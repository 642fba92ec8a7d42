#include "inventory/greedy_orders.hpp"

#include <limits>
#include <vector>

namespace shortfall::inventory {

Policy greedy_orders(StockBellman& bellman, std::span<const double> values) {
  const Model& model = bellman.model();
  const std::size_t stocks = model.stocks().size();
  std::vector<double> risks(stocks);
  std::vector<float> no_bounds(stocks * bellman.orders_per_state());
  Policy orders(model.states(), 0);
  for (std::size_t day = 0; day < model.days(); ++day) {
    no_bounds.assign(no_bounds.size(), -std::numeric_limits<float>::infinity());
    const std::size_t next = day + 1 == model.days() ? 0 : day + 1;
    (void)bellman.improve(
        {day, values.subspan(next * stocks, stocks), values.subspan(day * stocks, stocks), risks,
         std::span(orders).subspan(day * stocks, stocks), exact_roots},
        {no_bounds, 0.0, {}});
  }
  if (bellman.is_stopped()) orders.clear();
  return orders;
}

}  // namespace shortfall::inventory
