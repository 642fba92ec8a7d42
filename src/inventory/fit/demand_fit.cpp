#include "inventory/fit/demand_fit.hpp"

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "inventory/fit/demand_candidates.hpp"
#include "inventory/fit/level_changes.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

constexpr std::size_t least_days_of_weekday = 4;  // with known demand, to fit it apart
constexpr std::size_t days_for_changes = 60;
constexpr double significant = 0.01;

void check_demand(const Records& records) {
  std::size_t known = 0;
  for (const DayRecord& day : records.days) {
    known += day.stockout ? 0 : 1;
  }
  require(known > 0,
          "the stock ran out on every day, so demand is not known; accepted: at least one day "
          "without a stock-out");
}

/// Whether weekdays are compared, with a warning if they cannot be.
bool can_separate(const Records& records, const DemandGroups& week, ByWeekday wanted,
                  std::vector<Warning>& warnings) {
  if (wanted == ByWeekday::no || week.counts.size() < 2) return false;
  for (std::size_t weekday = 0; weekday < 7; ++weekday) {
    const std::size_t group = week.of_weekday[weekday];
    if (group == DemandGroups::none) continue;
    const std::size_t known = week.counts[group].known_days();
    require(wanted != ByWeekday::yes || known > 0,
            "by_weekday = yes, but demand is known on no {}; accepted: auto, no",
            weekday_name(weekday));
    if (known >= least_days_of_weekday) continue;
    warnings.push_back({.code = wanted == ByWeekday::yes ? WarningCode::weekday_with_few_days
                                                         : WarningCode::weekdays_not_separated,
                        .count = known,
                        .total = least_days_of_weekday,
                        .weekdays = {weekday}});
    if (wanted == ByWeekday::automatic) return false;
  }
  return records.days.size() > week.counts.size();
}

/// For each weekday, or for all days if no weekday differs.
std::vector<DemandOfDay> describe_days(const DemandGroups& groups, const FittedLaw& chosen) {
  const std::vector<DemandOfDay> by_group = describe_groups(groups, chosen);
  const bool some_closed =
      std::ranges::find(groups.of_weekday, DemandGroups::none) != groups.of_weekday.end();
  if (by_group.size() == 1 && !some_closed) return by_group;
  std::vector<DemandOfDay> week;
  for (const std::size_t group : groups.of_weekday) {
    if (group != DemandGroups::none) {
      week.push_back(by_group[group]);
      continue;
    }
    DemandOfDay closed;
    closed.closed = true;
    closed.n = by_group.front().n;
    closed.n_interval = by_group.front().n_interval;
    if (chosen.summary.law == DemandLaw::empirical) closed.probabilities = {1.0};
    week.push_back(std::move(closed));
  }
  return week;
}

/// Per year, or over all days if they are fewer: no year was seen.
Warning warning_of(const Trend& trend, double days) {
  constexpr std::size_t recent = 180;
  const double years = std::min(days / 365.25, 1.0);
  return {.code = WarningCode::trend,
          .count = days > 2.0 * recent ? recent : 0,
          .total = years < 1.0 ? static_cast<std::size_t>(days) : 0,
          .number = portable::expm1(years * portable::log1p(trend.change_per_year)),
          .p = trend.p};
}

Warning warning_of(const LevelShift& shift) {
  return {.code = shift.or_later ? WarningCode::level_shift_or_later : WarningCode::level_shift,
          .number = shift.change,
          .p = shift.p,
          .dates = {shift.date}};
}

void warn_of_changes(const DemandFit& fit, double days, double correlation_errors,
                     std::vector<Warning>& warnings) {
  const double trend_p = fit.trend ? fit.trend->p : 1.0;
  const double shift_p = fit.shift ? fit.shift->p : 1.0;
  if (shift_p < significant && (trend_p >= significant || fit.shift->ratio >= fit.trend->ratio)) {
    warnings.push_back(warning_of(*fit.shift));
  } else if (trend_p < significant) {
    warnings.push_back(warning_of(*fit.trend, days));
  } else if (std::abs(correlation_errors) > 3.29) {  // p < 0.001
    warnings.push_back({.code = WarningCode::dependent_days, .number = fit.autocorrelation});
  }
}

/// Changes are looked for under a negative binomial law, which allows for any variance.
void look_for_changes(const Records& records, const DemandGroups& groups, DemandFit& fit,
                      std::vector<Warning>& warnings) {
  if (records.days.size() < days_for_changes) return;
  const DemandEstimate law = DemandProblem(groups.counts, Dispersion::common).maximum();
  std::vector<ExpectedDay> days;
  for (const DayRecord& day : records.days) {
    const double mean = law.mean[groups.of_weekday[weekday_of(day.date)]];
    if (mean > 0.0) days.push_back({day.date, day.demand, day.stockout, mean});
  }
  if (days.size() < days_for_changes) return;
  const auto span = static_cast<double>((days.back().date - days.front().date).count());
  const LevelChanges changes(std::move(days), law.dispersion);
  fit.trend = changes.trend();
  fit.shift = changes.shift();
  const auto [correlation, errors] = changes.autocorrelation();
  fit.autocorrelation = correlation;
  warn_of_changes(fit, span, errors, warnings);
}

void warn_of_law(const DemandFit& fit, const FittedLaw& chosen, std::vector<Warning>& warnings) {
  if (fit.goodness && fit.goodness->p < significant) {
    warnings.push_back({.code = fit.law == DemandLaw::poisson
                                    ? WarningCode::poisson_contradicted
                                    : WarningCode::negative_binomial_contradicted,
                        .p = fit.goodness->p});
  }
  double unknown = 0.0;
  for (const EmpiricalLaw& law : chosen.empirical) unknown = std::max(unknown, law.unknown_mass);
  if (unknown > 0.0) {
    warnings.push_back({.code = WarningCode::largest_demands_unknown, .number = unknown});
  }
}

}  // namespace

DemandFit fit_demand(const Records& records, const FitOptions& options,
                     std::vector<Warning>& warnings) {
  check_demand(records);
  const DemandGroups together = all_days(records);
  const DemandGroups week = weekdays(records);
  const bool separable = can_separate(records, week, options.by_weekday, warnings);
  std::vector<FittedLaw> laws;
  if (!separable || options.by_weekday != ByWeekday::yes) {
    laws = fit_laws(together, options.distribution);
  }
  if (separable) std::ranges::move(fit_laws(week, options.distribution), std::back_inserter(laws));
  require(!laws.empty(),
          "distribution = negative-binomial has no finite mean here: the stock ran out on most of "
          "the days; accepted: auto, poisson, empirical");
  std::ranges::stable_sort(laws, {}, [](const FittedLaw& law) { return law.summary.bic; });
  FittedLaw& chosen = laws.front();
  const DemandGroups& groups = chosen.summary.by_weekday ? week : together;
  const bool is_limit =
      chosen.summary.law == DemandLaw::negative_binomial && chosen.law.dispersion.front() == 0.0;
  if (is_limit) {  // asked for, but the best n is infinite
    chosen.summary.law = DemandLaw::poisson;
    chosen.law.dispersion = {0.0};
    warnings.push_back({.code = WarningCode::poisson_suffices});
  }
  DemandFit fit;
  fit.largest_recorded = together.counts.front().largest();
  fit.law = chosen.summary.law;
  fit.by_weekday = chosen.summary.by_weekday;
  fit.days = describe_days(groups, chosen);
  fit.log_likelihood = chosen.summary.log_likelihood;
  for (const FittedLaw& law : laws) fit.candidates.push_back(law.summary);
  if (fit.law != DemandLaw::empirical) fit.goodness = goodness_of_fit(groups.counts, chosen.law);
  warn_of_law(fit, chosen, warnings);
  look_for_changes(records, groups, fit, warnings);
  return fit;
}

}  // namespace shortfall::inventory::detail
