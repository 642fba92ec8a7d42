#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "shortfall/inventory/fit.hpp"

namespace shortfall::inventory::detail {

/// Units that were delivered together, by periods left.
struct Delivery {
  std::size_t weekday;
  double order;  ///< z
  double units;
  std::vector<double> by_age;
};

/// The deliveries of records that have units; the order is what was ordered, or else received.
std::vector<Delivery> deliveries_of(const Records& records);

/// The arrival part of fit_records().
ArrivalFit fit_arrival(const Records& records, std::size_t shelf_life,
                       std::vector<std::string>& warnings);

}  // namespace shortfall::inventory::detail
