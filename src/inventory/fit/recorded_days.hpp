#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "shortfall/inventory/fit/fit.hpp"

/// What rows say besides their numbers: on which weekdays a business is open and orders, which day
/// is likely mistyped, and what a stock-out means.
namespace shortfall::inventory::detail {

/// The rows of open weekdays, as Fit::closed defines them.
struct OpenDays {
  Records records;
  std::array<bool, 7> closed = {};
  std::vector<Warning> warnings = {};
};
OpenDays open_days(const Records& records);

/// Weekdays on which nothing was ever ordered, where chance would hardly explain it: if orders are
/// placed on s of n days of other weekdays, none on r days has probability
/// Π_{i<r} (n - s + 1 + i) / (n + 2 + i), for a rate of orders of which nothing else is known.
/// Check: 18 of 18 and three days without give 1·2·3 / (20·21·22).
std::array<bool, 7> weekdays_without_orders(const Records& records);

/// Demands above ten and three times that of every other day, which a negative binomial law with
/// the moments of the other days has on no day in a thousand such records.
std::vector<Warning> unlikely_demands(const Records& records);

/// See StockoutMeaning.
std::pair<StockoutMeaning, StockoutSource> stockout_meaning(const Records& records,
                                                            std::size_t shelf_life);

/// D > d is D ≥ d + 1: adds one unit to the demand of days with a stock-out.
void add_unmet_unit(Records& records);

}  // namespace shortfall::inventory::detail
