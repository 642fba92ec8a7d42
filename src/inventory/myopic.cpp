#include <vector>

#include "inventory/greedy_orders.hpp"
#include "inventory/memory.hpp"
#include "inventory/on_ranks.hpp"
#include "shortfall/inventory/baselines.hpp"

namespace shortfall::inventory {

Policy detail::myopic_policy(const Model& model, const Criterion& criterion,
                             const MyopicOptions& options, Communicator& communicator) {
  check_memory(model, communicator);
  shortfall::detail::Watch watch(options.monitor, {.activity = "computing myopic orders"},
                                 communicator);
  StockBellman bellman(model, criterion, options.threads, watch);
  const std::vector<double> nothing_to_come(model.states(), 0.0);
  return greedy_orders(bellman, nothing_to_come);
}

Policy myopic_policy(const Model& model, const Criterion& criterion, const MyopicOptions& options) {
  return detail::myopic_policy(model, criterion, options, shortfall::detail::one_process());
}

}  // namespace shortfall::inventory
