#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "inventory/kernel/stock_bellman.hpp"

namespace shortfall::inventory {

/// The certified bound after a pass: for each day g, V*_g is within `error` of swept + shift[g].
struct CycleBound {
  std::vector<double> shift = {};
  double shift_before = 0.0;   ///< the same relative to the first day's values before the pass
  double error = 0.0;          ///< change + roots + rounding
  double change = 0.0;         ///< the part that further passes remove
  double roots = 0.0;          ///< the part that more accurate roots remove
  double rounding = 0.0;       ///< the part that cannot be removed
  double residual = 0.0;       ///< max |swept - values| on the first day
  double largest_value = 0.0;  ///< of swept + shift, in size
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
///
/// On several ranks, all have the same values and orders, and call the same functions.
class Cycle {
 public:
  Cycle(StockBellman& bellman, std::vector<double> values, Policy orders);

  void sweep_orders(const RootGoal& goal);

  /// The same, and measures how far coarse deliveries are from the exact ones at these values:
  ///
  ///   correction = T V - T~ V   with T~ the operator of the coarse deliveries, for each day.
  void sweep_orders_and_correct(const RootGoal& goal);

  /// A pass with T~ + correction. If V* and V are the fixed points of T and of this operator, and
  /// the correction was measured at V', then V* - V is at most 1/(1-γ) times
  ///
  ///   (T - T~) V* - (T - T~) V',
  ///
  /// a small fraction of V* - V' if the coarse deliveries are any good.
  void sweep_coarsely(const RootGoal& goal);
  bool has_coarse_deliveries() const { return bellman_.has_coarse_deliveries(); }

  /// The rows that an exact pass of the current orders visits, for each row of a coarse one.
  double coarse_saving() const;

  /// The orders that an improving pass considers. `likely` are those that came close to the best
  /// one in the last pass over all orders; bounds then hold for a model that has only these.
  enum class Choice { all, likely };

  /// The best orders. Also measures the correction, as sweep_orders_and_correct() does.
  void improve(Choice choice, const RootGoal& goal = exact_roots);

  /// The best orders for coarse deliveries, without correction.
  void improve_coarsely();

  /// After improve_coarsely(): the orders that came within the margin of the best are likely. What
  /// else is known about orders is forgotten, since it holds for coarse deliveries only.
  void keep_likely_orders(double margin);

  /// From now on, likely orders came at least this close in the last exact pass over all orders.
  /// Twice the error bound of that pass is enough for nearly all that may still become optimal.
  void limit_likely_margin(double margin) { likely_margin_ = std::min(likely_margin_, margin); }

  CycleBound bound() const;

  /// values ← swept + shift, clamped to the range of possible values.
  void advance(const CycleBound& bound);

  /// After advance(): if the stock oscillates, passes oscillate for a long time; the average of the
  /// first day's values before and after a pass, each shifted to the fixed point estimated by the
  /// bounds, does not. These values are no longer certified.
  void average_with_last(const CycleBound& bound);

  bool is_stopped() const { return bellman_.is_stopped(); }  ///< the last pass is not usable
  double highest_cost() const { return bellman_.highest_cost(); }
  const std::vector<double>& values() const { return values_; }
  const Policy& orders() const { return orders_; }
  std::uint64_t rows() const { return rows_; }  ///< of targets visited so far

 private:
  StockBellman::Sweep sweep_of(std::size_t day, const RootGoal& goal);
  void improve_with(StockBellman::Deliveries deliveries, Choice choice, const RootGoal& goal);
  void correct(StockBellman::Sweep sweep);
  void update_drop(std::size_t day, std::span<const double> next_values);
  void forget_unlikely();
  template <class Update>
  void update_values(std::size_t day, const Update& value_of);
  template <class T>
  std::span<T> of_day(std::vector<T>& by_own_state, std::size_t day) const {
    const std::size_t size = by_own_state.size() / summaries_.size();
    return std::span(by_own_state).subspan(day * size, size);
  }

  StockBellman& bellman_;
  std::size_t stocks_;
  std::vector<double> values_;
  std::vector<double> swept_;
  Policy orders_;
  std::vector<BackupSummary> summaries_;  // by day
  std::vector<double> correction_;        // T V - T~ V by own state, or empty
  std::vector<double> coarsely_swept_;    // T~ V + correction, of one day

  // By own state: lower bounds of Q, and the values of the day after for which they were computed;
  // and by day the decrease of Q since then.
  std::vector<float> lower_bounds_;
  std::vector<double> bounds_next_values_;
  std::vector<double> drop_;
  std::vector<float> unlikely_above_;  // the best order's risk when the likely were found
  double likely_margin_;
  bool no_bounds_ = true;  // all lower bounds are infinite
  std::uint64_t rows_ = 0;
};

}  // namespace shortfall::inventory
