#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "shortfall/inventory/fit.hpp"
#include "shortfall/inventory/model.hpp"

namespace shortfall::inventory {

/// What records do not tell.
struct FittedModelOptions {
  std::vector<Costs> cost = {{.order = 10.0, .holding = 1.0, .shortage = 20.0, .wastage = 5.0}};
  std::optional<std::size_t> capacity = {};   ///< none: suggested_capacity()
  std::optional<std::size_t> max_order = {};  ///< of days with orders; none: the capacity
};

/// A capacity that does not limit the best orders. Orders come every R = √(2 order / (holding ·
/// mean)) days, the economic order quantity in days, rounded and within the shelf life, and also
/// bridge the longest run of days without orders. The suggestion is the 0.995-quantile of demand
/// over such a time, as if normal, and a tenth more for units that expire; from 1 to
/// `largest_capacity`. Check: mean 6, variance 9, order 10, holding 1 give R = 2 and
/// 1.1 · (12 + 2.576 √18) = 25.2, hence 26.
std::size_t suggested_capacity(const Fit& fit, const std::vector<Costs>& cost);

/// The demand above which a day has a chance of at most 1e-6, and no less than any fitted day had.
std::size_t suggested_max_demand(const Fit& fit);

/// The fitted model: seven demands or arrivals where they differ by weekday, and no orders on
/// weekdays that have none. Throws InvalidInput for a capacity, max_order or costs that a model
/// cannot have.
ModelParts fitted_model(const Fit& fit, const FittedModelOptions& options = {});

}  // namespace shortfall::inventory
