#pragma once

#include "report/inventory_fields.hpp"
#include "report/plan_report.hpp"

/// The fields of a plan, in the order of the page.
namespace shortfall::report {

template <>
struct Fields<PlanCosts> {
  static constexpr auto name = "PlanCosts";
  static constexpr auto meaning = "Costs of a plan, each one number or seven, Monday first.";
  static constexpr auto list = std::tuple{
      Field{"order", &PlanCosts::order, "cost of placing an order"},
      Field{"unit", &PlanCosts::unit, "cost of a unit ordered"},
      Field{"holding", &PlanCosts::holding, "cost of a unit left at the end of a period"},
      Field{"shortage", &PlanCosts::shortage, "cost of a unit of demand not met"},
      Field{"wastage", &PlanCosts::wastage, "cost of a unit that expires"}};
};

template <>
struct Fields<PlanModel> {
  static constexpr auto name = "PlanModel";
  static constexpr auto meaning = "The stock that a plan is for.";
  static constexpr auto list = std::tuple{
      Field{"shelf_life", &PlanModel::shelf_life, "periods for which a fresh unit can be used"},
      Field{"capacity", &PlanModel::capacity, "limit on stock and order together"},
      Field{"max_order", &PlanModel::max_order, "largest order, or seven, Monday first"},
      Field{"days", &PlanModel::days, "1, or 7 if the plan differs by weekday"},
      Field{"states", &PlanModel::states, "number of states: stocks by age, times weekdays"},
      Field{"gamma", &PlanModel::gamma, "discount factor"},
      Field{"loss", &PlanModel::loss, "the loss, as one word"},
      Field{"cost", &PlanModel::cost, "costs"},
      Field{"fresh", &PlanModel::fresh, "whether all units arrive fresh"}};
};

template <>
struct Fields<OrdersByTotal> {
  static constexpr auto name = "OrdersByTotal";
  static constexpr auto meaning = "The orders for all stocks with one total.";
  static constexpr auto list =
      std::tuple{Field{"day", &OrdersByTotal::day, "0, or the weekday from 0 for Monday"},
                 Field{"total", &OrdersByTotal::total, "units in stock"},
                 Field{"least", &OrdersByTotal::least, "smallest order"},
                 Field{"most", &OrdersByTotal::most, "largest order"}};
};

template <>
struct Fields<Recommendation> {
  using Type = Recommendation;
  static constexpr auto name = "Recommendation";
  static constexpr auto meaning = "The recommended orders.";
  static constexpr auto list = std::tuple{
      Field{"value_at_empty", &Type::value_at_empty, "risk-adjusted cost from the empty stock"},
      Field{"error_bound", &Type::error_bound, "certified distance from the exact value"},
      Field{"status", [](const Type& r) { return to_string(r.status); }, "status of the solution"},
      Field{"order_at_empty", &Type::order_at_empty, "order for the empty stock, by day"},
      Field{"by_total", &Type::by_total, "orders by day and total stock"}};
};

template <>
struct Fields<PackedOrders> {
  static constexpr auto name = "PackedOrders";
  static constexpr auto meaning = "The order for every stock.";
  static constexpr auto list =
      std::tuple{Field{"ages", &PackedOrders::ages, "number of ages in a stock"},
                 Field{"capacity", &PackedOrders::capacity, "largest stock"},
                 Field{"days", &PackedOrders::days, "1, or 7 if the plan differs by weekday"},
                 Field{"digits", &PackedOrders::digits,
                       "one digit of base 36 per state, or two if the capacity is above 35"}};
};

template <>
struct Fields<DemandRow> {
  static constexpr auto name = "DemandProbability";
  static constexpr auto meaning = "The probability of one demand.";
  static constexpr auto list =
      std::tuple{Field{"day", &DemandRow::day, "0, or the weekday from 0 for Monday"},
                 Field{"units", &DemandRow::units, "units of demand"},
                 Field{"probability", &DemandRow::probability, "its probability"}};
};

template <>
struct Fields<ArrivalRow> {
  static constexpr auto name = "ArrivalProbability";
  static constexpr auto meaning = "The probability that a unit arrives with one age.";
  static constexpr auto list = std::tuple{
      Field{"day", &ArrivalRow::day, "weekday, if deliveries differ by weekday",
            InDocuments::if_any},
      Field{"order", &ArrivalRow::order, "size of the order, if ages depend on it",
            InDocuments::if_any},
      Field{"periods_left", &ArrivalRow::periods_left, "periods for which the unit can be used"},
      Field{"probability", &ArrivalRow::probability, "its probability"}};
};

/// A number of the simulation of a row's orders.
template <class Row>
constexpr auto simulated(double inventory::SimulationResult::*number) {
  return [number](const Row& row) { return row.forecast.simulated.*number; };
}
template <class Row, int percent>
double cost_quantile(const Row& row) {
  return row.forecast.cost_quantile(percent / 100.0);
}
template <class Row>
constexpr auto of_month(double inventory::MonthCost::*number) {
  return [number](const Row& row) {
    return row.forecast.month ? std::optional((*row.forecast.month).*number) : std::nullopt;
  };
}

template <>
struct Fields<LevelRow> {
  using Type = LevelRow;
  using Result = inventory::SimulationResult;
  static constexpr auto name = "PlanLevel";
  static constexpr auto meaning = "The best orders for one attitude to risk.";
  static constexpr auto list = std::tuple{
      Field{"parameter", &Type::parameter, "parameter of the loss: tau, beta, mu or none"},
      Field{"level", &Type::level, "its value"},
      Field{"loss", &Type::loss, "the loss, as one word"},
      Field{"value_at_empty", &Type::value_at_empty, "risk-adjusted cost from the empty stock"},
      Field{"order_at_empty", &Type::order_at_empty, "order for the empty stock"},
      Field{"cost_mean", simulated<Type>(&Result::mean), "mean discounted cost"},
      Field{"cost_q95", &cost_quantile<Type, 95>, "its 0.95-quantile"},
      Field{"service_level", simulated<Type>(&Result::service_level),
            "share of demand that is met"},
      Field{"periods_short", simulated<Type>(&Result::periods_short),
            "share of periods in which demand is not met"},
      Field{"wasted_fraction", simulated<Type>(&Result::wasted_fraction),
            "share of units received that expire"},
      Field{"wastage_rate", simulated<Type>(&Result::wastage_rate), "units that expire per period"},
      Field{"is_chosen", &Type::is_chosen, "whether it is the attitude of the plan"},
      Field{"cost_per_period", simulated<Type>(&Result::cost_per_period), "mean cost of a period"},
      Field{"month_bad", of_month<Type>(&inventory::MonthCost::bad),
            "cost that one month in twenty exceeds; none for short histories"}};
};

template <>
struct Fields<PolicyRow> {
  using Type = PolicyRow;
  using Result = inventory::SimulationResult;
  static constexpr auto name = "PlanPolicy";
  static constexpr auto meaning = "The plan or another rule, simulated.";
  static constexpr auto result = [](const Type& row) -> const Result& {
    return row.forecast.simulated;
  };
  static constexpr auto list = std::tuple_cat(
      std::tuple{
          Field{"policy", &Type::policy, "name of the policy"},
          Field{"value_at_empty", &Type::value_at_empty, "risk-adjusted cost from the empty stock"},
          Field{"gap_percent", &Type::gap_percent, "how much more that is than the optimum"},
          Field{"cost_mean", simulated<Type>(&Result::mean), "mean discounted cost"},
          Field{"cost_standard_error", simulated<Type>(&Result::standard_error),
                "standard error of that mean"},
          Field{"cost_q50", &cost_quantile<Type, 50>, "median of the discounted cost"},
          Field{"cost_q95", &cost_quantile<Type, 95>, "its 0.95-quantile"},
          Field{"cost_q99", &cost_quantile<Type, 99>, "its 0.99-quantile"}},
      through(result, Fields<Result>::rates),
      std::tuple{
          Field{"is_own", &Type::is_own, "whether it is a rule of the planner"},
          Field{"extra_per_period", [](const Type& r) { return r.forecast.extra_per_period; },
                "how much more a period costs than with the plan"},
          Field{"extra_standard_error",
                [](const Type& r) { return r.forecast.extra_standard_error; },
                "standard error of that difference"},
          Field{"month_median", of_month<Type>(&inventory::MonthCost::median),
                "median cost of a month; none for short histories"},
          Field{"month_bad", of_month<Type>(&inventory::MonthCost::bad),
                "cost that one month in twenty exceeds; none for short histories"}});
};

template <>
struct Fields<CostRow> {
  static constexpr auto name = "CostQuantile";
  static constexpr auto meaning = "A quantile of the discounted cost.";
  static constexpr auto list =
      std::tuple{Field{"policy", &CostRow::policy, "name of the policy"},
                 Field{"probability", &CostRow::probability, "level of the quantile"},
                 Field{"discounted_cost", &CostRow::discounted_cost,
                       "cost that is not exceeded with this probability"}};
};

template <>
struct Fields<SimulationSize> {
  static constexpr auto name = "SimulationSize";
  static constexpr auto meaning = "How much was simulated.";
  static constexpr auto list =
      std::tuple{Field{"periods", &SimulationSize::periods, "periods per history"},
                 Field{"replications", &SimulationSize::replications, "number of histories"}};
};

/// Unless the weekday is closed.
template <class Number>
constexpr auto if_open(Number number) {
  return [number](const MeanRow& row) {
    return row.recorded.closed ? std::nullopt : std::optional<double>(number(row.recorded));
  };
}

template <>
struct Fields<MeanRow> {
  using Type = MeanRow;
  static constexpr auto name = "RecordedMean";
  static constexpr auto meaning = "Mean demand by the records and by the plan.";
  static bool is_outside(const Type& row) {
    const inventory::Interval& interval = row.recorded.mean_interval;
    return !row.recorded.closed && (row.planned < interval.low || row.planned > interval.high);
  }
  static constexpr auto list = std::tuple{
      Field{"day", &Type::day, "weekday from 0 for Monday; none if days are alike"},
      Field{"days", [](const Type& r) { return r.recorded.days; }, "number of rows"},
      Field{"stockouts", [](const Type& r) { return r.recorded.stockouts; },
            "rows on which the stock ran out"},
      Field{"closed", [](const Type& r) { return r.recorded.closed; },
            "whether there are no rows for this weekday"},
      Field{"mean", if_open([](const auto& d) { return d.mean; }), "mean demand"},
      Field{"mean_low", if_open([](const auto& d) { return d.mean_interval.low; }),
            "lower end of its 95 % interval"},
      Field{"mean_high", if_open([](const auto& d) { return d.mean_interval.high; }), "upper end"},
      Field{"planned", &Type::planned, "mean demand of the plan"},
      Field{"is_outside", &Fields::is_outside, "whether that is outside of the interval"}};
};

template <>
struct Fields<CountRow> {
  static constexpr auto name = "RecordedCount";
  static constexpr auto meaning = "Days with one demand.";
  static constexpr auto list =
      std::tuple{Field{"day", &CountRow::day, "0, or the weekday from 0 for Monday"},
                 Field{"units", &CountRow::units, "units of demand"},
                 Field{"known", &CountRow::known, "days with this demand"},
                 Field{"at_least", &CountRow::at_least, "days with at least this demand"},
                 Field{"expected", &CountRow::expected, "days that the plan expects"}};
};

template <>
struct Fields<RecordedDemandReport> {
  using Type = RecordedDemandReport;
  static constexpr auto name = "RecordedDemand";
  static constexpr auto meaning = "The recorded demand beside that of the plan.";
  static constexpr auto list = std::tuple{
      Field{"law", [](const Type& r) { return name_of(r.law, inventory::demand_law_names); },
            "law of demand that fits the records best"},
      Field{"holidays", &Type::holidays, "single days without a row"},
      Field{"means", &Type::means, "mean demand, by weekday if it differs"},
      Field{"counts", &Type::counts, "days by demand"},
      Field{"goodness_of_fit", &Type::goodness_of_fit, "below 0.01, the days contradict the law"},
      Field{"warnings", &Type::warnings, "what speaks against the fit, in words"}};
};

template <>
struct Fields<inventory::RuleInUse> {
  using Type = inventory::RuleInUse;
  static constexpr auto name = "RuleInUse";
  static constexpr auto meaning = "The rule behind the orders of the records.";
  static constexpr auto list = std::tuple{
      Field{"policy",
            [](const Type& r) {
              return r.rule ? std::optional<std::string>(r.rule->name) : std::nullopt;
            },
            "the rule; none if no rule agrees with the orders"},
      Field{"agreement", &Type::agreement, "share of days on which it, or the closest, agrees"},
      Field{"days", &Type::days, "days that count"},
      Field{"reason", &Type::reason, "why there is none, in words"}};
};

template <>
struct Fields<BacktestRow> {
  using Policy = Fields<inventory::BacktestPolicy>;
  static constexpr auto name = "BacktestRow";
  static constexpr auto meaning = "What one policy would have cost on recorded days.";
  static constexpr auto list = std::tuple_cat(
      std::tuple{Field{"policy", [](const BacktestRow& row) { return row.policy.name; },
                       "`plan`, a rule, or `actual`"}},
      through(&BacktestRow::policy, std::tuple_cat(Policy::cost, Policy::counts)));
};

template <>
struct Fields<RecordsBacktest> {
  using Type = RecordsBacktest;
  static constexpr auto name = "RecordsBacktest";
  static constexpr auto meaning = "What policies would have cost on recorded days.";
  static std::vector<BacktestRow> rows(const Type& records) {
    std::vector<BacktestRow> rows;
    for (const auto& policy : records.result.policies) rows.push_back({policy});
    return rows;
  }
  static constexpr auto list =
      std::tuple{Field{"days", [](const Type& r) { return r.result.days; }, "days with a row"},
                 Field{"closed_days", [](const Type& r) { return r.result.closed_days; },
                       "days without a row"},
                 Field{"censored_days", [](const Type& r) { return r.result.censored_days; },
                       "days on which the stock ran out"},
                 Field{"policies", &Fields::rows, "`plan`, each rule, and `actual`"},
                 Field{"warnings", &Type::warnings, "what limits the comparison, in words"}};
};

template <>
struct Fields<RecordsReport> {
  using Type = RecordsReport;
  static constexpr auto name = "RecordsReport";
  static constexpr auto meaning = "What records say about a plan.";
  static constexpr auto list = std::tuple{
      Field{"first",
            [](const Type& r) { return r.backtest.result.policies.front().days.front().date; },
            "first day"},
      Field{"last",
            [](const Type& r) { return r.backtest.result.policies.front().days.back().date; },
            "last day"},
      Field{"fit", &Type::fit, "the recorded demand; none if it cannot be fitted"},
      Field{"not_fitted", &Type::not_fitted, "why there is no fit, in words"},
      Field{"rule_in_use", &Type::in_use, "the rule behind the orders"},
      Field{"backtest", &Type::backtest, "what policies would have cost"}};
};

template <>
struct Fields<PlanReport> {
  using Type = PlanReport;
  static constexpr auto name = "PlanReport";
  static constexpr auto meaning = "The data of the report for planners.";
  static constexpr auto list = std::tuple{
      Field{"kind", [](const Type&) { return std::string("plan"); }, "`plan`"},
      Field{"source", [](const Type& r) { return r.header.source; },
            "where the stock is described"},
      Field{"product", [](const Type& r) { return r.header.product; }, "name of the product"},
      Field{"currency", [](const Type& r) { return r.header.currency; }, "currency of costs"},
      Field{"date", [](const Type& r) { return r.header.date; }, "date of the report, as given"},
      Field{"placeholder_costs", [](const Type& r) { return r.header.placeholder_costs; },
            "costs that are not the planner's own yet: with any, amounts are not money"},
      Field{"version", &Type::version, "version of the program"},
      Field{"seed", &Type::seed, "seed of the random numbers"},
      Field{"model", &Type::model, "the stock that the plan is for"},
      Field{"recommendation", &Type::recommendation, "the recommended orders"},
      Field{"orders", &Type::orders, "the order for every stock, packed"},
      Field{"demand", &Type::demand, "law of demand, by day and units"},
      Field{"arrival", &Type::arrival, "ages of deliveries, by size of the order"},
      Field{"levels", &Type::levels, "attitudes to risk that are compared"},
      Field{"simulation", &Type::simulation, "how much was simulated"},
      Field{"policies", &Type::policies, "the plan and other rules, simulated"},
      Field{"costs", &Type::costs, "distribution of the discounted cost, by policy"},
      Field{"records", &Type::records, "what records say about the plan; none without records"}};
};

}  // namespace shortfall::report
