#include "shortfall/inventory/plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "parallel/watch.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/plan/plan_records.hpp"

namespace shortfall::inventory {

namespace {

/// Thrown after the monitor's request to stop.
struct Stopped {};

/// A monitor that throws Stopped, also in threads that had not heard of the request.
Monitor throwing(const Monitor& monitor) {
  if (!monitor) return {};
  return [monitor = shortfall::detail::keeping_stop(monitor)](const Progress& progress) {
    if (monitor(progress) == Request::stop) throw Stopped();
    return Request::proceed;
  };
}

class Planner {
 public:
  Planner(const PlanOptions& options, const Execution& execution, Plan& plan)
      : options_(options),
        plan_(plan),
        execution_(execution),
        monitor_(throwing(execution.monitor)),
        non_perishable_(solve_non_perishable(plan.model, plan.criterion)) {}

  /// The optimum of the criterion, which is the first.
  void add_recommendation() {
    const AnyLoss& loss = plan_.criterion.loss;
    plan_.optima.push_back({loss, solve_from(non_perishable_, plan_.model, plan_.criterion,
                                             solver_options(), execution(loss.to_string()))});
    forecast(plan_.recommended().policy, loss.to_string());  // others are compared with it
  }

  /// The index of the optimum for a loss, which is computed at the first call.
  std::size_t optimum(const AnyLoss& loss, std::vector<double> start = {}) {
    const auto found = std::ranges::find_if(
        plan_.optima, [&](const Optimum& other) { return is_same_risk(loss, other.loss); });
    if (found != plan_.optima.end()) return static_cast<std::size_t>(found - plan_.optima.begin());
    SolverOptions options = solver_options();
    options.start = std::move(start);
    plan_.optima.push_back({loss, inventory::solve(plan_.model, {loss, plan_.criterion.gamma},
                                                   options, execution(loss.to_string()))});
    return plan_.optima.size() - 1;
  }

  void add_levels(const std::vector<RiskLevel>& levels) {
    // Values at neighbouring levels are close: each solve starts from the previous ones.
    std::vector<double> start = plan_.recommended().values;
    for (const auto& [level, loss, is_chosen] : levels) {
      const std::size_t best = is_chosen ? 0 : optimum(loss, start);
      const Solution& solution = plan_.optima[best].solution;
      if (solution.status != Status::overflow) start = solution.values;
      plan_.levels.push_back({level, is_chosen, best, forecast(solution.policy, loss.to_string())});
    }
  }

  void add_policy(const std::string& name, const Policy& orders) {
    auto [known, is_new] = evaluated_.try_emplace(orders);
    PlanPolicy& policy = known->second;
    if (is_new) {
      SolverOptions options = solver_options();
      options.start = static_values(plan_.model, non_perishable_);
      const Solution value =
          inventory::evaluate(plan_.model, plan_.criterion, orders, options, execution(name));
      policy.value_at_empty = value.values.front();
      policy.error_bound = value.error_bound;
      policy.status = value.status;
      policy.forecast = forecast(orders, name);
    }
    policy.name = name;
    plan_.policies.push_back(policy);
  }

  /// Under its own name, or marked where a policy of this name is compared anyway.
  void add_rule(const Rule& rule) {
    RuleOrders found =
        orders_of(rule, plan_.model, plan_.criterion, rule_options(), execution(rule.name));
    if (!is_success(found.status)) {
      plan_.policies.push_back(
          {.name = rule.name, .error_bound = found.error_bound, .status = found.status});
      return;
    }
    const auto named = std::ranges::find(plan_.policies, rule.name, &PlanPolicy::name);
    if (named != plan_.policies.end()) {
      named->own = std::move(found.orders);
      return;
    }
    add_policy(rule.name, found.orders);
    plan_.policies.back().own = std::move(found.orders);
  }

  void add_policies() {
    const Model& model = plan_.model;
    add_policy("optimal", plan_.recommended().policy);
    add_policy("static", static_policy(model, non_perishable_));
    add_policy("myopic", myopic_policy(model, plan_.criterion, execution("myopic")));
    add_policy("risk-neutral", plan_.optima[optimum(Mean())].solution.policy);
    for (const Rule& rule : options_.rules) add_rule(rule);
  }

 private:
  const Forecast& forecast(const Policy& orders, const std::string& name) {
    auto [known, is_new] = forecasts_.try_emplace(orders);
    Forecast& result = known->second;
    if (!is_new) return result;
    result.simulated = simulate(plan_.model, orders, simulation_options(), execution(name));
    for (int k = 0; k <= Forecast::steps; ++k) {
      result.cost_quantiles.push_back(
          result.simulated.quantile(static_cast<double>(k) / Forecast::steps));
    }
    add_undiscounted(result);
    result.simulated.discounted_cost = {};
    result.simulated.total_cost = {};
    result.simulated.last_cost = {};
    return result;
  }

  void add_undiscounted(Forecast& result) {
    if (has_month()) {
      const std::vector<double>& month = result.simulated.last_cost;
      result.month = MonthCost{quantile_of(month, 0.5), quantile_of(month, 0.95)};
    }
    const std::vector<double>& total = result.simulated.total_cost;
    if (recommended_total_.empty()) recommended_total_ = total;
    const auto count = static_cast<double>(total.size());
    const auto periods = static_cast<double>(options_.periods);
    const auto extra = [&](std::size_t r) { return (total[r] - recommended_total_[r]) / periods; };
    double sum = 0.0;
    for (std::size_t r = 0; r < total.size(); ++r) sum += extra(r);
    result.extra_per_period = sum / count;
    double squares = 0.0;
    for (std::size_t r = 0; r < total.size(); ++r) {
      squares += (extra(r) - result.extra_per_period) * (extra(r) - result.extra_per_period);
    }
    result.extra_standard_error =
        total.size() > 1 ? std::sqrt(squares / (count - 1.0) / count) : infinity;
  }

  /// A month after a month or more to forget the empty stock.
  bool has_month() const { return options_.periods >= 2 * MonthCost::days; }

  RuleOptions rule_options() {
    return {.tolerance = tolerance(),
            .max_iterations = options_.max_iterations,
            .solve = [this](const Criterion& criterion) {
              return plan_.optima[optimum(criterion.loss)].solution;
            }};
  }

  /// As requested for the optimum itself, and no finer than nine digits for what it is compared
  /// with: double precision may not certify more.
  Tolerance tolerance() const {
    if (plan_.optima.empty()) return options_.tolerance;
    return options_.tolerance.at_least(1e-9 * std::abs(plan_.recommended().values.front()));
  }

  SolverOptions solver_options() const {
    return {.tolerance = tolerance(), .max_iterations = options_.max_iterations};
  }
  Execution execution(const std::string& name) const {
    Execution named = execution_;
    named.monitor = with_prefix(monitor_, name);
    return named;
  }

  SimulationOptions simulation_options() const {
    return {.periods = options_.periods,
            .replications = options_.replications,
            .gamma = plan_.criterion.gamma,
            .last = has_month() ? MonthCost::days : std::size_t{1},
            .seed = options_.seed};
  }

  const PlanOptions& options_;
  Plan& plan_;
  const Execution& execution_;
  Monitor monitor_;
  NonPerishable non_perishable_;
  std::map<Policy, Forecast> forecasts_;
  std::map<Policy, PlanPolicy> evaluated_;
  std::vector<double> recommended_total_;  // the undiscounted cost of each history
};

PlanConclusions conclusions_of(const Model& model, const AnyLoss& loss, const Policy& orders) {
  std::size_t nothing_from = 0;
  PlanConclusions result{.attitude = attitude_of(loss), .falls_with_stock = true};
  const std::size_t most = model.stocks().length() == 0 ? 0 : model.capacity();
  for (std::size_t day = 0; day < model.days(); ++day) {
    ActionIndex before = std::numeric_limits<ActionIndex>::max();
    for (std::size_t total = 0; total <= most; ++total) {
      const ActionIndex largest = order_range(model, orders, day, total).most;
      if (largest > 0) nothing_from = std::max(nothing_from, total + 1);
      if (largest > before) result.falls_with_stock = false;
      before = largest;
    }
  }
  if (nothing_from <= model.capacity()) result.nothing_from = nothing_from;
  return result;
}

}  // namespace

PlanOutcome Plan::outcome() const {
  PlanOutcome worst{.status = Status::converged, .error_bound = 0.0};
  const auto add = [&](Status status, double error_bound) {
    if (is_success(worst.status) && !is_success(status)) worst = {status, error_bound};
    if (status == worst.status) worst.error_bound = std::max(worst.error_bound, error_bound);
  };
  for (const auto& [loss, solution] : optima) add(solution.status, solution.error_bound);
  for (const PlanPolicy& policy : policies) add(policy.status, policy.error_bound);
  return worst;
}

Plan make_plan(const Model& model, const Criterion& criterion, const PlanOptions& options,
               const Execution& execution) {
  const RiskLevels levels = risk_levels(criterion.loss, options.levels);
  Plan plan{.model = model,
            .criterion = criterion,
            .periods = options.periods,
            .replications = options.replications,
            .seed = options.seed,
            .parameter = levels.parameter};
  for (const Rule& rule : options.rules) check_rule(rule, model);
  Planner planner(options, execution, plan);
  try {
    planner.add_recommendation();
    plan.conclusions = conclusions_of(model, criterion.loss, plan.recommended().policy);
    planner.add_levels(levels.levels);
    planner.add_policies();
    plan.is_complete = true;
  } catch (const Stopped&) {  // the plan is not complete
  }
  return plan;
}

OrderRange order_range(const Model& model, const Policy& orders, std::size_t day,
                       std::size_t total) {
  const StockIndex& stocks = model.stocks();
  const auto first = orders.begin() + static_cast<std::ptrdiff_t>(day * stocks.size());
  const auto [least, most] =
      std::minmax_element(first + static_cast<std::ptrdiff_t>(stocks.layer_begin(total)),
                          first + static_cast<std::ptrdiff_t>(stocks.layer_begin(total + 1)));
  return {*least, *most};
}

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
