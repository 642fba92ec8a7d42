#include "inventory/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "inventory/stock_bellman.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/memory.hpp"

namespace shortfall::inventory {

double memory_needed(const Model& model) {
  // Initial values, those before and after a pass, those of the order bounds and of the result;
  // corrections of coarse passes, and such a pass; orders; lower bounds of all orders, and the
  // thresholds for unlikely ones.
  const double orders = static_cast<double>(model.max_order() + 1);
  const double a_state =
      7.0 * sizeof(double) + 3.0 * sizeof(ActionIndex) + (orders + 1.0) * sizeof(float);
  // The non-perishable model lists all outcomes, once as a table and once grouped.
  const double totals = static_cast<double>(model.capacity() + 1);
  const double listed = static_cast<double>(model.days()) * totals * std::min(totals, orders) *
                        static_cast<double>(model.max_demand() + 1);
  return static_cast<double>(model.states()) * a_state + 64.0 * listed +
         StockBellman::memory_needed(model);
}

void check_memory(const Model& model) {
  shortfall::check_memory(
      memory_needed(model),
      fmt::format("shelf life {} with capacity {}", model.shelf_life(), model.capacity()),
      "a smaller capacity or shelf life");
}

}  // namespace shortfall::inventory
