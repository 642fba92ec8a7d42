#include "report/fit_document.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace shortfall::report {
namespace {

using inventory::ArrivalLaw;
using inventory::DemandLaw;
using inventory::Fit;
using nlohmann::json;

/// JSON has no infinity.
json finite_or_null(double x) {
  return std::isfinite(x) ? json(x) : json();
}

json demand_json(const Fit& fit, const inventory::DemandOfDay& day) {
  json entry = {{"distribution", name_of(fit.demand.law, inventory::demand_law_names)},
                {"mean", day.mean},
                {"mean_low", day.mean_interval.low},
                {"mean_high", finite_or_null(day.mean_interval.high)},
                {"n", nullptr},
                {"days", day.days},
                {"stockouts", day.stockouts},
                {"closed", day.closed}};
  if (fit.demand.law == DemandLaw::negative_binomial) {
    entry["n"] = finite_or_null(day.n);
    entry["n_low"] = finite_or_null(day.n_interval.low);
    entry["n_high"] = finite_or_null(day.n_interval.high);
  }
  if (fit.demand.law == DemandLaw::empirical) entry["probabilities"] = day.probabilities;
  return entry;
}

json shares_json(const std::vector<inventory::Share>& shares, bool with_intervals) {
  json list = json::array();
  for (const inventory::Share& share : shares) {
    if (with_intervals) {
      list.push_back({share.interval.low, share.interval.high});
    } else {
      list.push_back(share.value);
    }
  }
  return list;
}

json arrival_json(const inventory::ArrivalFit& arrival) {
  json document = {
      {"law", name_of(arrival.law, inventory::arrival_law_names)},
      {"fresh", arrival.law == ArrivalLaw::fresh || arrival.law == ArrivalLaw::unknown},
      {"units", arrival.units},
      {"deliveries", arrival.deliveries}};
  if (arrival.law == ArrivalLaw::unknown || arrival.law == ArrivalLaw::fresh) return document;
  document["dispersion"] = arrival.dispersion;
  document["log_likelihood"] = arrival.log_likelihood;
  document["weekday_p"] = arrival.weekday_p;
  document["order_p"] = arrival.order_p;
  for (const bool with_intervals : {false, true}) {
    json days = json::array();
    for (const auto& day : arrival.shares) days.push_back(shares_json(day, with_intervals));
    document[with_intervals ? "share_intervals" : "shares"] =
        arrival.shares.size() == 1 ? days[0] : days;
  }
  if (arrival.law != ArrivalLaw::logit) return document;
  for (const auto& [name, coefficients] : {std::pair{"c0", &arrival.c0}, {"c1", &arrival.c1}}) {
    for (const inventory::Coefficient& c : *coefficients) {
      document[name].push_back(c.value);
      document[std::string(name) + "_intervals"].push_back(
          {finite_or_null(c.interval.low), finite_or_null(c.interval.high)});
    }
  }
  return document;
}

json candidates_json(const Fit& fit) {
  json list = json::array();
  for (const inventory::DemandCandidate& candidate : fit.demand.candidates) {
    list.push_back({{"distribution", name_of(candidate.law, inventory::demand_law_names)},
                    {"by_weekday", candidate.by_weekday},
                    {"n_by_weekday", candidate.n_by_weekday},
                    {"log_likelihood", candidate.log_likelihood},
                    {"parameters", candidate.parameters},
                    {"bic", candidate.bic}});
  }
  return list;
}

}  // namespace

json fit_document(const Fit& fit, const io::FittedPlan& plan) {
  json document = {{"days", fit.days},
                   {"first", inventory::iso_date(fit.first)},
                   {"last", inventory::iso_date(fit.last)},
                   {"holidays", fit.holidays},
                   {"closed", json::array()},
                   {"without_orders", json::array()},
                   {"shelf_life", fit.shelf_life},
                   {"by_weekday", fit.demand.by_weekday},
                   {"log_likelihood", fit.demand.log_likelihood},
                   {"candidates", candidates_json(fit)},
                   {"autocorrelation", fit.demand.autocorrelation},
                   {"arrival", arrival_json(fit.arrival)},
                   {"capacity", plan.configuration.model.capacity()},
                   {"max_order", plan.configuration.model.max_order()},
                   {"warnings", plan.warnings}};
  for (std::size_t day = 0; day < 7; ++day) {
    if (fit.closed[day]) document["closed"].push_back(inventory::weekday_name(day));
    if (fit.without_orders[day]) document["without_orders"].push_back(inventory::weekday_name(day));
  }
  for (const auto& day : fit.demand.days) document["demand"].push_back(demand_json(fit, day));
  if (const auto& test = fit.demand.goodness) {
    document["goodness_of_fit"] = {
        {"chi_square", test->statistic}, {"degrees", test->degrees}, {"p", test->p}};
  }
  if (const auto& trend = fit.demand.trend) {
    document["trend"] = {{"change_per_year", trend->change_per_year}, {"p", trend->p}};
  }
  if (const auto& shift = fit.demand.shift) {
    document["shift"] = {{"date", inventory::iso_date(shift->date)},
                         {"or_later", shift->or_later},
                         {"change", shift->change},
                         {"p", shift->p}};
  }
  return document;
}

}  // namespace shortfall::report
