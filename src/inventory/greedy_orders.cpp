#include "inventory/greedy_orders.hpp"

#include <vector>

namespace shortfall::inventory {

Policy greedy_orders(StockBellman& bellman, std::span<const double> values) {
  const Model& model = bellman.model();
  const std::size_t stocks = model.stocks().size();
  std::vector<double> risks(stocks);
  Policy orders(model.states(), 0);
  for (std::size_t day = 0; day < model.days(); ++day) {
    const std::size_t next = day + 1 == model.days() ? 0 : day + 1;
    StockBellman::Sweep sweep{day,
                              values.subspan(next * stocks, stocks),
                              values.subspan(day * stocks, stocks),
                              risks,
                              std::span(orders).subspan(day * stocks, stocks),
                              exact_roots};
    if (bellman.has_coarse_deliveries()) {
      // From these orders and risks, the exact pass has few roots to find.
      sweep.deliveries = StockBellman::Deliveries::coarse;
      (void)bellman.improve(sweep, {});
      sweep.deliveries = StockBellman::Deliveries::exact;
      sweep.values = risks;
    }
    (void)bellman.improve(sweep, {});
  }
  if (bellman.is_stopped()) orders.clear();
  return orders;
}

}  // namespace shortfall::inventory
