#include <vector>

#include "inventory/greedy_orders.hpp"
#include "inventory/memory.hpp"
#include "shortfall/inventory/baselines.hpp"

namespace shortfall::inventory {

Policy myopic_policy(const Model& model, const Criterion& criterion, const SolverOptions& options) {
  check_memory(model);
  StockBellman bellman(model, criterion, options);
  const std::vector<double> nothing_to_come(model.states(), 0.0);
  return greedy_orders(bellman, nothing_to_come);
}

}  // namespace shortfall::inventory
