#pragma once

#include <span>

#include "inventory/kernel/stock_bellman.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

/// The exact greedy orders of any values V: argmin over z of ρ(c + γ V(X')) in every state, ties to
/// the smaller order; empty if stopped. `values` are by state.
Policy greedy_orders(StockBellman& bellman, std::span<const double> values);

}  // namespace shortfall::inventory
