#include "shortfall/inventory/fit/fit.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "errors/require.hpp"
#include "inventory/fit/arrival_fit.hpp"
#include "inventory/fit/demand_fit.hpp"
#include "inventory/fit/recorded_days.hpp"
#include "shortfall/inventory/model/stock_index.hpp"
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

std::vector<std::size_t> listed(const std::array<bool, 7>& weekdays) {
  std::vector<std::size_t> days;
  for (std::size_t weekday = 0; weekday < 7; ++weekday) {
    if (weekdays[weekday]) days.push_back(weekday);
  }
  return days;
}

void warn_of_days(const Records& records, const Fit& fit, std::vector<Warning>& warnings) {
  constexpr std::size_t few_days = 90;
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
  std::vector<std::size_t> closed = listed(fit.closed);
  std::erase_if(closed, [&](std::size_t weekday) {
    return std::ranges::any_of(warnings, [&](const Warning& w) {
      return w.code == WarningCode::stray_rows && w.weekdays.front() == weekday;
    });
  });
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

Fit fit_records(const Records& all, const FitOptions& options) {
  check_fit(all, options);
  Fit fit;
  fit.shelf_life = options.shelf_life;
  detail::OpenDays open = detail::open_days(all);
  Records& records = open.records;
  fit.days = records.days.size();
  fit.first = records.days.front().date;
  fit.last = records.days.back().date;
  fit.closed = open.closed;
  fit.without_orders = detail::weekdays_without_orders(records);
  for (std::size_t weekday = 0; weekday < 7; ++weekday) {
    fit.without_orders[weekday] = fit.without_orders[weekday] || fit.closed[weekday];
  }
  for (sys_days date = fit.first; date <= fit.last; date += days(1)) {
    fit.holidays += fit.closed[weekday_of(date)] ? 0u : 1u;
  }
  fit.holidays -= fit.days;
  fit.warnings = warnings_of(records.columns);
  warn_of_days(records, fit, fit.warnings);
  std::ranges::move(detail::unlikely_demands(records), std::back_inserter(fit.warnings));
  std::ranges::move(open.warnings, std::back_inserter(fit.warnings));
  warn_of_weekdays(fit, fit.warnings);
  fit.stockout_source = StockoutSource::option;
  fit.stockout = options.stockout;
  if (options.stockout == StockoutMeaning::automatic) {
    std::tie(fit.stockout, fit.stockout_source) = detail::stockout_meaning(all, options.shelf_life);
  }
  if (fit.stockout == StockoutMeaning::more_than) detail::add_unmet_unit(records);
  fit.demand = detail::fit_demand(records, options, fit.warnings);
  fit.arrival = detail::fit_arrival(records, options.shelf_life, fit.warnings);
  return fit;
}

}  // namespace shortfall::inventory
