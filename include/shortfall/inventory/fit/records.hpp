#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/inventory/model/weekday.hpp"

/// What a planner has written down: one record per day.
namespace shortfall::inventory {

/// The largest number of units in a record, that of demand in a plan: beyond it, something else was
/// counted.
inline constexpr std::uint32_t largest_recorded_units = largest_demand;

/// One day. What is not known is empty.
struct DayRecord {
  std::chrono::sys_days date;
  std::uint32_t demand = 0;  ///< units requested, or at least requested if `stockout`
  bool stockout = false;     ///< the stock ran out: demand may have been larger (StockoutMeaning)
  std::optional<std::uint32_t> ordered = {};
  std::vector<std::uint32_t> received = {};  ///< by periods left, from 1; empty if not known
  std::optional<std::uint32_t> wasted = {};

  std::uint32_t received_units() const;
};

/// Which of the optional columns the records have, and which others.
struct RecordColumns {
  bool stockout = false;
  bool ordered = false;
  bool wasted = false;
  std::size_t received = 0;               ///< periods left 1..received; 0: none
  std::vector<std::string> unused = {};   ///< names of other columns
  std::vector<std::string> mapped = {};   ///< "Bedarf" as demand: headings that were understood
  std::vector<std::string> skipped = {};  ///< lines that are no rows, such as "line 1"
};

struct Records {
  std::vector<DayRecord> days;  ///< dates increase strictly; days may be missing
  RecordColumns columns = {};
};

/// Throws InvalidInput unless there is a day, dates increase strictly, no number of units exceeds
/// `largest_recorded_units`, and each `received` is empty or as long as `columns.received`.
void check_records(const Records& records);

/// The days from `since` on, and of these the last `last` days of the calendar; 0: all of them.
/// Throws InvalidInput if none is left.
struct Window {
  std::optional<std::chrono::sys_days> since = {};
  std::size_t last = 0;
};
Records within(const Records& records, const Window& window);

/// The dates on which the units received differ from the units ordered, where both are known.
std::vector<std::chrono::sys_days> delivery_mismatches(const Records& records);

/// Days in a row without a row. Up to `longest_closure` of them are holidays.
struct Gap {
  std::chrono::sys_days first;
  std::chrono::sys_days last;
};
inline constexpr std::size_t longest_closure = 14;

/// The longer ones, by date.
std::vector<Gap> long_gaps(const Records& records);

/// The different names in quotes, the first five of them; empty if there are none.
std::string columns_in_words(const std::vector<std::string>& names);

/// "2026-11-16".
std::string iso_date(std::chrono::sys_days date);

/// "2026-11-16" as a date; nothing for other text and for dates that do not exist.
std::optional<std::chrono::sys_days> parse_iso_date(const std::string& text);

}  // namespace shortfall::inventory
