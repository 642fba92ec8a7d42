#include "inventory/kernel/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "errors/require.hpp"
#include "inventory/kernel/stock_bellman.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/memory/memory.hpp"

namespace shortfall::inventory {

double memory_per_rank(const Model& model, std::size_t ranks) {
  // Initial values, those before and after a pass, those of a coarse pass and of the result, and
  // on several ranks those that are gathered; orders.
  const double a_state = (ranks > 1 ? 6.0 : 5.0) * sizeof(double) + 3.0 * sizeof(ActionIndex);
  // The values of the order bounds, the corrections of coarse passes, lower bounds of all orders,
  // and the thresholds for unlikely ones. Work is what is divided equally: where that matters, a
  // rank has at most a fifth more states than the average.
  const double orders = static_cast<double>(model.max_order() + 1);
  const double an_own_state = 2.0 * sizeof(double) + (orders + 1.0) * sizeof(float);
  const auto states = static_cast<double>(model.states());
  const double own_states = ranks == 1 ? states : 1.2 * states / static_cast<double>(ranks);
  // The non-perishable model lists all outcomes, once as a table and once grouped.
  const double totals = static_cast<double>(model.capacity() + 1);
  const double listed = static_cast<double>(model.days()) * totals * std::min(totals, orders) *
                        static_cast<double>(model.max_demand() + 1);
  return states * a_state + own_states * an_own_state + 64.0 * listed +
         StockBellman::memory_needed(model);
}

double memory_needed(const Model& model) {
  return memory_per_rank(model, 1);
}

void check_memory(const Model& model, shortfall::detail::Communicator& communicator) {
  const std::string what =
      fmt::format("shelf life {} with capacity {}", model.shelf_life(), model.capacity());
  const char* const remedy = "a smaller capacity or shelf life";
  const std::size_t ranks = communicator.size();
  if (ranks == 1) return shortfall::check_memory(memory_needed(model), what, remedy);
  const double needed = memory_per_rank(model, ranks);
  const double allowed = communicator.min(memory_allowed(communicator.ranks_on_machine()));
  require(needed <= allowed,
          "{} needs {:.3g} GB of memory on each of {} ranks; accepted: at most the {:.3g} GB "
          "available to a rank; use {}, or fewer ranks on a machine, with more threads each",
          what, needed * 1e-9, ranks, allowed * 1e-9, remedy);
}

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
