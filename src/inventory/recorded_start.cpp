#include "inventory/recorded_start.hpp"

#include <algorithm>

#include "inventory/shelf.hpp"

namespace shortfall::inventory {
namespace {

/// The last of the given days, replayed from a stock on the first. What expired on closed days just
/// before counts as well: the records have it in the next row.
Shelf::Period replayed_day(const std::vector<std::uint32_t>& start,
                           std::span<const DayRecord* const> days, std::size_t shelf_life) {
  Shelf shelf(start);
  Shelf::Period period;
  const std::vector<std::uint32_t> nothing(shelf_life, 0);
  std::uint32_t expired_before = 0;
  for (const DayRecord* const day : days) {
    period = day == nullptr
                 ? shelf.pass(nothing, 0)
                 : shelf.pass(day->received.empty() ? nothing : day->received, day->demand);
    period.expired += expired_before;
    expired_before = day == nullptr ? period.expired : 0;
  }
  return period;
}

}  // namespace

std::vector<const DayRecord*> calendar_of(const Records& records) {
  std::vector<const DayRecord*> calendar;
  std::chrono::sys_days date = records.days.front().date;
  for (const DayRecord& row : records.days) {
    for (; date < row.date; date += std::chrono::days(1)) calendar.push_back(nullptr);
    calendar.push_back(&row);
    date += std::chrono::days(1);
  }
  return calendar;
}

std::vector<std::uint32_t> recorded_start(const Model& model,
                                          const std::vector<const DayRecord*>& calendar) {
  std::vector<std::uint32_t> start(model.stocks().length(), 0);
  const std::span<const DayRecord* const> days = calendar;
  for (std::size_t k = 1; k <= std::min(start.size(), days.size()); ++k) {
    const DayRecord* const today = days[k - 1];
    if (today == nullptr) continue;
    const auto period = [&] { return replayed_day(start, days.first(k), model.shelf_life()); };
    if (!today->stockout) start[k - 1] += period().missing;
    // Each unit that is added expires, or is used instead of a fresher one.
    for (std::size_t more = 0; more <= model.capacity(); ++more) {
      const std::uint32_t expired = period().expired;
      if (expired >= today->wasted.value_or(0)) break;
      start[k - 1] += *today->wasted - expired;
    }
  }
  return start;
}

}  // namespace shortfall::inventory
