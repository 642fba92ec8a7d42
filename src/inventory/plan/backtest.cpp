#include "shortfall/inventory/plan/backtest.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errors/require.hpp"
#include "inventory/plan/replay.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/fit/fitted_model.hpp"
#include "shortfall/inventory/plan/capacity_check.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {

/// A plan and the date from which it is used.
struct Refit {
  std::chrono::sys_days date;
  Model model;
};

/// The rows from a date on.
Records rows_from(const Records& records, std::chrono::sys_days date);

/// Plans that are fitted every `refit_days` days of the calendar to the rows before that day.
/// Refers to its arguments.
class Refits {
 public:
  Refits(const Model& plan, const Records& records, const BacktestOptions& options)
      : plan_(plan), records_(records), options_(options) {}

  bool is_due(std::chrono::sys_days date) const;

  /// The plan of a date; none, with a warning, if the rows before it do not allow a fit.
  std::optional<Model> at(std::chrono::sys_days date, std::vector<Warning>& warnings) const;

  /// The earliest one. Throws InvalidInput if there is none.
  Refit first(std::vector<Warning>& warnings) const;

 private:
  const Model& plan_;
  const Records& records_;
  const BacktestOptions& options_;
};

Records rows_from(const Records& records, std::chrono::sys_days date) {
  Records rows{.days = {}, .columns = records.columns};
  for (const DayRecord& row : records.days) {
    if (row.date >= date) rows.days.push_back(row);
  }
  return rows;
}

bool Refits::is_due(std::chrono::sys_days date) const {
  const auto days = static_cast<std::size_t>((date - records_.days.front().date).count());
  return options_.refit_days > 0 && days > 0 && days % options_.refit_days == 0;
}

std::optional<Model> Refits::at(std::chrono::sys_days date, std::vector<Warning>& warnings) const {
  Records known{.days = {}, .columns = records_.columns};
  for (const DayRecord& row : records_.days) {
    if (row.date < date) known.days.push_back(row);
  }
  std::optional<Model> fitted;
  try {
    fitted = options_.refit(known);
  } catch (const InvalidInput& error) {
    warnings.push_back(
        {.code = WarningCode::refit_failed, .dates = {date}, .names = {error.what()}});
    return std::nullopt;
  }
  require(fitted->shelf_life() == plan_.shelf_life() && fitted->capacity() == plan_.capacity(),
          "a refit with shelf life {} and capacity {}; accepted: those of the plan, {} and {}",
          fitted->shelf_life(), fitted->capacity(), plan_.shelf_life(), plan_.capacity());
  return fitted;
}

Refit Refits::first(std::vector<Warning>& warnings) const {
  const auto step = std::chrono::days(options_.refit_days);
  const std::chrono::sys_days begin = records_.days.front().date;
  const std::chrono::sys_days last = records_.days.back().date;
  require(begin + step <= last,
          "the plan is to be fitted again after {}, but the records end on {}, after {}; "
          "accepted: fewer days than the records have",
          io::counted(options_.refit_days, "day"), iso_date(last), (last - begin).count() + 1);
  for (std::chrono::sys_days date = begin + step; date <= last; date += step) {
    std::optional<Model> fitted = at(date, warnings);
    if (fitted) return {date, *std::move(fitted)};
  }
  throw InvalidInput(fmt::format(
      "no plan can be fitted: the plan could not be fitted again on {}: {}; accepted: records with "
      "more days",
      iso_date(warnings.back().dates.front()), warnings.back().names.front()));
}

Model refitted(const Model& plan, const Records& known) {
  const Fit fit = fit_records(known, {.shelf_life = plan.shelf_life()});
  ModelParts parts = fitted_model(fit, {.cost = plan.parts().cost, .capacity = plan.capacity()});
  parts.max_order = plan.parts().max_order;
  if (fit.arrival.law == ArrivalLaw::unknown) parts.arrival = plan.parts().arrival;
  return Model(std::move(parts));
}

namespace {

class BacktestRun {
 public:
  /// From the first refit on, if there are any.
  BacktestRun(const Model& model, const Criterion& criterion, const Records& records,
              const BacktestOptions& options, const Execution& execution)
      : model_(model),
        criterion_(criterion),
        options_(options),
        execution_(execution),
        refits_(model, records, options),
        plan_(options.refit_days > 0 ? refits_.first(result_.warnings) : Refit{{}, model}),
        records_(rows_from(records, plan_.date)),
        calendar_(calendar_of(records_)),
        deliveries_(model, options.seed) {
    result_.days = records_.days.size();
    result_.warmup_days = records.days.size() - records_.days.size();
    result_.closed_days = calendar_.size() - records_.days.size();
    if (options.refit_days > 0) result_.refits.push_back(plan_.date);
    for (const DayRecord& row : records_.days) {
      if (row.stockout) ++result_.censored_days;
      has_deliveries_ = has_deliveries_ || !row.received.empty();
      has_orders_ = has_orders_ || row.ordered.has_value();
    }
  }

  Backtest operator()(const std::vector<Rule>& rules) {
    set_start();
    warn_about_records();
    std::vector<BacktestRule> policies;
    policies.emplace_back(Rule{.name = "plan"}, criterion_, options_.rules, execution_);
    if (!options_.plan_orders.empty()) policies[0].use_orders(model_, options_.plan_orders);
    for (const Rule& rule : rules)
      policies.emplace_back(rule, criterion_, options_.rules, execution_);
    const std::size_t known = options_.plan_orders.empty() ? 0 : 1;
    if (!use_plan(plan_.model, std::span(policies).subspan(known)) || !follow(policies)) {
      return std::move(result_);
    }
    if (options_.refit_days == 0) {
      const auto limited = capacity_warning(model_, criterion_, policies.front().orders());
      if (limited) warn(*limited);
    }
    for (BacktestRule& rule : policies) {
      finish_backtest(rule.policy);
      if (result_.censored_days > 0) rule.policy.shortages = Shortages::of_recorded_demand;
      result_.policies.push_back(std::move(rule.policy));
    }
    if (has_deliveries_ || has_orders_) {
      ActualReplay actual =
          replay_actual({model_, records_, calendar_, deliveries_, result_.start});
      for (Warning& warning : actual.warnings(model_)) warn(std::move(warning));
      if (result_.censored_days > 0) actual.policy.shortages = Shortages::at_least;
      result_.policies.push_back(std::move(actual.policy));
    }
    return std::move(result_);
  }

 private:
  void warn(Warning warning) { result_.warnings.push_back(std::move(warning)); }
  std::chrono::sys_days date(std::size_t t) const {
    return records_.days.front().date + std::chrono::days(t);
  }

  void set_start() {
    const std::size_t ages = model_.stocks().length();
    if (options_.start) {
      result_.start = *options_.start;
      require(result_.start.size() == ages,
              "the stock has {}; accepted: {}, the units with 1, 2, .. periods left",
              io::counted(result_.start.size(), "number"), ages);
      return;
    }
    result_.start = has_deliveries_ ? recorded_start(model_, calendar_) : Shelf::Units(ages, 0);
    const std::uint32_t implied = Shelf(result_.start).total();
    auto room = static_cast<std::uint32_t>(model_.capacity());
    for (std::uint32_t& units : result_.start) {  // those needed first stay
      units = std::min(units, room);
      room -= units;
    }
    if (implied > model_.capacity()) {
      warn({.code = WarningCode::start_above_capacity,
            .count = implied,
            .total = model_.capacity()});
    }
  }

  void warn_about_records() {
    for (Warning& warning : warnings_of(records_.columns)) warn(std::move(warning));
    if (result_.censored_days > 0) {
      warn({.code = WarningCode::demand_censored,
            .count = result_.censored_days,
            .total = result_.days});
    }
    const std::vector<Gap> gaps = long_gaps(records_);
    if (!gaps.empty()) warn({.code = WarningCode::closed_for_long, .gaps = gaps});
    if (options_.refit_days == 0) warn({.code = WarningCode::plan_may_know_days});
    if (!has_deliveries_) warn({.code = WarningCode::ages_drawn});
  }

  /// False if stopped.
  static bool use_plan(const Model& plan, std::span<BacktestRule> policies) {
    return std::ranges::all_of(policies, [&](BacktestRule& rule) { return rule.use(plan); });
  }

  /// All rules, day by day. False if stopped.
  bool follow(std::vector<BacktestRule>& policies) {
    std::vector<Shelf> shelves(policies.size(), Shelf(result_.start));
    for (std::size_t t = 0; t < calendar_.size(); ++t) {
      if (date(t) > plan_.date && refits_.is_due(date(t))) {
        const std::optional<Model> fitted = refits_.at(date(t), result_.warnings);
        if (fitted) result_.refits.push_back(date(t));
        if (fitted && !use_plan(*fitted, policies)) return false;
      }
      for (std::size_t i = 0; i < policies.size(); ++i) {
        add_backtest_day(policies[i].policy, model_, one_day(t, policies[i], shelves[i]));
      }
    }
    return true;
  }

  BacktestDay one_day(std::size_t t, const BacktestRule& rule, Shelf& shelf) const {
    const DayRecord* const row = calendar_[t];
    BacktestDay day{.date = date(t),
                    .is_closed = row == nullptr,
                    .stock = shelf.stock(),
                    .received = Shelf::Units(model_.shelf_life(), 0)};
    if (row != nullptr) {
      // A plan that is fitted again may allow more on a day than the first one.
      const auto most = static_cast<std::uint32_t>(
          model_.largest_order(model_day(model_, day.date), shelf.total()));
      day.ordered = std::min(rule.order(shelf, day.date), most);
      day.received = deliveries_.of_order(*row, day.ordered);
      day.demand = row->demand;
    }
    const Shelf::Period period = shelf.pass(day.received, day.demand);
    day.missing = period.missing;
    day.left = period.left;
    day.expired = period.expired;
    return day;
  }

  const Model& model_;
  const Criterion& criterion_;
  const BacktestOptions& options_;
  const Execution& execution_;
  Backtest result_;
  Refits refits_;
  Refit plan_;       // the first one
  Records records_;  // what is compared
  std::vector<const DayRecord*> calendar_;
  RecordedDeliveries deliveries_;
  bool has_deliveries_ = false;
  bool has_orders_ = false;
};

}  // namespace

Backtest backtest(const Model& model, const Criterion& criterion, const Records& records,
                  const std::vector<Rule>& rules, const BacktestOptions& options,
                  const Execution& execution) {
  check_records(records);
  require(records.columns.received == 0 || records.columns.received == model.shelf_life(),
          "the records have {} ages on arrival; accepted: the shelf life of the plan, {}, or none",
          records.columns.received, model.shelf_life());
  require(options.refit_days == 0 || options.refit,
          "refits every {} days without a function; accepted: both or none", options.refit_days);
  require(options.refit_days == 0 || options.plan_orders.empty(),
          "refits of a plan whose orders are given; accepted: one of them");
  return BacktestRun(model, criterion, records, options, execution)(rules);
}

}  // namespace shortfall::inventory
