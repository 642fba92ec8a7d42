#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "inventory/stock_bellman.hpp"

namespace shortfall::inventory {

/// The certified bound after a pass: for each day g, V*_g is within `error` of swept + shift[g].
struct CycleBound {
  std::vector<double> shift = {};
  double shift_before = 0.0;  ///< the same relative to the first day's values before the pass
  double error = 0.0;         ///< change + roots + rounding
  double change = 0.0;        ///< the part that further passes remove
  double roots = 0.0;         ///< the part that more accurate roots remove
  double rounding = 0.0;      ///< the part that cannot be removed
  double residual = 0.0;      ///< max |swept - values| on the first day
  bool finite = true;
};

/// Values and orders of all days, and passes through the days in reverse order: each day uses the
/// new values of the following day, and the last day the old values of the first.
///
/// With n days a pass is an operator on the first day's values, monotone and with discount Γ = γⁿ.
/// So MacQueen's bounds hold with Γ: where l ≤ swept - values ≤ u on the first day, V*_0 is in
/// values + [l, u] / (1-Γ), and n - g more backups of that put V*_g in
///
///   swept_g + γ^(n-g) [l, u] / (1-Γ).
///
/// A single law of demand is the case n = 1. With seven days Γ is small: few passes are needed.
class Cycle {
 public:
  Cycle(StockBellman& bellman, std::vector<double> values, Policy orders);

  void sweep_orders(const RootGoal& goal);

  /// The orders that an improving pass considers. `likely` are those that came close to the best
  /// one in the last pass over all orders; bounds then hold for a model that has only these.
  enum class Choice { all, likely };

  /// The best orders, with roots to full double precision.
  void improve(Choice choice);

  CycleBound bound() const;

  /// values ← swept + shift, clamped to the range of possible values.
  void advance(const CycleBound& bound);

  /// After advance(): if the stock oscillates, passes oscillate for a long time; the average of the
  /// first day's values before and after a pass, each shifted to the fixed point estimated by the
  /// bounds, does not. These values are no longer certified.
  void average_with_last(const CycleBound& bound);

  bool is_stopped() const { return bellman_.is_stopped(); }  ///< the last pass is not usable
  const std::vector<double>& values() const { return values_; }
  const Policy& orders() const { return orders_; }
  std::uint64_t rows() const { return rows_; }  ///< of targets visited so far

 private:
  StockBellman::Sweep sweep_of(std::size_t day, const RootGoal& goal);
  void update_drop(std::size_t day, std::span<const double> next_values);

  StockBellman& bellman_;
  std::size_t stocks_;
  std::vector<double> values_;
  std::vector<double> swept_;
  Policy orders_;
  std::vector<BackupSummary> summaries_;  // by day

  // The values for which the lower bounds of Q were computed, and the decrease of Q since then.
  std::vector<float> lower_bounds_;
  std::vector<double> bounds_next_values_;
  std::vector<double> drop_;
  std::vector<float> unlikely_above_;  // by state: bounds of orders that were far from the best
  std::uint64_t rows_ = 0;
};

}  // namespace shortfall::inventory
