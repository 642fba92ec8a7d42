#pragma once

#include <cstddef>
#include <span>

#include "inventory/kernel/stock_bellman.hpp"
#include "parallel/communicator.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

/// The peak memory of a rank in bytes, if `ranks` of them solve a model together. All have the
/// values of all states and the table of targets. What is known about orders, most of the rest, is
/// divided.
double memory_per_rank(const Model& model, std::size_t ranks);

/// Throws InvalidInput on all ranks if solving needs more memory than is available to one of them,
/// with both figures. Ranks on the same machine share what it has.
void check_memory(const Model& model, shortfall::detail::Communicator& communicator);

/// The exact greedy orders of any values V: argmin over z of ρ(c + γ V(X')) in every state, ties to
/// the smaller order; empty if stopped. `values` are by state.
Policy greedy_orders(StockBellman& bellman, std::span<const double> values);

}  // namespace shortfall::inventory
