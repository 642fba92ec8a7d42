#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/inventory/model/arrival.hpp"
#include "shortfall/inventory/model/stock_index.hpp"
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
/// The cost is c = order·1{z > 0} + unit·z + holding·(|w| - D)⁺ + shortage·(D - |w|)⁺
/// + wastage·(w_1 - D)⁺: holding is paid on all remaining units, including those that expire.
///
/// Demand, deliveries, costs and the largest order may differ by weekday.
namespace shortfall::inventory {

/// The largest cost per unit or order: sums of them stay far from the limits of double.
inline constexpr double largest_unit_cost = 1e100;

struct Costs {
  double order = 0.0;     ///< per order, regardless of its size
  double unit = 0.0;      ///< per unit ordered
  double holding = 0.0;   ///< per unit left at the end of a period
  double shortage = 0.0;  ///< per unit of lost demand
  double wastage = 0.0;   ///< per expired unit

  bool operator==(const Costs&) const = default;
};

/// The parameters of a model. Each list has one entry, for every day, or seven for Monday to
/// Sunday.
struct ModelParts {
  std::size_t capacity = 0;                      ///< limit on stock plus order
  std::vector<std::size_t> max_order = {};       ///< 0: no order that day
  std::vector<Arrival> arrival = {};             ///< all with the shelf life m
  std::vector<std::vector<double>> demand = {};  ///< laws
  std::vector<Costs> cost = std::vector<Costs>(1);
};

/// The entry of a day in a list of one or seven.
template <class T>
const T& of_day(const std::vector<T>& one_or_week, std::size_t day) {
  return one_or_week[one_or_week.size() == 1 ? 0 : day];
}

/// A perishable inventory. If any part has seven entries, the day is part of the state. States are
/// numbered day by day: state = day · stocks().size() + stocks().rank(x).
class Model {
 public:
  /// Throws InvalidInput for a shelf life outside 1..longest_shelf_life, a capacity outside
  /// 1..largest_capacity, max_order outside 0..capacity, a number of entries other than 1 and 7,
  /// invalid laws, different shelf lives, and costs outside 0..largest_unit_cost.
  explicit Model(ModelParts parts);

  /// The model whose parts() these are, bit for bit: its demand is not rescaled again.
  static Model with_parts(ModelParts parts);

  std::size_t shelf_life() const { return parts_.arrival.front().shelf_life(); }
  std::size_t capacity() const { return parts_.capacity; }
  std::size_t days() const { return days_; }  ///< 7 if any part has seven entries, else 1
  const Arrival& arrival(std::size_t day) const { return of_day(parts_.arrival, day); }
  const Costs& cost(std::size_t day) const { return of_day(parts_.cost, day); }
  std::span<const double> demand(std::size_t day) const { return of_day(parts_.demand, day); }
  std::size_t max_demand() const;                     ///< over all days
  std::size_t max_order() const;                      ///< over all days
  const ModelParts& parts() const { return parts_; }  ///< with demand that sums to one

  const StockIndex& stocks() const { return stocks_; }  ///< the indices of x, which has m - 1 ages
  std::size_t states() const { return days() * stocks_.size(); }

  /// The largest order of a day at a given total stock: min(max_order, capacity - total), and 0
  /// above the capacity.
  std::size_t largest_order(std::size_t day, std::size_t total) const {
    return std::min(of_day(parts_.max_order, day), parts_.capacity - std::min(total, capacity()));
  }

  /// The part of c that is known when ordering: order·1{z > 0} + unit·z.
  double order_cost(std::size_t day, std::size_t order) const {
    const Costs& of = cost(day);
    return order > 0 ? of.order + of.unit * static_cast<double>(order) : 0.0;
  }

  /// The rest of c, which depends on |w|, w_1 and D.
  struct Supply {
    std::size_t total;     ///< |w|
    std::size_t expiring;  ///< w_1
  };
  double period_cost(std::size_t day, const Supply& supply, std::size_t demand) const;

  /// Throws InvalidInput unless `orders` has one feasible order for each state.
  void check_orders(const Policy& orders) const;

 private:
  ModelParts parts_;
  std::size_t days_;
  StockIndex stocks_;
};

/// Steps 3 and 4 of a period: takes `demand` from w = (w_1, .., w_m), oldest first, and writes the
/// stock at the start of the next period to `next`, m - 1 entries.
void age(std::span<const std::uint8_t> w, std::size_t demand, std::span<std::uint8_t> next);

}  // namespace shortfall::inventory
