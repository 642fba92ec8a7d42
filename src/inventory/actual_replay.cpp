#include "inventory/actual_replay.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "inventory/backtest_policy.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {
namespace {

/// The units of a day as the records have them.
BacktestDay recorded_day(const RecordedDays& recorded, const DayRecord& row) {
  BacktestDay day{.date = row.date,
                  .stock = {},
                  .ordered = row.ordered.value_or(row.received_units()),
                  .received = row.received,
                  .demand = row.demand};
  if (row.received.empty()) day.received = recorded.deliveries.of_order(row, day.ordered);
  return day;
}

}  // namespace

ActualReplay replay_actual(const RecordedDays& recorded) {
  const Model& model = recorded.model;
  ActualReplay replay;
  replay.policy.name = "actual";
  Shelf shelf(recorded.start);
  std::chrono::sys_days date = recorded.records.days.front().date;
  for (const DayRecord* const row : recorded.calendar) {
    BacktestDay day = row != nullptr ? recorded_day(recorded, *row)
                                     : BacktestDay{.date = date,
                                                   .is_closed = true,
                                                   .stock = {},
                                                   .received = Shelf::Units(model.shelf_life(), 0)};
    day.stock = shelf.stock();
    const std::uint32_t units =
        shelf.total() + std::accumulate(day.received.begin(), day.received.end(), 0U);
    if (units > model.capacity()) ++replay.days_above_capacity;
    const Shelf::Period period = shelf.pass(day.received, day.demand);
    day.left = period.left;
    day.missing = period.missing;
    day.expired = period.expired;
    if (row != nullptr && recorded.records.columns.stockout && !row->stockout) {
      replay.unexplained += std::exchange(day.missing, 0);
    }
    if (recorded.records.columns.wasted) {  // what expired on closed days is in a row as well
      day.expired = row != nullptr ? row->wasted.value_or(period.expired) : 0;
      replay.wasted += day.expired;
      replay.replayed_waste += period.expired;
    }
    add_backtest_day(replay.policy, model, std::move(day));
    date += std::chrono::days(1);
  }
  finish_backtest(replay.policy);
  return replay;
}

std::vector<std::string> ActualReplay::warnings(const Model& model) const {
  std::vector<std::string> texts;
  if (days_above_capacity > 0) {
    texts.push_back(fmt::format("actual: stock and delivery exceeded the capacity of {} on {}",
                                model.capacity(), io::counted(days_above_capacity, "day")));
  }
  if (unexplained > 0) {
    texts.push_back(
        fmt::format("actual: {} supplied that the records do not explain, counted as met",
                    io::counted(unexplained, "unit")));
  }
  if (wasted != replayed_waste) {
    texts.push_back(fmt::format(
        "actual: {} wasted by the records, but {} by deliveries and demand if the oldest "
        "units are used first; the records count",
        io::counted(wasted, "unit"), replayed_waste));
  }
  return texts;
}

}  // namespace shortfall::inventory
