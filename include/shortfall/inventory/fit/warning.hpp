#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "shortfall/inventory/fit/records.hpp"

namespace shortfall::inventory {

/// What speaks against a fit or its plan, or limits a back-test, with the members of Warning that
/// have its data.
enum class WarningCode {
  // of a fit
  few_days,                 ///< count: days
  frequent_stockouts,       ///< count: days on which the stock ran out, of `total`
  unused_columns,           ///< names: columns of the records; also of a back-test
  columns_mapped,           ///< names: what was read as which column; also of a back-test
  lines_skipped,            ///< names: which; also of a back-test
  missing_rows,             ///< gaps
  deliveries_differ,        ///< dates on which other units were received than ordered
  closed_weekdays,          ///< weekdays without a row
  stray_rows,               ///< weekdays: one; dates: its rows, left out, of `total` such days
  unlikely_demand,          ///< dates: one; count: its demand; total: the largest of other days
  weekdays_without_orders,  ///< weekdays
  weekday_with_few_days,    ///< weekdays: one; count: days with known demand, of `total` needed
  weekdays_not_separated,   ///< the same, and all days were fitted together
  poisson_suffices,         ///< the negative binomial law that fits best is Poisson
  poisson_contradicted,     ///< p
  negative_binomial_contradicted,  ///< p
  largest_demands_unknown,         ///< number: share of days
  level_shift,                     ///< dates: one; number: relative change; p
  level_shift_or_later,            ///< the same, and the date is a lower bound
  trend,  ///< number: relative change per year, or over `total` days if that is above 0; p;
          ///< count: the number of last days to which a fit may be limited, or 0
  dependent_days,        ///< number: correlation of successive days
  few_units_on_weekday,  ///< weekdays: one; count: units that arrived
  ages_unknown,          ///< units are assumed to be fresh
  // of the size of a plan
  stock_above_largest_capacity,  ///< total: the largest capacity
  /// count: the capacity; total: one that would not; number: the share of days on which orders fill
  /// it, or 0 if no orders have been computed
  capacity_limits_orders,
  max_order_limits_orders,  ///< count: the largest order; total: one that would not
  // of a back-test
  start_above_capacity,   ///< count: units that the first days imply; total: the capacity
  demand_censored,        ///< count: days on which the stock ran out, of `total`
  closed_for_long,        ///< gaps
  plan_may_know_days,     ///< the plan was not refitted
  ages_drawn,             ///< the records have no ages on arrival
  refit_failed,           ///< dates: one; names: why
  actual_above_capacity,  ///< count: days; total: the capacity
  actual_not_explained,   ///< count: units supplied
  actual_waste_differs    ///< count: units wasted by the records; total: by the replay
};

/// A code with its data. formats/warning_words.hpp puts it into words.
struct Warning {
  WarningCode code;
  std::size_t count = 0;
  std::size_t total = 0;
  double number = 0.0;
  double p = 1.0;
  std::vector<std::size_t> weekdays = {};  ///< 0 for Monday to 6 for Sunday
  std::vector<std::chrono::sys_days> dates = {};
  std::vector<Gap> gaps = {};
  std::vector<std::string> names = {};
};

/// What was left out of a file, or read by its meaning.
std::vector<Warning> warnings_of(const RecordColumns& columns);

}  // namespace shortfall::inventory
