#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "inventory/recorded_deliveries.hpp"
#include "inventory/shelf.hpp"
#include "shortfall/inventory/backtest.hpp"

namespace shortfall::inventory {

/// What happened, by the records (backtest.hpp), and where they do not add up.
struct ActualReplay {
  BacktestPolicy policy;
  std::size_t days_above_capacity = 0;
  std::uint64_t unexplained = 0;     ///< units supplied from a stock that the records do not have
  std::uint64_t wasted = 0;          ///< by the records, if they have it
  std::uint64_t replayed_waste = 0;  ///< the same, if the oldest units are used first

  std::vector<std::string> warnings(const Model& model) const;
};

/// The days of the records with their deliveries, and a stock on the first morning.
struct RecordedDays {
  const Model& model;
  const Records& records;
  const std::vector<const DayRecord*>& calendar;  ///< calendar_of(records)
  const RecordedDeliveries& deliveries;
  const Shelf::Units& start;
};
ActualReplay replay_actual(const RecordedDays& recorded);

}  // namespace shortfall::inventory
