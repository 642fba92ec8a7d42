#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inventory/plan/recorded_shelf.hpp"
#include "shortfall/inventory/plan/backtest.hpp"

namespace shortfall::inventory {

/// The day of a model on a date.
std::size_t model_day(const Model& model, std::chrono::sys_days date);

/// Adds a day to a policy, at the costs of the model.
void add_backtest_day(BacktestPolicy& policy, const Model& model, BacktestDay day);

/// What is known once all days are added.
void finish_backtest(BacktestPolicy& policy);

/// A rule with the orders of the plan that is in force. Refers to the criterion and the options.
class BacktestRule {
 public:
  BacktestRule(Rule rule, const Criterion& criterion, const RuleOptions& options);

  /// Computes the orders for a plan; those of a file stay. False if stopped.
  bool use(const Model& plan);

  /// The same with orders that are known. Throws InvalidInput unless they fit the plan.
  void use_orders(const Model& plan, Policy orders);

  std::uint32_t order(const Shelf& shelf, std::chrono::sys_days date) const;
  const Policy& orders() const { return orders_; }  ///< by state

  BacktestPolicy policy;

 private:
  Rule rule_;
  const Criterion& criterion_;
  const RuleOptions& options_;
  std::optional<Model> plan_;
  Policy orders_;
};

/// What happened, by the records (backtest.hpp), and where they do not add up.
struct ActualReplay {
  BacktestPolicy policy;
  std::size_t days_above_capacity = 0;
  std::uint64_t unexplained = 0;     ///< units supplied from a stock that the records do not have
  std::uint64_t wasted = 0;          ///< by the records, if they have it
  std::uint64_t replayed_waste = 0;  ///< the same, if the oldest units are used first

  std::vector<Warning> warnings(const Model& model) const;
};

/// The days of the records with their deliveries, and a stock on the first morning.
struct RecordedDays {
  const Model& model;
  const Records& records;
  const std::vector<const DayRecord*>& calendar;  ///< calendar_of(records)
  const RecordedDeliveries& deliveries;
  const Shelf::Units& start;
};
ActualReplay replay_actual(const RecordedDays& recorded);

}  // namespace shortfall::inventory
