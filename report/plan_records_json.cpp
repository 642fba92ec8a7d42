#include "report/plan_records_json.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace shortfall::report {
namespace {

Json finite_number(double x) {
  return std::isfinite(x) ? Json(x) : Json();
}

double law_mean(std::span<const double> law) {
  double mean = 0.0;
  for (std::size_t units = 0; units < law.size(); ++units) {
    mean += static_cast<double>(units) * law[units];
  }
  return mean;
}

/// One row per weekday, or one for all days that are not closed.
Json demand_means(const inventory::Fit& fit, const inventory::Model& model) {
  Json rows = Json::array();
  for (std::size_t day = 0; day < fit.demand.days.size(); ++day) {
    const inventory::DemandOfDay& of = fit.demand.days[day];
    if (!fit.demand.by_weekday && (of.closed || !rows.empty())) continue;
    const double planned = law_mean(model.demand(day));
    const bool is_outside =
        !of.closed && (planned < of.mean_interval.low || planned > of.mean_interval.high);
    rows.push_back({{"day", fit.demand.by_weekday ? Json(day) : Json()},
                    {"days", of.days},
                    {"stockouts", of.stockouts},
                    {"closed", of.closed},
                    {"mean", of.closed ? Json() : finite_number(of.mean)},
                    {"mean_low", of.closed ? Json() : finite_number(of.mean_interval.low)},
                    {"mean_high", of.closed ? Json() : finite_number(of.mean_interval.high)},
                    {"planned", planned},
                    {"is_outside", is_outside}});
  }
  return rows;
}

/// Days by demand, beside as many as the plan expects.
Json demand_counts(const inventory::PlanRecords& records, const inventory::Model& model) {
  Json rows = Json::array();
  for (std::size_t day = 0; day < records.observed.size(); ++day) {
    const auto& [counts, stockouts] = records.observed[day];
    double days = 0.0;
    for (const std::size_t count : counts) days += static_cast<double>(count);
    if (days == 0.0) continue;
    const std::span<const double> law = model.demand(day);
    for (std::size_t units = 0; units < std::max(counts.size(), law.size()); ++units) {
      const bool is_recorded = units < counts.size();
      rows.push_back({{"day", day},
                      {"units", units},
                      {"known", is_recorded ? counts[units] - stockouts[units] : 0},
                      {"at_least", is_recorded ? stockouts[units] : 0},
                      {"expected", units < law.size() ? days * law[units] : 0.0}});
    }
  }
  return rows;
}

Json fit_of(const inventory::PlanRecords& records, const inventory::Model& model) {
  const inventory::Fit& fit = *records.fit;
  Json document = {{"law", name_of(fit.demand.law, inventory::demand_law_names)},
                   {"holidays", fit.holidays},
                   {"means", demand_means(fit, model)},
                   {"counts", demand_counts(records, model)},
                   {"goodness_of_fit", nullptr},
                   {"warnings", fit.warnings}};
  if (fit.demand.goodness) document["goodness_of_fit"] = fit.demand.goodness->p;
  return document;
}

Json backtest_of(const inventory::Backtest& backtest) {
  Json rows = Json::array();
  for (const inventory::BacktestPolicy& policy : backtest.policies) {
    rows.push_back({{"policy", policy.name},
                    {"cost", policy.cost},
                    {"cost_per_day", policy.cost_per_day},
                    {"orders", policy.orders},
                    {"units_ordered", policy.units_ordered},
                    {"units_short", policy.units_short},
                    {"days_short", policy.days_short},
                    {"shortages", name_of(policy.shortages, inventory::shortages_names)},
                    {"units_expired", policy.units_expired},
                    {"service_level", policy.service_level}});
  }
  return {{"days", backtest.days},
          {"closed_days", backtest.closed_days},
          {"censored_days", backtest.censored_days},
          {"policies", rows},
          {"warnings", backtest.warnings}};
}

}  // namespace

Json json_of(const inventory::PlanRecords& records, const inventory::Model& model) {
  const std::vector<inventory::BacktestDay>& days = records.backtest.policies.front().days;
  const inventory::RuleInUse& in_use = records.in_use;
  return {{"first", inventory::iso_date(days.front().date)},
          {"last", inventory::iso_date(days.back().date)},
          {"fit", records.fit ? fit_of(records, model) : Json()},
          {"not_fitted", records.not_fitted},
          {"rule_in_use",
           {{"policy", in_use.rule ? Json(in_use.rule->name) : Json()},
            {"agreement", in_use.agreement},
            {"days", in_use.days},
            {"reason", in_use.reason}}},
          {"backtest", backtest_of(records.backtest)}};
}

}  // namespace shortfall::report
