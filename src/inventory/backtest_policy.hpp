#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "inventory/shelf.hpp"
#include "shortfall/inventory/backtest.hpp"

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

  BacktestPolicy policy;

 private:
  Rule rule_;
  const Criterion& criterion_;
  const RuleOptions& options_;
  std::optional<Model> plan_;
  Policy orders_;
};

}  // namespace shortfall::inventory
