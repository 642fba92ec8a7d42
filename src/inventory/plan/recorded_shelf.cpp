#include "inventory/plan/recorded_shelf.hpp"

#include <algorithm>
#include <numeric>
#include <pcg_random.hpp>

#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"

namespace shortfall::inventory {

std::uint32_t Shelf::total() const {
  return std::accumulate(stock_.begin(), stock_.end(), std::uint32_t{0});
}

Shelf::Period Shelf::pass(std::span<const std::uint32_t> received, std::uint32_t demand) {
  Period period{.missing = demand};
  for (std::size_t i = 0; i < received.size(); ++i) {
    const std::uint32_t units = received[i] + (i < stock_.size() ? stock_[i] : 0);
    const std::uint32_t used = std::min(units, period.missing);
    period.missing -= used;
    period.left += units - used;
    if (i == 0) {
      period.expired = units - used;
    } else {
      stock_[i - 1] = units - used;
    }
  }
  return period;
}

namespace {

/// The age of the k-th of units that are sorted by age.
std::size_t age_of_unit(const std::vector<std::uint32_t>& units, std::uint32_t k) {
  std::size_t age = 0;
  while (k >= units[age]) k -= units[age++];
  return age;
}

}  // namespace

std::vector<std::uint32_t> RecordedDeliveries::of_order(const DayRecord& record,
                                                        std::size_t order) const {
  std::vector<std::uint32_t> delivery(model_.shelf_life(), 0);
  const auto date = static_cast<std::uint64_t>(record.date.time_since_epoch().count());
  pcg64 bits = stream_generator(seed_, date);
  const std::uint32_t recorded = record.received_units();
  if (recorded > 0) {
    std::vector<std::uint32_t> rest = record.received;
    std::uint32_t units = recorded;
    for (std::size_t u = 0; u < order; ++u) {
      if (units == 0) {
        ++delivery[age_of_unit(record.received, draw_index(bits, recorded))];
        continue;
      }
      const std::size_t age = age_of_unit(rest, draw_index(bits, units--));
      --rest[age];
      ++delivery[age];
    }
    return delivery;
  }
  const std::size_t day = model_.days() == 1 ? 0 : weekday_of(record.date);
  const std::vector<double> shares = model_.arrival(day).probabilities(order);
  for (std::size_t u = 0; u < order; ++u) {
    double left = draw_uniform(bits);
    std::size_t age = 0;
    while (age + 1 < shares.size() && left >= shares[age]) left -= shares[age++];
    // Rounding may lead beyond the last age that is possible.
    while (shares[age] == 0.0) --age;
    ++delivery[age];
  }
  return delivery;
}

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
