#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

/// A stock by periods left that no capacity limits, one period after another: steps 2 to 4 of the
/// model.
class Shelf {
 public:
  using Units = std::vector<std::uint32_t>;

  /// `start` has the units with 1, .., m-1 periods left.
  explicit Shelf(Units start) : stock_(std::move(start)) {}

  const Units& stock() const { return stock_; }
  std::uint32_t total() const;

  struct Period {
    std::uint32_t missing = 0;  ///< demand that was not met
    std::uint32_t left = 0;     ///< before any expire
    std::uint32_t expired = 0;
  };

  /// `received` has the units with 1, .., m periods left.
  Period pass(std::span<const std::uint32_t> received, std::uint32_t demand);

 private:
  Units stock_;
};

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

/// The row of each calendar day from the first to the last; null: closed.
std::vector<const DayRecord*> calendar_of(const Records& records);

/// The smallest stock on the first morning that explains the first m - 1 days. Demand that was met
/// on day k beyond what earlier days left was met by a unit with at least k periods left. A unit
/// with exactly k is enough: the oldest are used first, so that it is there on day k or has saved
/// another one that is. Units wasted on day k beyond those that expire in the replay had k periods
/// left. The total may exceed the capacity.
std::vector<std::uint32_t> recorded_start(const Model& model,
                                          const std::vector<const DayRecord*>& calendar);

}  // namespace shortfall::inventory
