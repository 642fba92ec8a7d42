#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/inventory/arrival.hpp"
#include "shortfall/inventory/stock_index.hpp"
#include "shortfall/mdp/mdp.hpp"

/// Perishable stock under periodic review: Wang and Delage, section 6.2, after Abouee-Mehrizi et
/// al. (INFORMS J. Comput.). The events of a period:
///
///   1. the stock x = (x_1, .., x_{m-1}) is observed, x_i units with i periods left, and z is
///   ordered;
///   2. z units arrive, Y_i of them with i periods left: the stock is w = x + Y, i = 1..m;
///   3. demand D is met from the oldest units first, and unmet demand is lost;
///   4. remaining units of w_1 expire, all others have one period less:
///      X'_j = (w_{j+1} - (D - w_1 - .. - w_j)⁺)⁺, j = 1..m-1.
///
/// The cost is c = order·1{z > 0} + holding·(|w| - D)⁺ + shortage·(D - |w|)⁺ + wastage·(w_1 - D)⁺:
/// holding is paid on all remaining units, including those that expire.
namespace shortfall::inventory {

/// The largest cost per unit or order: sums of them stay far from the limits of double.
inline constexpr double largest_unit_cost = 1e100;

struct Costs {
  double order = 0.0;     ///< per order, regardless of its size
  double holding = 0.0;   ///< per unit left at the end of a period
  double shortage = 0.0;  ///< per unit of lost demand
  double wastage = 0.0;   ///< per expired unit
};

/// The parameters of a model.
struct ModelParts {
  std::size_t capacity = 0;  ///< limit on stock plus order
  std::size_t max_order = 0;
  Arrival arrival = Arrival::fresh(1);           ///< also defines the shelf life m
  std::vector<std::vector<double>> demand = {};  ///< one law, or seven for Monday .. Sunday
  Costs cost = {};
};

/// A perishable inventory. With seven demand laws the day is part of the state. States are
/// numbered day by day: state = day · stocks().size() + stocks().rank(x).
class Model {
 public:
  /// Throws InvalidInput for a shelf life outside 1..longest_shelf_life, a capacity outside
  /// 1..largest_capacity, max_order outside 0..capacity, a number of laws other than 1 and 7,
  /// invalid laws, and costs outside 0..largest_unit_cost.
  explicit Model(ModelParts parts);

  std::size_t shelf_life() const { return parts_.arrival.shelf_life(); }
  std::size_t capacity() const { return parts_.capacity; }
  std::size_t days() const { return parts_.demand.size(); }
  const Arrival& arrival() const { return parts_.arrival; }
  const Costs& cost() const { return parts_.cost; }
  std::span<const double> demand(std::size_t day) const { return parts_.demand[day]; }
  std::size_t max_demand() const;  ///< over all days

  const StockIndex& stocks() const { return stocks_; }  ///< of x: m - 1 ages
  std::size_t states() const { return days() * stocks_.size(); }

  /// The largest order at a given total stock: min(max_order, capacity - total).
  std::size_t largest_order(std::size_t total) const {
    return std::min(parts_.max_order, parts_.capacity - total);
  }

  /// c without the order cost: depends on |w|, w_1 and D.
  double period_cost(std::size_t total, std::size_t expiring, std::size_t demand) const;

  /// Throws InvalidInput unless `orders` has one feasible order for each state.
  void check_orders(const Policy& orders) const;

 private:
  ModelParts parts_;
  StockIndex stocks_;
};

/// Steps 3 and 4 of a period: takes `demand` from w = (w_1, .., w_m), oldest first, and writes the
/// stock at the start of the next period to `next`, m - 1 entries.
void age(std::span<const std::uint8_t> w, std::size_t demand, std::span<std::uint8_t> next);

}  // namespace shortfall::inventory
