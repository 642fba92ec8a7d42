#include <cmath>

#include "inventory/greedy_orders.hpp"
#include "inventory/memory.hpp"
#include "inventory/on_ranks.hpp"
#include "require.hpp"
#include "shortfall/inventory/solve.hpp"

namespace shortfall::inventory {

Policy detail::greedy_policy(const Model& model, const Criterion& criterion,
                             std::span<const double> values, const GreedyOptions& options,
                             Communicator& communicator) {
  require(values.size() == model.states(), "{} values; accepted: one per state, {}", values.size(),
          model.states());
  for (std::size_t s = 0; s < values.size(); ++s) {
    require(std::isfinite(values[s]), "the value of state {} is {}; accepted: a finite number", s,
            values[s]);
  }
  check_memory(model, communicator);
  shortfall::detail::Watch watch(options.monitor, {.activity = "improving"}, communicator);
  StockBellman bellman(model, criterion, options.threads, watch);
  return greedy_orders(bellman, values);
}

Policy greedy_policy(const Model& model, const Criterion& criterion, std::span<const double> values,
                     const GreedyOptions& options) {
  return detail::greedy_policy(model, criterion, values, options, shortfall::detail::one_process());
}

}  // namespace shortfall::inventory
