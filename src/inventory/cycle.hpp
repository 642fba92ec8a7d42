#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "inventory/stock_bellman.hpp"

namespace shortfall::inventory {

/// What is certain after a pass: for each day g, V*_g is within `error` of swept + shift[g].
struct CycleBound {
  std::vector<double> shift = {};
  double shift_before = 0.0;  ///< the same from the first day's values before the pass
  double error = 0.0;         ///< change + roots + rounding
  double change = 0.0;        ///< the part that further passes remove
  double roots = 0.0;         ///< the part that more exact roots remove
  double rounding = 0.0;      ///< the part that nothing removes
  double residual = 0.0;      ///< max |swept - values| on the first day
  bool finite = true;
};

/// Values and orders of all days, and passes through the days, the last one first: each day sees
/// the new values of the day after it, and the last day the old ones of the first.
///
/// With n days a pass is an operator on the first day's values, monotone and with discount Γ = γⁿ.
/// So MacQueen's bounds hold with Γ: where l ≤ swept - values ≤ u on the first day, V*_0 is in
/// values + [l, u] / (1-Γ), and n - g more backups of that put V*_g in
///
///   swept_g + γ^(n-g) [l, u] / (1-Γ).
///
/// One law of demand is the case n = 1. A week forgets its first day: few passes are needed.
class Cycle {
 public:
  Cycle(StockBellman& bellman, std::vector<double> values, Policy orders);

  void sweep_orders(const RootGoal& goal);

  /// Which orders an improving pass looks at. `likely` are those that came close to the best one in
  /// the last pass over all; bounds are then those of a model that has no others.
  enum class Choice { all, likely };

  /// The best orders, with roots as exact as double precision has them.
  void improve(Choice choice);

  CycleBound bound() const;

  /// values ← swept + shift, within what any policy can be worth. Where stock comes and goes in a
  /// rhythm, passes swing for long; the first day's mean of before and after, each shifted to where
  /// the bounds put the fixed point, does not.
  enum class Blend { none, mean_of_both };
  void advance(const CycleBound& bound, Blend blend = Blend::none);

  const std::vector<double>& values() const { return values_; }
  const Policy& orders() const { return orders_; }
  std::uint64_t rows() const { return rows_; }  ///< of targets visited so far

 private:
  StockBellman::Sweep sweep_of(std::size_t day, const RootGoal& goal);
  void lower_the_bounds(std::size_t day, std::span<const double> next_values);

  StockBellman& bellman_;
  std::size_t stocks_;
  std::vector<double> values_;
  std::vector<double> swept_;
  Policy orders_;
  std::vector<BackupSummary> summaries_;  // by day

  // What lower bounds of Q were found with, and by how much values have fallen since.
  std::vector<float> lower_bounds_;
  std::vector<double> bounds_next_values_;
  std::vector<double> drop_;
  std::vector<float> unlikely_above_;  // by state: bounds of orders that were far from the best
  std::uint64_t rows_ = 0;
};

}  // namespace shortfall::inventory
