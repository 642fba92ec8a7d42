#pragma once

#include <string>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// The order for a stock of x1 units with one period left and x2 with two.
struct Order {
  int x1 = 0;
  int x2 = 0;
  int order = 0;
  SHORTFALL_RECORD(x1, x2, order)

  int total() const { return x1 + x2; }
};

/// The result of a part of figure-policies: the orders of one setting, with the empty stock first;
/// stocks are in the same sequence in all settings.
struct Orders {
  std::string cost = {};
  double tau = 0.0;
  std::vector<Order> all = {};
  SHORTFALL_RECORD(cost, tau, all)

  int at_empty() const { return all.at(0).order; }
  std::size_t ordering() const;  ///< stocks with an order
  int largest_stock() const;     ///< with an order; -1: none
  double mean_order() const;     ///< over stocks with an order
  /// Whether there are s and S with an order of S - total where total ≤ s, and none above.
  bool is_order_up_to() const;
};

Results conclude_orders(const std::vector<Orders>& parts);

}  // namespace shortfall::studies
