#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/plan/rules.hpp"
#include "shortfall/monitor/monitor.hpp"

/// Today's order for today's stock, what every other order would cost, and why.
namespace shortfall::inventory {

/// The stock this morning, before the order.
struct StockToday {
  std::vector<std::uint8_t> stock;  ///< units with 1, .., m-1 periods left
  std::size_t day = 0;              ///< 0 for Monday to 6 for Sunday; 0 where days are alike

  std::size_t total() const;
  std::size_t state(const Model& model) const;  ///< its number in the model
};

/// A stock as it was typed. It may be above the capacity, after a delivery that was not foreseen.
/// Throws InvalidInput for the wrong number of ages, a negative number, a total above
/// `largest_capacity`, a day where the days of the model are alike, and no day or one above 6
/// where they are not.
StockToday stock_today(const Model& model, std::span<const std::int64_t> stock,
                       std::optional<std::size_t> day);

/// One of the orders that are possible today. What is expected is exact, from the laws of demand D
/// and of the delivery, and of this period alone unless it says otherwise. With t = units in stock
/// + order, and W_1 the units that have one period left after the delivery:
struct OrderChoice {
  std::size_t order = 0;
  double value = 0.0;               ///< Q(x, z) = ρ(c + γ V*(X')): this order, then optimal ones
  double extra = 0.0;               ///< value above that of the recommended order
  double chance_of_shortage = 0.0;  ///< P(D > t)
  double expected_short = 0.0;      ///< E (D - t)⁺, in units
  double expected_expired = 0.0;    ///< E (W_1 - D)⁺, in units
  /// Units in stock or in this order that expire, today or later, if nothing more is ordered. Later
  /// deliveries can only add to it: they may be used before these units, and never save one.
  double expected_expired_in_all = 0.0;
  double expected_left = 0.0;  ///< E (t - D)⁺, in units, before any expire
  double expected_cost = 0.0;  ///< E c, in money
};

/// What limits the order from above.
enum class OrderLimit {
  none,      ///< a larger order is possible
  capacity,  ///< no more fits
  max_order  ///< the largest order of the day, which may be 0
};

/// The answer for one stock. Every value is within `error_bound` of the exact one. Orders whose
/// values differ by less than twice that are indistinguishable: the one that solve() chose is then
/// recommended, or else the smallest.
struct OrderAnswer {
  StockToday today;
  std::size_t order = 0;
  double error_bound = infinity;
  std::vector<OrderChoice> choices = {};  ///< by order quantity, 0, 1, .., the largest
  OrderLimit limit = OrderLimit::none;    ///< of the recommended order
  std::string reason = {};                ///< one sentence

  const OrderChoice& recommended() const { return choices[order]; }
  /// The best of the other orders: among indistinguishable ones, the one that is closest to the
  /// recommended order, and the smaller of two. The recommended order if there is no other.
  std::size_t next_best() const;
};

/// The best order for a stock, from the optimal values of all stocks.
///
/// If |V - V*| ≤ e then |Q - Q*| ≤ γ e, because a shortfall risk is monotone and translation
/// invariant; `error_bound` is that plus the rounding of one backup (risk/rounding.hpp). The backup
/// lists every delivery and demand of this one stock, so that it needs far less time and memory
/// than a pass over all stocks, and shares no code with the solver. `solution` must be one of
/// solve(). No choices if the monitor asked to stop.
///
/// For a stock above the capacity there is one choice: nothing. Its value follows from those of the
/// stocks within the capacity, because nothing is ordered until one of these is reached.
OrderAnswer best_order(const Model& model, const Criterion& criterion, const Solution& solution,
                       const StockToday& today, const Monitor& monitor = {});

/// The reason: what one unit less and one unit more would change, where that is possible; what the
/// next best order would cost, if it is neither of these; or what rules out any order. The numbers
/// are rounded from the choices, and a cost is said to rise only if it rises by more than the error
/// bound.
std::string reason_for(const Model& model, const OrderAnswer& answer);

}  // namespace shortfall::inventory
