#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/fit/warning.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/plan/rules.hpp"
#include "shortfall/names/names.hpp"

/// What a plan would have cost on the days of the records, compared with other rules and with what
/// actually happened. Every policy goes through the same days, one period each
/// (inventory/model/model.hpp):
///
/// - **Days** run from the first to the last date. One without a row is closed: no demand and no
///   orders, but units age and are held. The weekday of a date is the day of a plan with seven.
/// - **Demand** is that of the row. Where the stock had run out, it is only a lower bound: what was
///   missing beyond it costs nothing, which favours policies with a small stock. Such days are
///   counted.
/// - **A day is short**, for every policy, if some of its recorded demand is not met.
/// - **Ages on arrival.** A policy orders another number of units than were received. If the row
///   has the ages of a delivery, the units of an order are drawn from that delivery, without
///   replacement, and beyond its size with replacement: an order of the same size brings exactly
///   what came. Otherwise they are drawn from the law of the plan. The random numbers of a day
///   depend on the seed and the date alone: the same for all policies.
/// - **Start.** All policies begin with the same stock: the one given, or else the smallest that
///   explains the first m - 1 days of the records (demand that was met and units that were wasted,
///   beyond what had been received), at most the capacity; empty if the records have no deliveries.
/// - **Refits.** A plan that was fitted to the days of the records has seen the demand that it is
///   tested on. With refits, the comparison begins for all policies with the first plan that is
///   fitted to the rows before a day: earlier days are for fitting only and are in no total.
/// - **Costs** are those of the plan, undiscounted.
///
/// The policy `actual`, if the records have deliveries or orders, receives what the records say,
/// whatever the capacity: the ages received, or else the number ordered with ages from the law of
/// the plan. Its shortages are those of this replay, except on days which the records say were not
/// short; what is missing there came from a stock that the records do not explain, and is counted.
/// Its expired units are those wasted by the records, where a row holds what expired on
/// closed days, too; those of the replay where the records do not say.
namespace shortfall::inventory {

/// One day of a policy, in units.
struct BacktestDay {
  std::chrono::sys_days date;
  bool is_closed = false;            ///< without a row
  std::vector<std::uint32_t> stock;  ///< in the morning, with 1, .., m-1 periods left
  std::uint32_t ordered = 0;
  std::vector<std::uint32_t> received;  ///< with 1, .., m periods left
  std::uint32_t demand = 0;
  std::uint32_t missing = 0;  ///< demand that was not met
  std::uint32_t left = 0;     ///< at the end of the day, before any expire
  std::uint32_t expired = 0;
  double cost = 0.0;
};

/// What the shortages of a policy are: those of what happened are at least what the records show
/// where the stock ran out, and the share of demand supplied is at most that. How other policies
/// would have met the demand that is not known cannot be said.
enum class Shortages { exact, at_least, of_recorded_demand };
inline constexpr Names<Shortages, 3> shortages_names = {
    {{"exact", Shortages::exact},
     {"at least", Shortages::at_least},
     {"of recorded demand", Shortages::of_recorded_demand}}};

struct BacktestPolicy {
  std::string name;  ///< plan, the name of a rule, or actual
  double cost = 0.0;
  double order_cost = 0.0;  ///< its five parts
  double unit_cost = 0.0;
  double holding_cost = 0.0;
  double shortage_cost = 0.0;
  double wastage_cost = 0.0;
  double cost_per_day =
      0.0;                   ///< cost / days with a row; closed days cost as well, but are not days
  std::uint64_t orders = 0;  ///< days with an order
  std::uint64_t units_ordered = 0;
  std::uint64_t units_short = 0;
  std::uint64_t days_short = 0;  ///< with units short
  std::uint64_t units_expired = 0;
  double service_level = 0.0;  ///< recorded demand met / recorded demand (1 without demand)
  Shortages shortages = Shortages::exact;
  std::vector<BacktestDay> days;            ///< every day from the first to the last
  Status status = Status::iteration_limit;  ///< of the solver that computed its orders, the worst
  double error_bound = infinity;
};

struct Backtest {
  std::size_t days = 0;                       ///< rows that are compared
  std::size_t warmup_days = 0;                ///< rows before the first refit, only fitted to
  std::size_t closed_days = 0;                ///< without a row
  std::size_t censored_days = 0;              ///< with a stock-out
  std::vector<std::uint32_t> start;           ///< the stock of the first morning, of all policies
  std::vector<std::chrono::sys_days> refits;  ///< the days on which the plan was fitted again
  std::vector<BacktestPolicy> policies;       ///< plan, the rules in their order, actual
  std::vector<Warning> warnings;              ///< what limits the comparison
};

struct BacktestOptions {
  std::optional<std::vector<std::uint32_t>> start = {};  ///< with 1, .., m-1 periods left
  std::uint64_t seed = 1;                                ///< for the ages on arrival
  /// The number of days between refits: a new plan is fitted to the rows before that day. 0: never.
  std::size_t refit_days = 0;
  std::function<Model(const Records& known)> refit = {};
  /// The orders of the plan by state, if they are known; empty: the plan is solved.
  Policy plan_orders = {};
  RuleOptions rules = {};
};

/// Throws InvalidInput for records that check_records() refuses, ages received that are not those
/// of the shelf life, a start that does not fit, and refits without a function, with orders that
/// are known, or with another shelf life or capacity. A refit that throws InvalidInput, for example
/// for too few days, leaves the plan as it was, with a warning; if there is none yet, the next one
/// begins the comparison, and if none succeeds, InvalidInput is thrown. No policies if the monitor
/// asked to stop.
Backtest backtest(const Model& model, const Criterion& criterion, const Records& records,
                  const std::vector<Rule>& rules, const BacktestOptions& options = {},
                  const Execution& execution = {});

/// The plan with demand and, where the records tell them, ages on arrival fitted to the records
/// (inventory/fit/fit.hpp). Costs, capacity and the largest orders are those of the plan. Throws
/// InvalidInput if there are too few days.
Model refitted(const Model& plan, const Records& known);

}  // namespace shortfall::inventory
