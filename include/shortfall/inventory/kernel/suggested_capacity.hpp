#pragma once

#include <cstddef>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

/// A capacity that does not limit the best orders: the highest stock that these reach if nothing
/// perishes, and above it a tenth, or the share of units that arrive with one day left if that is
/// more, and one unit; two units at least. It is no less if all that is left is wasted each
/// evening, as where the next day of demand is too far. `parts.capacity` is not used.
///
/// The best orders if nothing perishes follow from one number for each stock y after delivery:
/// with H(y) = ρ(holding (y - D)⁺ + shortage (D - y)⁺ + γ V((y - D)⁺)), and because ρ(X + k) is
/// ρ(X) + k, V(t) is the least of order·1{y > t} + unit·(y - t) + H(y) over y ≥ t.
///
/// They are looked for up to a stock that no plan exceeds. A fresh unit on top of u others is of
/// use only if more than u are requested while it lasts, m days: it then saves at most a shortage,
/// or another order with its unit, which the loss may count L/ε times as much as a cost (its
/// largest by its smallest slope). If it is not used, it costs at least its price, a day of holding
/// and, m - 1 days later, its wastage. So u is the quantile of the demand of m days beyond which
/// the first is less than the second, with a probability of at least 1e-6.
std::size_t suggested_capacity(const ModelParts& parts, const Criterion& criterion);

/// As much above the stock that no plan exceeds: a larger capacity is of no use, even where what is
/// left costs nothing, so that orders fill any capacity.
std::size_t largest_useful_capacity(const ModelParts& parts, const Criterion& criterion);

/// The largest of the orders within the capacity that are best if nothing perishes.
std::size_t largest_useful_order(const ModelParts& parts, const Criterion& criterion);

}  // namespace shortfall::inventory
