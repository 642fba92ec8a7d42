#pragma once

#include <cstddef>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// The range of optimal orders over all stocks with this total on a day; 0 is Monday.
struct WeekOrder {
  std::size_t day = 0;
  std::size_t total = 0;
  int least = 0;
  int most = 0;
  SHORTFALL_RECORD(day, total, least, most)
};

/// The result of a part of platelet-week, from an empty shelf on a Monday.
struct WeekOptimum {
  double tau = 0.0;
  std::size_t shelf_life = 0;
  std::size_t states = 0;
  double value = 0.0;
  double error_bound = infinity;
  double seconds = 0.0;
  double static_value = 0.0;  ///< of orders that are optimal if nothing perishes
  double static_error_bound = infinity;
  std::vector<WeekOrder> orders = {};
  SHORTFALL_RECORD(tau, shelf_life, states, value, error_bound, seconds, static_value,
                   static_error_bound, orders)

  /// Orders for an empty shelf, Monday to Sunday.
  std::vector<int> at_empty() const;
  double static_gap_percent() const { return 100.0 * (static_value - value) / value; }
};

/// Weeks are in increasing order of tau.
Results conclude_week(const std::vector<WeekOptimum>& weeks);

}  // namespace shortfall::studies
