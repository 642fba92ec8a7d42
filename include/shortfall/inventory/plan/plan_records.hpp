#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/plan/backtest.hpp"
#include "shortfall/inventory/plan/plan.hpp"
#include "shortfall/inventory/plan/rule_in_use.hpp"

namespace shortfall::inventory {

/// Days by recorded demand 0, 1, ..
struct RecordedDemand {
  std::vector<std::size_t> days = {};
  /// Days among these on which the stock ran out: demand was at least that.
  std::vector<std::size_t> stockouts = {};
};

/// A plan compared with the records: whether its demand agrees with theirs, and what it would have
/// cost.
struct PlanRecords {
  std::optional<Fit> fit = {};                ///< by weekday if the plan's demand is by weekday
  std::string not_fitted = {};                ///< why there is no fit, in words
  std::vector<RecordedDemand> observed = {};  ///< one entry, or seven for Monday to Sunday
  RuleInUse in_use = {};
  Backtest backtest = {};  ///< of the plan, the planner's own rules and what happened
};

/// The rules that were given, and the one in use by the records unless it is among them.
std::vector<Rule> with_rule_in_use(const std::vector<Rule>& given, const Model& model,
                                   const Records& records);

/// The back-test takes the recommended orders as they are. Throws InvalidInput as backtest() does;
/// records that cannot be fitted are no error. No back-test if the monitor asked to stop.
PlanRecords plan_records(const Plan& plan, const Records& records, const std::vector<Rule>& own,
                         const BacktestOptions& options = {}, const Execution& execution = {});

}  // namespace shortfall::inventory
