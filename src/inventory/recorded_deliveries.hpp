#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shortfall/inventory/model.hpp"
#include "shortfall/inventory/records.hpp"

namespace shortfall::inventory {

/// The ages of an order's units on a day of the records, as backtest.hpp defines them. The u-th
/// unit of an order is the same for every larger order of the day, up to how the law of the plan
/// depends on the size.
class RecordedDeliveries {
 public:
  RecordedDeliveries(const Model& model, std::uint64_t seed) : model_(model), seed_(seed) {}

  /// By periods left, 1..m.
  std::vector<std::uint32_t> of_order(const DayRecord& record, std::size_t order) const;

 private:
  const Model& model_;
  std::uint64_t seed_;
};

}  // namespace shortfall::inventory
