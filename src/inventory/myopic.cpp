#include <limits>

#include "inventory/memory.hpp"
#include "inventory/stock_bellman.hpp"
#include "shortfall/inventory/baselines.hpp"

namespace shortfall::inventory {

Policy myopic_policy(const Model& model, const Criterion& criterion, int threads) {
  check_memory(model);
  const SolverOptions options{.threads = threads};
  StockBellman bellman(model, criterion, options);
  const std::size_t stocks = model.stocks().size();
  const std::vector<double> nothing_to_come(stocks, 0.0);
  std::vector<double> risks(stocks);
  std::vector<float> no_bounds(stocks * bellman.orders_of_a_state());
  Policy orders(model.states(), 0);
  for (std::size_t day = 0; day < model.days(); ++day) {
    no_bounds.assign(no_bounds.size(), -std::numeric_limits<float>::infinity());
    (void)bellman.improve({day, nothing_to_come, nothing_to_come, risks,
                           std::span(orders).subspan(day * stocks, stocks), exact_roots},
                          {no_bounds, 0.0, {}});
  }
  return orders;
}

}  // namespace shortfall::inventory
