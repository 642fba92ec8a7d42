#include "report/plan_report.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "report/plan_fields.hpp"
#include "shortfall/formats/warning_words.hpp"

namespace shortfall::report {
namespace {

template <class Number>
auto one_or_week(const inventory::Model& model, const Number& number) {
  std::vector<decltype(number(0))> week;
  for (std::size_t day = 0; day < model.days(); ++day) week.push_back(number(day));
  const bool same = std::ranges::all_of(week, [&](const auto& each) { return each == week[0]; });
  using Either = OneOrWeek<decltype(number(0))>;
  return same ? Either(week[0]) : Either(std::move(week));
}

PlanModel model_of(const inventory::Model& model, const Criterion& criterion) {
  const auto cost = [&](double inventory::Costs::*member) {
    return one_or_week(model, [&](std::size_t day) { return model.cost(day).*member; });
  };
  using inventory::Costs;
  return {.shelf_life = model.shelf_life(),
          .capacity = model.capacity(),
          .max_order = one_or_week(
              model, [&](std::size_t day) { return std::size_t{model.largest_order(day, 0)}; }),
          .days = model.days(),
          .states = model.states(),
          .gamma = criterion.gamma,
          .loss = criterion.loss.to_string(),
          .cost = {.order = cost(&Costs::order),
                   .unit = cost(&Costs::unit),
                   .holding = cost(&Costs::holding),
                   .shortage = cost(&Costs::shortage),
                   .wastage = cost(&Costs::wastage)},
          .fresh = std::ranges::all_of(model.parts().arrival, &inventory::Arrival::is_fresh)};
}

Recommendation recommendation_of(const inventory::Model& model, const Solution& solution) {
  Recommendation result{.value_at_empty = solution.values.front(),
                        .error_bound = solution.error_bound,
                        .status = solution.status};
  const std::size_t most = model.stocks().length() == 0 ? 0 : model.capacity();
  for (std::size_t day = 0; day < model.days(); ++day) {
    result.order_at_empty.push_back(solution.policy[day * model.stocks().size()]);
    for (std::size_t total = 0; total <= most; ++total) {
      const auto [least, largest] = inventory::order_range(model, solution.policy, day, total);
      result.by_total.push_back({day, total, least, largest});
    }
  }
  return result;
}

std::vector<DemandRow> demand_of(const inventory::Model& model) {
  std::vector<DemandRow> rows;
  for (std::size_t day = 0; day < model.days(); ++day) {
    const auto law = model.demand(day);
    for (std::size_t units = 0; units < law.size(); ++units) {
      rows.push_back({day, units, law[units]});
    }
  }
  return rows;
}

std::vector<ArrivalRow> arrival_of(const inventory::Model& model) {
  std::vector<ArrivalRow> rows;
  const std::vector<inventory::Arrival>& arrivals = model.parts().arrival;
  const bool by_day = arrivals.size() > 1;
  const bool by_order = std::ranges::any_of(arrivals, &inventory::Arrival::depends_on_order) ||
                        std::ranges::all_of(arrivals, &inventory::Arrival::is_fresh);
  for (std::size_t day = 0; day < arrivals.size(); ++day) {
    const std::size_t largest = by_day ? model.largest_order(day, 0) : model.max_order();
    for (std::size_t order = 1; order <= (by_order ? largest : std::min<std::size_t>(largest, 1));
         ++order) {
      const std::vector<double> law = arrivals[day].probabilities(order);
      for (std::size_t i = 0; i < law.size(); ++i) {
        rows.push_back({.day = by_day ? std::optional(day) : std::nullopt,
                        .order = by_order ? std::optional(order) : std::nullopt,
                        .periods_left = i + 1,
                        .probability = law[i]});
      }
    }
  }
  return rows;
}

std::vector<LevelRow> levels_of(const inventory::Plan& plan) {
  std::vector<LevelRow> rows;
  for (const auto& [level, is_chosen, optimum, forecast] : plan.levels) {
    const auto& [loss, solution] = plan.optima[optimum];
    rows.push_back({.parameter = plan.parameter,
                    .level = level,
                    .loss = loss.to_string(),
                    .value_at_empty = solution.values.front(),
                    .order_at_empty = solution.policy.front(),
                    .is_chosen = is_chosen,
                    .forecast = forecast});
  }
  return rows;
}

std::vector<PolicyRow> policies_of(const inventory::Plan& plan) {
  const double optimum = plan.recommended().values.front();
  std::vector<PolicyRow> rows;
  for (const inventory::PlanPolicy& policy : plan.policies) {
    const double gap = 100.0 * (policy.value_at_empty / optimum - 1.0);
    rows.push_back({.policy = policy.name,
                    .value_at_empty = policy.value_at_empty,
                    .gap_percent = optimum > 0.0 ? std::optional(gap) : std::nullopt,
                    .is_own = !policy.own.empty(),
                    .forecast = policy.forecast});
  }
  return rows;
}

std::vector<CostRow> costs_of(const inventory::Plan& plan) {
  std::vector<CostRow> rows;
  for (const inventory::PlanPolicy& policy : plan.policies) {
    for (std::size_t k = 0; k < policy.forecast.cost_quantiles.size(); ++k) {
      rows.push_back({policy.name, static_cast<double>(k) / inventory::Forecast::steps,
                      policy.forecast.cost_quantiles[k]});
    }
  }
  return rows;
}

double law_mean(std::span<const double> law) {
  double mean = 0.0;
  for (std::size_t units = 0; units < law.size(); ++units) {
    mean += static_cast<double>(units) * law[units];
  }
  return mean;
}

/// One row per weekday, or one for all days that are not closed.
std::vector<MeanRow> means_of(const inventory::Fit& fit, const inventory::Model& model) {
  std::vector<MeanRow> rows;
  for (std::size_t day = 0; day < fit.demand.days.size(); ++day) {
    const inventory::DemandOfDay& recorded = fit.demand.days[day];
    if (!fit.demand.by_weekday && (recorded.closed || !rows.empty())) continue;
    rows.push_back({.day = fit.demand.by_weekday ? std::optional(day) : std::nullopt,
                    .recorded = recorded,
                    .planned = law_mean(model.demand(day))});
  }
  return rows;
}

/// Days by demand, beside as many as the plan expects.
std::vector<CountRow> counts_of(const inventory::PlanRecords& records,
                                const inventory::Model& model) {
  std::vector<CountRow> rows;
  for (std::size_t day = 0; day < records.observed.size(); ++day) {
    const auto& [counts, stockouts] = records.observed[day];
    double days = 0.0;
    for (const std::size_t count : counts) days += static_cast<double>(count);
    if (days == 0.0) continue;
    const std::span<const double> law = model.demand(day);
    for (std::size_t units = 0; units < std::max(counts.size(), law.size()); ++units) {
      const bool is_recorded = units < counts.size();
      rows.push_back({.day = day,
                      .units = units,
                      .known = is_recorded ? counts[units] - stockouts[units] : 0,
                      .at_least = is_recorded ? stockouts[units] : 0,
                      .expected = units < law.size() ? days * law[units] : 0.0});
    }
  }
  return rows;
}

RecordedDemandReport fit_of(const inventory::PlanRecords& records, const inventory::Model& model,
                            io::OptionStyle style) {
  const inventory::Fit& fit = *records.fit;
  RecordedDemandReport report{.law = fit.demand.law,
                              .holidays = fit.holidays,
                              .means = means_of(fit, model),
                              .counts = counts_of(records, model),
                              .goodness_of_fit = {},
                              .warnings = io::in_words(fit.warnings, style)};
  if (fit.demand.goodness) report.goodness_of_fit = fit.demand.goodness->p;
  return report;
}

RecordsReport records_of(const inventory::PlanRecords& records, const inventory::Model& model,
                         io::OptionStyle style) {
  RecordsReport report{
      .fit = {},
      .not_fitted = records.not_fitted,
      .in_use = records.in_use,
      .backtest = {records.backtest, io::in_words(records.backtest.warnings, style)}};
  if (records.fit) report.fit = fit_of(records, model, style);
  return report;
}

}  // namespace

std::string digits_of(const inventory::Model& model, const Policy& orders) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  for (const ActionIndex z : orders) {
    const auto order = static_cast<std::size_t>(z);
    if (model.capacity() >= digits.size()) text += digits[order / digits.size()];
    text += digits[order % digits.size()];
  }
  return text;
}

PlanReport plan_report(const PlanDocument& document) {
  const inventory::Plan& plan = document.plan;
  const inventory::Model& model = plan.model;
  PlanReport report{.header = document.header,
                    .version = SHORTFALL_VERSION,
                    .seed = plan.seed,
                    .model = model_of(model, plan.criterion),
                    .recommendation = recommendation_of(model, plan.recommended()),
                    .orders = {.ages = model.stocks().length(),
                               .capacity = model.capacity(),
                               .days = model.days(),
                               .digits = digits_of(model, plan.recommended().policy)},
                    .demand = demand_of(model),
                    .arrival = arrival_of(model),
                    .levels = levels_of(plan),
                    .simulation = {plan.periods, plan.replications},
                    .policies = policies_of(plan),
                    .costs = costs_of(plan),
                    .records = {}};
  if (document.records != nullptr) {
    report.records = records_of(*document.records, model, document.style);
  }
  return report;
}

template Json document_of(const PlanReport&);

}  // namespace shortfall::report
