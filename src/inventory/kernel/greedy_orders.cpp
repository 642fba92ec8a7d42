#include "inventory/kernel/greedy_orders.hpp"

#include <cmath>
#include <vector>

#include "errors/require.hpp"
#include "inventory/kernel/memory.hpp"
#include "shortfall/inventory/kernel/solve.hpp"

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

Policy greedy_policy(const Model& model, const Criterion& criterion, std::span<const double> values,
                     const Execution& execution) {
  require(values.size() == model.states(), "{} values; accepted: one per state, {}", values.size(),
          model.states());
  for (std::size_t s = 0; s < values.size(); ++s) {
    require(std::isfinite(values[s]), "the value of state {} is {}; accepted: a finite number", s,
            values[s]);
  }
  check_memory(model, shortfall::detail::ranks_of(execution));
  shortfall::detail::Watch watch(execution, {.activity = "improving"});
  StockBellman bellman(model, criterion, execution.threads, watch);
  return greedy_orders(bellman, values);
}

}  // namespace shortfall::inventory
