#include "inventory/plan/replay.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "text/text.hpp"

namespace shortfall::inventory {

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
  if (demand == 0) return;
  policy.service_level =
      1.0 - static_cast<double>(policy.units_short) / static_cast<double>(demand);
}

BacktestRule::BacktestRule(Rule rule, const Criterion& criterion, const RuleOptions& options)
    : rule_(std::move(rule)), criterion_(criterion), options_(options) {
  policy.name = rule_.name;
  policy.status = Status::converged;
  policy.error_bound = 0.0;
}

bool BacktestRule::use(const Model& plan) {
  if (rule_.kind == Rule::Kind::given && plan_) return true;
  RuleOptions options = options_;
  options.monitor = with_prefix(options_.monitor, policy.name);
  RuleOrders found = orders_of(rule_, plan, criterion_, options);
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
