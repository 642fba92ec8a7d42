#include <cmath>

#include "inventory/greedy_orders.hpp"
#include "inventory/memory.hpp"
#include "require.hpp"
#include "shortfall/inventory/solve.hpp"

namespace shortfall::inventory {

Policy greedy_policy(const Model& model, const Criterion& criterion, std::span<const double> values,
                     const GreedyOptions& options) {
  require(values.size() == model.states(), "{} values; accepted: one per state, {}", values.size(),
          model.states());
  for (std::size_t s = 0; s < values.size(); ++s) {
    require(std::isfinite(values[s]), "the value of state {} is {}; accepted: a finite number", s,
            values[s]);
  }
  check_memory(model);
  shortfall::detail::Watch watch(options.monitor, {.activity = "improving"});
  StockBellman bellman(model, criterion, options.threads, watch);
  return greedy_orders(bellman, values);
}

}  // namespace shortfall::inventory
