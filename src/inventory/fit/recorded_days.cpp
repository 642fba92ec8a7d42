#include "inventory/fit/recorded_days.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "inventory/fit/demand_counts.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr std::size_t weekdays_of_week = 7;
constexpr double unlikely = 1e-3;

/// How many days of each weekday there are from the first to the last row, and how many rows.
struct WeekdayRows {
  std::array<std::size_t, weekdays_of_week> days = {};
  std::array<std::size_t, weekdays_of_week> rows = {};
};

WeekdayRows count_rows(const Records& records) {
  WeekdayRows count;
  const sys_days first = records.days.front().date;
  const auto length = static_cast<std::size_t>((records.days.back().date - first).count()) + 1;
  for (std::size_t k = 0; k < weekdays_of_week; ++k) {
    const std::size_t weekday = weekday_of(first + days(k));
    count.days[weekday] = (length + weekdays_of_week - 1 - k) / weekdays_of_week;
  }
  for (const DayRecord& day : records.days) ++count.rows[weekday_of(day.date)];
  return count;
}

/// P(at most `few` of `count`) if each happens with probability `rate`.
double binomial_below(std::size_t few, std::size_t count, double rate) {
  double term = portable::pow(1.0 - rate, static_cast<double>(count));
  if (rate >= 1.0) return few >= count ? 1.0 : 0.0;
  double sum = term;
  for (std::size_t k = 0; k < few; ++k) {
    term *= static_cast<double>(count - k) / static_cast<double>(k + 1) * rate / (1.0 - rate);
    sum += term;
  }
  return sum;
}

/// Rows on at most a quarter of the days, while the other weekdays have too many for chance.
std::array<bool, weekdays_of_week> weekdays_of_exceptions(const WeekdayRows& count) {
  std::array<bool, weekdays_of_week> exceptions{};
  std::size_t rows = 0;
  std::size_t all = 0;
  for (std::size_t weekday = 0; weekday < weekdays_of_week; ++weekday) {
    exceptions[weekday] = count.rows[weekday] > 0 && 4 * count.rows[weekday] <= count.days[weekday];
    if (exceptions[weekday] || count.rows[weekday] == 0) continue;
    rows += count.rows[weekday];
    all += count.days[weekday];
  }
  // A row more and a day more: days that all have rows do not prove that all must.
  const double rate = static_cast<double>(rows + 1) / static_cast<double>(all + 2);
  for (std::size_t weekday = 0; weekday < weekdays_of_week; ++weekday) {
    exceptions[weekday] = exceptions[weekday] && all > 0 &&
                          binomial_below(count.rows[weekday], count.days[weekday], rate) < unlikely;
  }
  return exceptions;
}

/// What was ordered on a day: as recorded, or else what arrived.
std::optional<std::uint32_t> order_of(const DayRecord& day) {
  if (day.ordered) return day.ordered;
  if (!day.received.empty()) return day.received_units();
  return std::nullopt;
}

}  // namespace

OpenDays open_days(const Records& records) {
  const WeekdayRows count = count_rows(records);
  const std::array<bool, weekdays_of_week> exceptions = weekdays_of_exceptions(count);
  OpenDays open{.records = {.days = {}, .columns = records.columns}};
  std::array<std::vector<sys_days>, weekdays_of_week> left_out;
  for (const DayRecord& day : records.days) {
    const std::size_t weekday = weekday_of(day.date);
    if (exceptions[weekday]) {
      left_out[weekday].push_back(day.date);
    } else {
      open.records.days.push_back(day);
    }
  }
  for (std::size_t weekday = 0; weekday < weekdays_of_week; ++weekday) {
    open.closed[weekday] =
        exceptions[weekday] || (count.days[weekday] > 0 && count.rows[weekday] == 0);
    if (!exceptions[weekday]) continue;
    open.warnings.push_back({.code = WarningCode::stray_rows,
                             .total = count.days[weekday],
                             .weekdays = {weekday},
                             .dates = std::move(left_out[weekday])});
  }
  return open;
}

std::array<bool, 7> weekdays_without_orders(const Records& records) {
  std::array<double, weekdays_of_week> rows{};
  std::array<double, weekdays_of_week> orders{};
  for (const DayRecord& day : records.days) {
    const std::optional<std::uint32_t> order = order_of(day);
    if (!order) continue;
    rows[weekday_of(day.date)] += 1.0;
    orders[weekday_of(day.date)] += *order > 0 ? 1.0 : 0.0;
  }
  double known = 0.0;
  double placed = 0.0;
  for (std::size_t weekday = 0; weekday < weekdays_of_week; ++weekday) {
    if (orders[weekday] == 0.0) continue;  // compared with the weekdays that have orders
    known += rows[weekday];
    placed += orders[weekday];
  }
  std::array<bool, weekdays_of_week> without{};
  for (std::size_t weekday = 0; weekday < weekdays_of_week; ++weekday) {
    if (placed == 0.0 || rows[weekday] == 0.0 || orders[weekday] > 0.0) continue;
    double chance = 1.0;
    for (double i = 0.0; i < rows[weekday]; i += 1.0) {
      chance *= (known - placed + 1.0 + i) / (known + 2.0 + i);
    }
    without[weekday] = chance < unlikely;
  }
  return without;
}

std::vector<Warning> unlikely_demands(const Records& records) {
  constexpr std::size_t least_days = 10;
  constexpr std::uint32_t least_demand = 10;
  constexpr std::uint32_t times = 3;
  constexpr std::size_t most_errors = 3;
  std::vector<const DayRecord*> sorted;
  for (const DayRecord& day : records.days) sorted.push_back(&day);
  std::ranges::stable_sort(sorted, {}, [](const DayRecord* day) { return day->demand; });
  std::vector<Warning> found;
  // Two mistyped days must not vouch for each other: the largest of the others may be one, too.
  for (std::size_t errors = 1; errors <= most_errors; ++errors) {
    if (sorted.size() < least_days + errors) break;
    const std::size_t others = sorted.size() - errors;
    const std::uint32_t demand = sorted[others]->demand;
    const std::uint32_t largest = sorted[others - 1]->demand;
    if (demand <= least_demand || demand <= times * largest || largest == 0) continue;
    double mean = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < others; ++i) mean += sorted[i]->demand;
    mean /= static_cast<double>(others);
    for (std::size_t i = 0; i < others; ++i) {
      squares += (sorted[i]->demand - mean) * (sorted[i]->demand - mean);
    }
    const double variance = squares / static_cast<double>(others - 1);
    const double dispersion = std::max(variance - mean, 0.0) / (mean * mean);
    const DemandTerms terms(dispersion, demand);
    const double chance = portable::exp(terms.at_least(demand, mean).value);
    if (chance * static_cast<double>(records.days.size()) >= unlikely) continue;
    found.clear();
    for (std::size_t i = others; i < sorted.size(); ++i) {
      found.push_back({.code = WarningCode::unlikely_demand,
                       .count = sorted[i]->demand,
                       .total = largest,
                       .dates = {sorted[i]->date}});
    }
  }
  return found;
}

namespace {

/// The stock of the evenings, where it is known: it is after a stock-out, and remains so while
/// deliveries, demand and waste explain each other. By periods left in the next morning, 1..m-1.
class FollowedStock {
 public:
  explicit FollowedStock(std::size_t shelf_life) : shelf_life_(shelf_life) {}

  /// A day without a row.
  void close() {
    if (is_known_) pass(std::vector<std::uint32_t>(shelf_life_, 0), 0);
  }

  void add(const DayRecord& day) {
    if (day.stockout) {
      followed_marked_ += is_known_ && delivery(day) ? 1U : 0U;
      stock_.assign(shelf_life_ - 1, 0);
      is_known_ = true;
      return;
    }
    if (!is_known_) return;
    const std::optional<std::vector<std::uint32_t>> received = delivery(day);
    if (!received || !pass(*received, day.demand)) {
      is_known_ = false;
      return;
    }
    const bool is_empty = left_ == 0 && day.demand > 0;
    if (is_empty) ++empty_unmarked_;
    if (day.wasted && *day.wasted != expired_) is_known_ = false;
  }

  /// Days that ended without stock: those that are not marked, and those that are.
  std::size_t empty_unmarked() const { return empty_unmarked_; }
  std::size_t followed_marked() const { return followed_marked_; }

 private:
  std::optional<std::vector<std::uint32_t>> delivery(const DayRecord& day) const {
    if (!day.received.empty()) return day.received;
    if (!day.ordered) return std::nullopt;
    std::vector<std::uint32_t> fresh(shelf_life_, 0);
    fresh.back() = *day.ordered;
    return fresh;
  }

  /// False if more was taken than there was.
  bool pass(const std::vector<std::uint32_t>& received, std::uint32_t demand) {
    left_ = 0;
    for (std::size_t i = 0; i < shelf_life_; ++i) {
      const std::uint32_t units = received[i] + (i < stock_.size() ? stock_[i] : 0);
      const std::uint32_t used = std::min(units, demand);
      demand -= used;
      left_ += units - used;
      (i == 0 ? expired_ : stock_[i - 1]) = units - used;
    }
    return demand == 0;
  }

  std::size_t shelf_life_;
  std::vector<std::uint32_t> stock_;
  bool is_known_ = false;
  std::uint32_t left_ = 0;
  std::uint32_t expired_ = 0;
  std::size_t empty_unmarked_ = 0;
  std::size_t followed_marked_ = 0;
};

}  // namespace

std::pair<StockoutMeaning, StockoutSource> stockout_meaning(const Records& records,
                                                            std::size_t shelf_life) {
  constexpr std::size_t least = 3;
  constexpr std::size_t enough = 20;  // among them, some would have asked for just what there was
  FollowedStock stock(shelf_life);
  std::size_t marked = 0;
  sys_days date = records.days.front().date;
  for (const DayRecord& day : records.days) {
    for (; date < day.date; date += days(1)) stock.close();
    stock.add(day);
    marked += day.stockout ? 1U : 0U;
    date += days(1);
  }
  if (marked == 0) return {StockoutMeaning::at_least, StockoutSource::none};
  const std::size_t unmarked = stock.empty_unmarked();
  if (unmarked >= least && 10 * unmarked >= marked) {
    return {StockoutMeaning::more_than, StockoutSource::records};
  }
  const bool are_marked = stock.followed_marked() >= enough && unmarked == 0;
  return {StockoutMeaning::at_least,
          are_marked ? StockoutSource::records : StockoutSource::assumed};
}

void add_unmet_unit(Records& records) {
  for (DayRecord& day : records.days) {
    if (day.stockout) day.demand = std::min(day.demand + 1, largest_recorded_units);
  }
}

}  // namespace shortfall::inventory::detail
