#include <vector>

#include "inventory/greedy_orders.hpp"
#include "inventory/memory.hpp"
#include "shortfall/inventory/baselines.hpp"

namespace shortfall::inventory {

Policy myopic_policy(const Model& model, const Criterion& criterion, const MyopicOptions& options) {
  check_memory(model);
  shortfall::detail::Watch watch(options.monitor, {.activity = "computing myopic orders"});
  StockBellman bellman(model, criterion, options.threads, watch);
  const std::vector<double> nothing_to_come(model.states(), 0.0);
  return greedy_orders(bellman, nothing_to_come);
}

}  // namespace shortfall::inventory
