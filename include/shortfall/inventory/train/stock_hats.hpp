#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shortfall/features/hats.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/train/stock_features.hpp"

namespace shortfall::inventory {

/// Features of a stock that averagers accept: hat functions (features/hats.hpp) of cumulative sums
/// s_i = x_1 + .. + x_i, the units that perish within i periods. The sums are the total s_{m-1},
/// s_1, and from m = 5 on the older half s_{(m-1)/2}, on grids from 0 to the capacity of at most
/// 11, 5 and 5 nodes: 55 features for m = 3 and 275 from m = 5 on, of which at most 8 are active.
/// With seven days each day has its own.
///
/// As s_1 ≤ s_i ≤ s_{m-1}, about half of the nodes are never reached, and keep their initial
/// weight.
class StockHats {
 public:
  /// `values` are those of NonPerishable: [day][total stock].
  StockHats(const Model& model, const std::vector<std::vector<double>>& values);

  std::size_t dimension() const { return hats_.dimension(); }
  std::size_t max_active() const { return hats_.max_active(); }
  void write(const StockView& x, std::span<double> out) const;
  void write_active(const StockView& x, features::ActiveFeatures& out) const;

  /// The value V̂ of the total of each node, if nothing perished: the starting point of learning.
  const std::vector<double>& initial_guess() const { return initial_guess_; }

 private:
  /// The day, then the sums.
  struct Point;
  Point point_of(const StockView& x) const;

  std::vector<std::size_t> sums_;  // their numbers of ages, the total first
  features::Hats hats_;
  std::vector<double> initial_guess_;
};

}  // namespace shortfall::inventory
