#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/plan/backtest.hpp"

namespace shortfall::inventory {

/// A stock by periods left that no capacity limits, one period after another: steps 2 to 4 of the
/// model.
class Shelf {
 public:
  using Units = std::vector<std::uint32_t>;

  /// `start` has the units with 1, .., m-1 periods left.
  explicit Shelf(Units start) : stock_(std::move(start)) {}

  const Units& stock() const { return stock_; }
  std::uint32_t total() const;

  struct Period {
    std::uint32_t missing = 0;  ///< demand that was not met
    std::uint32_t left = 0;     ///< before any expire
    std::uint32_t expired = 0;
  };

  /// `received` has the units with 1, .., m periods left.
  Period pass(std::span<const std::uint32_t> received, std::uint32_t demand);

 private:
  Units stock_;
};

/// The ages of an order's units on a day of the records, as backtest.hpp defines them. The u-th
/// unit of an order is the same for every larger order of the day, up to how the law of the plan
/// depends on the size.
class RecordedDeliveries {
 public:
  RecordedDeliveries(const Model& model, std::uint64_t seed) : model_(model), seed_(seed) {}

  /// By periods left, 1..m.
  std::vector<std::uint32_t> of_order(const DayRecord& record, std::size_t order) const;

 private:
  const Model& model_;
  std::uint64_t seed_;
};

/// The row of each calendar day from the first to the last; null: closed.
std::vector<const DayRecord*> calendar_of(const Records& records);

/// The smallest stock on the first morning that explains the first m - 1 days. Demand that was met
/// on day k beyond what earlier days left was met by a unit with at least k periods left. A unit
/// with exactly k is enough: the oldest are used first, so that it is there on day k or has saved
/// another one that is. Units wasted on day k beyond those that expire in the replay had k periods
/// left. The total may exceed the capacity.
std::vector<std::uint32_t> recorded_start(const Model& model,
                                          const std::vector<const DayRecord*>& calendar);

/// The day of a model on a date.
std::size_t model_day(const Model& model, std::chrono::sys_days date);

/// Adds a day to a policy, at the costs of the model.
void add_backtest_day(BacktestPolicy& policy, const Model& model, BacktestDay day);

/// What is known once all days are added.
void finish_backtest(BacktestPolicy& policy);

/// A rule with the orders of the plan that is in force. Refers to the criterion, the options and
/// the execution.
class BacktestRule {
 public:
  BacktestRule(Rule rule, const Criterion& criterion, const RuleOptions& options,
               const Execution& execution);

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
  const Execution& execution_;
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
