#include "shortfall/inventory/fit/fit.hpp"

#include <algorithm>

#include "errors/require.hpp"
#include "inventory/fit/arrival_fit.hpp"
#include "inventory/fit/demand_fit.hpp"
#include "shortfall/inventory/model/stock_index.hpp"
#include "shortfall/numbers/portable_math.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

void check_fit(const Records& records, const FitOptions& options) {
  check_records(records);
  require(options.shelf_life >= 1 && options.shelf_life <= longest_shelf_life,
          "shelf_life = {}; accepted: 1 to {}", options.shelf_life, longest_shelf_life);
  require(records.columns.received == 0 || records.columns.received == options.shelf_life,
          "units are received with 1 to {} periods left, but the shelf life is {}; accepted: as "
          "many ages as the shelf life, or none",
          records.columns.received, options.shelf_life);
}

/// Weekdays that occur between the first and the last row but have no row.
std::array<bool, 7> closed_weekdays(const Records& records) {
  std::array<bool, 7> closed{};
  const sys_days first = records.days.front().date;
  const sys_days last = std::min(records.days.back().date, first + days(6));
  for (sys_days date = first; date <= last; date += days(1)) closed[weekday_of(date)] = true;
  for (const DayRecord& day : records.days) closed[weekday_of(day.date)] = false;
  return closed;
}

/// What was ordered on a day: as recorded, or else what arrived.
std::optional<std::uint32_t> order_of(const DayRecord& day) {
  if (day.ordered) return day.ordered;
  if (!day.received.empty()) return day.received_units();
  return std::nullopt;
}

/// Weekdays on which nothing was ever ordered, where chance would hardly explain it.
std::array<bool, 7> weekdays_without_orders(const Records& records) {
  std::array<double, 7> rows{};
  std::array<double, 7> orders{};
  for (const DayRecord& day : records.days) {
    const std::optional<std::uint32_t> order = order_of(day);
    if (!order) continue;
    rows[weekday_of(day.date)] += 1.0;
    orders[weekday_of(day.date)] += *order > 0 ? 1.0 : 0.0;
  }
  double known = 0.0;
  double placed = 0.0;
  for (std::size_t weekday = 0; weekday < 7; ++weekday) {
    if (orders[weekday] == 0.0) continue;  // compared with the weekdays that have orders
    known += rows[weekday];
    placed += orders[weekday];
  }
  constexpr double unlikely = 1e-3;
  std::array<bool, 7> without{};
  for (std::size_t weekday = 0; weekday < 7; ++weekday) {
    without[weekday] = placed > 0.0 && rows[weekday] > 0.0 && orders[weekday] == 0.0 &&
                       portable::pow(1.0 - placed / known, rows[weekday]) < unlikely;
  }
  return without;
}

std::vector<std::size_t> listed(const std::array<bool, 7>& weekdays) {
  std::vector<std::size_t> days;
  for (std::size_t weekday = 0; weekday < 7; ++weekday) {
    if (weekdays[weekday]) days.push_back(weekday);
  }
  return days;
}

void warn_of_days(const Records& records, const Fit& fit, std::vector<Warning>& warnings) {
  constexpr std::size_t few_days = 28;
  if (fit.days < few_days) {
    warnings.push_back({.code = WarningCode::few_days, .count = fit.days});
  }
  const auto stockouts =
      static_cast<std::size_t>(std::ranges::count_if(records.days, &DayRecord::stockout));
  if (4 * stockouts > fit.days) {
    warnings.push_back(
        {.code = WarningCode::frequent_stockouts, .count = stockouts, .total = fit.days});
  }
  const std::vector<Gap> gaps = long_gaps(records);
  if (!gaps.empty()) warnings.push_back({.code = WarningCode::missing_rows, .gaps = gaps});
  const std::vector<sys_days> dates = delivery_mismatches(records);
  if (!dates.empty()) warnings.push_back({.code = WarningCode::deliveries_differ, .dates = dates});
}

void warn_of_weekdays(const Fit& fit, std::vector<Warning>& warnings) {
  const std::vector<std::size_t> closed = listed(fit.closed);
  if (!closed.empty()) {
    warnings.push_back({.code = WarningCode::closed_weekdays, .weekdays = closed});
  }
  std::vector<std::size_t> without = listed(fit.without_orders);
  std::erase_if(without, [&](std::size_t weekday) { return fit.closed[weekday]; });
  if (!without.empty()) {
    warnings.push_back({.code = WarningCode::weekdays_without_orders, .weekdays = without});
  }
}

}  // namespace

Fit fit_records(const Records& records, const FitOptions& options) {
  check_fit(records, options);
  Fit fit;
  fit.shelf_life = options.shelf_life;
  fit.days = records.days.size();
  fit.first = records.days.front().date;
  fit.last = records.days.back().date;
  fit.closed = closed_weekdays(records);
  fit.without_orders = weekdays_without_orders(records);
  for (std::size_t weekday = 0; weekday < 7; ++weekday) {
    fit.without_orders[weekday] = fit.without_orders[weekday] || fit.closed[weekday];
  }
  for (sys_days date = fit.first; date <= fit.last; date += days(1)) {
    fit.holidays += fit.closed[weekday_of(date)] ? 0u : 1u;
  }
  fit.holidays -= fit.days;
  if (!records.columns.unused.empty()) {
    fit.warnings.push_back({.code = WarningCode::unused_columns, .names = records.columns.unused});
  }
  warn_of_days(records, fit, fit.warnings);
  warn_of_weekdays(fit, fit.warnings);
  fit.demand = detail::fit_demand(records, options, fit.warnings);
  fit.arrival = detail::fit_arrival(records, options.shelf_life, fit.warnings);
  return fit;
}

}  // namespace shortfall::inventory
