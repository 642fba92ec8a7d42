#include "shortfall/inventory/backtest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "inventory/actual_replay.hpp"
#include "inventory/backtest_policy.hpp"
#include "inventory/recorded_deliveries.hpp"
#include "inventory/recorded_start.hpp"
#include "inventory/refits.hpp"
#include "inventory/shelf.hpp"
#include "require.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {
namespace {

class BacktestRun {
 public:
  /// From the first refit on, if there are any.
  BacktestRun(const Model& model, const Criterion& criterion, const Records& records,
              const BacktestOptions& options)
      : model_(model),
        criterion_(criterion),
        options_(options),
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
    policies.emplace_back(Rule{.name = "plan"}, criterion_, options_.rules);
    if (!options_.plan_orders.empty()) policies[0].use_orders(model_, options_.plan_orders);
    for (const Rule& rule : rules) policies.emplace_back(rule, criterion_, options_.rules);
    const std::size_t known = options_.plan_orders.empty() ? 0 : 1;
    if (!use_plan(plan_.model, std::span(policies).subspan(known)) || !follow(policies)) {
      return std::move(result_);
    }
    for (BacktestRule& rule : policies) {
      finish_backtest(rule.policy);
      if (result_.censored_days > 0) rule.policy.shortages = Shortages::of_recorded_demand;
      result_.policies.push_back(std::move(rule.policy));
    }
    if (has_deliveries_ || has_orders_) {
      ActualReplay actual =
          replay_actual({model_, records_, calendar_, deliveries_, result_.start});
      for (std::string& text : actual.warnings(model_)) warn(std::move(text));
      if (result_.censored_days > 0) actual.policy.shortages = Shortages::at_least;
      result_.policies.push_back(std::move(actual.policy));
    }
    return std::move(result_);
  }

 private:
  void warn(std::string text) { result_.warnings.push_back(std::move(text)); }
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
      require(Shelf(result_.start).total() <= model_.capacity(),
              "the stock has more than {}; accepted: at most the capacity",
              io::counted(model_.capacity(), "unit"));
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
      warn(
          fmt::format("the first days imply {} units in stock, more than the capacity of {}: all "
                      "policies start with {} of them",
                      implied, model_.capacity(), model_.capacity()));
    }
  }

  void warn_about_records() {
    const std::vector<std::string>& unused = records_.columns.unused;
    if (!unused.empty()) warn("columns that are not used: " + columns_in_words(unused));
    if (result_.censored_days > 0) {
      warn(
          fmt::format("the stock ran out on {} of {}: what was missing beyond the recorded "
                      "demand is not known and costs nothing here, which favours rules with a "
                      "small stock",
                      result_.censored_days, io::counted(result_.days, "day")));
    }
    const std::vector<Gap> gaps = long_gaps(records_);
    if (!gaps.empty()) {
      warn(fmt::format("{}: taken as closed, without demand and without orders",
                       gaps_in_words(gaps)));
    }
    if (options_.refit_days == 0) {
      warn(
          "the plan is the same on all days: if it was fitted to them, it has seen the demand that "
          "it meets here, which flatters it; --refit fits it to earlier days only");
    }
    if (!has_deliveries_) {
      warn("the records have no ages on arrival: those of all policies are drawn from the plan");
    }
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
                  const std::vector<Rule>& rules, const BacktestOptions& options) {
  check_records(records);
  require(records.columns.received == 0 || records.columns.received == model.shelf_life(),
          "the records have {} ages on arrival; accepted: the shelf life of the plan, {}, or none",
          records.columns.received, model.shelf_life());
  require(options.refit_days == 0 || options.refit,
          "refits every {} days without a function; accepted: both or none", options.refit_days);
  require(options.refit_days == 0 || options.plan_orders.empty(),
          "refits of a plan whose orders are given; accepted: one of them");
  return BacktestRun(model, criterion, records, options)(rules);
}

}  // namespace shortfall::inventory
