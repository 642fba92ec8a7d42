#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/plan/order.hpp"

namespace shortfall::inventory {

/// Q(x, z) for one stock and all orders z = 0, 1, ...
struct OrderValues {
  std::vector<double> values = {};  ///< empty if stopped
  double rounding = 0.0;            ///< bound on the distance of each from the exact one
};

/// `next_values` are those of the day after, by stock; empty: zeros.
///
/// Outcomes are merged where their targets are equal. With t units after the delivery, a demand
/// d ≥ t leaves nothing, whatever the delivery. If nothing expires, the stock X' that is left gives
/// d = t - |X'|, so that a law over X' is enough; its probabilities are summed in extended
/// precision. Otherwise X' is w without its oldest units, and the outcomes d < w_1 of each delivery
/// are listed.
OrderValues order_values(const Model& model, const Criterion& criterion, const StockToday& today,
                         std::span<const double> next_values, const Monitor& monitor);

/// The smallest order whose value is within the margin of the least.
std::size_t smallest_best_order(std::span<const double> values, double margin);

/// By rank of a stock x of at most `capacity` units on a day: how many of them are expected to
/// expire, that day or later, if nothing is ordered. With L ages, from L = 0 on,
///
///   U_L(x) = E ((x_1 - D)⁺ + U_{L-1}(X')),
///
/// where X' has L - 1 ages. Check: one age, and D = 0 or 1 with probability 1/2: U(1) = 1/2.
std::vector<double> expected_expiry(const Model& model, std::size_t day, std::size_t capacity);

}  // namespace shortfall::inventory
