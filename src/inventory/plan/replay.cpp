#include "inventory/plan/replay.hpp"

#include <pcg_random.hpp>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "text/text.hpp"

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

std::size_t model_day(const Model& model, std::chrono::sys_days date) {
  return model.days() == 1 ? 0 : weekday_of(date);
}

void add_backtest_day(BacktestPolicy& policy, const Model& model, BacktestDay day) {
  const Costs& cost = model.cost(model_day(model, day.date));
  const double order = day.ordered > 0 ? cost.order : 0.0;
  const double units = cost.unit * day.ordered;
  const double holding = cost.holding * day.left;
  const double shortage = cost.shortage * day.missing;
  const double wastage = cost.wastage * day.expired;
  day.cost = order + units + holding + shortage + wastage;
  policy.cost += day.cost;
  policy.order_cost += order;
  policy.unit_cost += units;
  policy.holding_cost += holding;
  policy.shortage_cost += shortage;
  policy.wastage_cost += wastage;
  if (day.ordered > 0) ++policy.orders;
  policy.units_ordered += day.ordered;
  policy.units_short += day.missing;
  if (day.missing > 0) ++policy.days_short;
  policy.units_expired += day.expired;
  policy.days.push_back(std::move(day));
}

void finish_backtest(BacktestPolicy& policy) {
  std::uint64_t demand = 0;
  std::size_t rows = 0;
  for (const BacktestDay& day : policy.days) {
    demand += day.demand;
    rows += day.is_closed ? 0 : 1;
  }
  policy.cost_per_day = policy.cost / static_cast<double>(rows);
  policy.service_level =
      demand == 0 ? 1.0
                  : 1.0 - static_cast<double>(policy.units_short) / static_cast<double>(demand);
}

BacktestRule::BacktestRule(Rule rule, const Criterion& criterion, const RuleOptions& options,
                           const Execution& execution)
    : rule_(std::move(rule)), criterion_(criterion), options_(options), execution_(execution) {
  policy.name = rule_.name;
  policy.status = Status::converged;
  policy.error_bound = 0.0;
}

bool BacktestRule::use(const Model& plan) {
  if (rule_.kind == Rule::Kind::given && plan_) return true;
  Execution named = execution_;
  named.monitor = with_prefix(execution_.monitor, policy.name);
  RuleOrders found = orders_of(rule_, plan, criterion_, options_, named);
  if (found.orders.empty() || found.status == Status::stopped) return false;
  if (is_success(policy.status)) policy.status = found.status;
  policy.error_bound = std::max(policy.error_bound, found.error_bound);
  orders_ = std::move(found.orders);
  plan_ = plan;
  return true;
}

void BacktestRule::use_orders(const Model& plan, Policy orders) {
  plan.check_orders(orders);
  orders_ = std::move(orders);
  plan_ = plan;
}

std::uint32_t BacktestRule::order(const Shelf& shelf, std::chrono::sys_days date) const {
  if (shelf.total() >= plan_->capacity()) return 0;
  const std::vector<std::uint8_t> stock(shelf.stock().begin(), shelf.stock().end());
  const std::size_t state =
      model_day(*plan_, date) * plan_->stocks().size() + plan_->stocks().rank(stock);
  return static_cast<std::uint32_t>(orders_[state]);
}

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
  replay.policy.status = Status::converged;  // nothing was computed
  replay.policy.error_bound = 0.0;
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

std::vector<Warning> ActualReplay::warnings(const Model& model) const {
  std::vector<Warning> warnings;
  if (days_above_capacity > 0) {
    warnings.push_back({.code = WarningCode::actual_above_capacity,
                        .count = days_above_capacity,
                        .total = model.capacity()});
  }
  if (unexplained > 0) {
    warnings.push_back({.code = WarningCode::actual_not_explained, .count = unexplained});
  }
  if (wasted != replayed_waste) {
    warnings.push_back(
        {.code = WarningCode::actual_waste_differs, .count = wasted, .total = replayed_waste});
  }
  return warnings;
}

}  // namespace shortfall::inventory
