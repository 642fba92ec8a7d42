#include "shortfall/inventory/plan/plan_records.hpp"

#include <algorithm>

#include "shortfall/errors/error.hpp"

namespace shortfall::inventory {
namespace {

std::vector<RecordedDemand> observed_demand(const Records& records, bool by_weekday) {
  std::vector<RecordedDemand> observed(by_weekday ? 7 : 1);
  for (const DayRecord& row : records.days) {
    auto& [days, stockouts] = observed[by_weekday ? weekday_of(row.date) : 0];
    if (days.size() <= row.demand) {
      days.resize(row.demand + 1, 0);
      stockouts.resize(row.demand + 1, 0);
    }
    ++days[row.demand];
    if (row.stockout) ++stockouts[row.demand];
  }
  return observed;
}

}  // namespace

std::vector<Rule> with_rule_in_use(const std::vector<Rule>& given, const Model& model,
                                   const Records& records) {
  std::vector<Rule> rules = given;
  const RuleInUse in_use = rule_in_use(model, records);
  if (in_use.rule && std::ranges::find(rules, in_use.rule->name, &Rule::name) == rules.end()) {
    rules.push_back(*in_use.rule);
  }
  return rules;
}

PlanRecords plan_records(const Plan& plan, const Records& records, const std::vector<Rule>& own,
                         const BacktestOptions& options, const Execution& execution) {
  const Model& model = plan.model;
  const bool by_weekday = model.parts().demand.size() > 1;
  PlanRecords result;
  try {
    result.fit = fit_records(records, {.shelf_life = model.shelf_life(),
                                       .by_weekday = by_weekday ? ByWeekday::yes : ByWeekday::no});
    result.observed = observed_demand(records, by_weekday);
  } catch (const InvalidInput& error) {
    result.not_fitted = error.what();
  }
  result.in_use = rule_in_use(model, records);
  BacktestOptions with_plan = options;
  with_plan.plan_orders = plan.recommended().policy;
  with_plan.rules.solve = [&](const Criterion& criterion) {
    const auto known = std::ranges::find_if(plan.optima, [&](const Optimum& optimum) {
      return is_same_risk(criterion.loss, optimum.loss);
    });
    // Rules are optimal for the mean, which is there, or for the criterion, whose loss may be a
    // function that cannot be compared.
    return known != plan.optima.end() ? known->solution : plan.recommended();
  };
  result.backtest = backtest(model, plan.criterion, records, own, with_plan, execution);
  return result;
}

}  // namespace shortfall::inventory
