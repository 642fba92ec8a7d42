#pragma once

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/plan/order.hpp"

namespace shortfall::inventory {

/// What a stock above the capacity costs, on which nothing can be ordered.
struct FullShelf {
  double value = 0.0;           ///< ρ(c + γ V(X')), down to stocks of the solution
  double expired_in_all = 0.0;  ///< units that expire if nothing is ever ordered
  double rounding = 0.0;        ///< of the value
};

/// `solution` has the values of the stocks within the capacity. The stocks that are reached without
/// an order are few: they depend on what was taken from the oldest units alone.
FullShelf full_shelf(const Model& model, const Criterion& criterion, const Solution& solution,
                     const StockToday& today);

}  // namespace shortfall::inventory
