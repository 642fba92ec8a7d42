#include "inventory/demand_candidates.hpp"

#include <algorithm>

#include "inventory/demand_maximum.hpp"
#include "shortfall/infinity.hpp"
#include "shortfall/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

/// Fills in what follows from likelihood and parameters.
DemandCandidate summary_of(DemandLaw law, const DemandGroups& groups, double log_likelihood,
                           std::size_t parameters) {
  std::size_t days = 0;
  for (const DemandCounts& group : groups.counts) days += group.days();
  return {.law = law,
          .by_weekday = groups.by_weekday,
          .n_by_weekday = false,
          .log_likelihood = log_likelihood,
          .parameters = parameters,
          .bic = -2.0 * log_likelihood +
                 static_cast<double>(parameters) * portable::log(static_cast<double>(days))};
}

FittedLaw one_dispersion(const DemandGroups& groups, Dispersion dispersion) {
  const DemandEstimate best = DemandProblem(groups.counts, dispersion).maximum();
  const bool poisson = dispersion == Dispersion::none;
  return {summary_of(poisson ? DemandLaw::poisson : DemandLaw::negative_binomial, groups,
                     best.log_likelihood, groups.counts.size() + (poisson ? 0 : 1)),
          {best.mean, {best.dispersion}},
          {}};
}

FittedLaw dispersion_by_weekday(const DemandGroups& groups) {
  FittedLaw fitted{{}, {}, {}};
  double sum = 0.0;
  for (const DemandCounts& counts : groups.counts) {
    const DemandEstimate best = DemandProblem({&counts, 1}, Dispersion::common).maximum();
    fitted.law.mean.push_back(best.mean.front());
    fitted.law.dispersion.push_back(best.dispersion);
    sum += best.log_likelihood;
  }
  fitted.summary = summary_of(DemandLaw::negative_binomial, groups, sum, 2 * groups.counts.size());
  fitted.summary.n_by_weekday = true;
  return fitted;
}

FittedLaw frequencies(const DemandGroups& groups) {
  FittedLaw fitted{{}, {}, {}};
  double sum = 0.0;
  std::size_t parameters = 0;
  for (const DemandCounts& counts : groups.counts) {
    fitted.empirical.push_back(empirical_law(counts));
    sum += fitted.empirical.back().log_likelihood;
    parameters += fitted.empirical.back().parameters;
  }
  fitted.summary = summary_of(DemandLaw::empirical, groups, sum, parameters);
  return fitted;
}

/// With few days per value, frequencies fit anything, and BIC, which is for many, prefers them.
bool has_enough_days(const DemandCandidate& candidate, const DemandGroups& groups) {
  constexpr std::size_t per_value = 5;
  std::size_t days = 0;
  for (const DemandCounts& group : groups.counts) days += group.days();
  return days >= per_value * (candidate.parameters + groups.counts.size());
}

void describe_empirical(DemandOfDay& day, const EmpiricalLaw& law) {
  day.mean = law.mean;
  day.mean_interval = law.mean_interval;
  day.probabilities = law.probabilities;
}

void describe_parametric(std::span<DemandOfDay> days, const DemandProblem& problem) {
  const DemandEstimate best = problem.maximum();
  const Interval n = problem.n_interval(best);
  for (std::size_t g = 0; g < days.size(); ++g) {
    days[g].mean = best.mean[g];
    days[g].mean_interval = problem.mean_interval(best, g);
    days[g].n = best.dispersion > 0.0 ? 1.0 / best.dispersion : infinity;
    days[g].n_interval = n;
  }
}

}  // namespace

DemandGroups all_days(const Records& records) {
  DemandGroups groups{false, std::vector<DemandCounts>(1), {}};
  const auto first = records.days.front().date;
  const auto last = records.days.back().date;
  for (auto date = first; date <= last && date < first + std::chrono::days(7);
       date += std::chrono::days(1)) {
    groups.of_weekday[weekday_of(date)] = DemandGroups::none;  // until it has a row
  }
  for (const DayRecord& day : records.days) {
    groups.counts.front().add(day);
    groups.of_weekday[weekday_of(day.date)] = 0;
  }
  return groups;
}

DemandGroups weekdays(const Records& records) {
  std::array<DemandCounts, 7> week;
  for (const DayRecord& day : records.days) week[weekday_of(day.date)].add(day);
  DemandGroups groups{true, {}, {}};
  groups.of_weekday.fill(DemandGroups::none);
  for (std::size_t weekday = 0; weekday < week.size(); ++weekday) {
    if (week[weekday].days() == 0) continue;
    groups.of_weekday[weekday] = groups.counts.size();
    groups.counts.push_back(week[weekday]);
  }
  return groups;
}

std::vector<FittedLaw> fit_laws(const DemandGroups& groups, std::optional<DemandLaw> wanted) {
  std::vector<FittedLaw> result;
  const auto is_wanted = [&](DemandLaw law) { return !wanted || *wanted == law; };
  if (is_wanted(DemandLaw::poisson)) result.push_back(one_dispersion(groups, Dispersion::none));
  if (is_wanted(DemandLaw::negative_binomial)) {
    result.push_back(one_dispersion(groups, Dispersion::common));
    if (groups.counts.size() > 1) {
      FittedLaw separate = dispersion_by_weekday(groups);
      const bool finite =
          std::ranges::all_of(separate.law.dispersion, [](double alpha) { return alpha > 0.0; });
      if (finite) result.push_back(std::move(separate));
    }
  }
  if (is_wanted(DemandLaw::empirical)) {
    FittedLaw observed = frequencies(groups);
    if (wanted || has_enough_days(observed.summary, groups)) result.push_back(std::move(observed));
  }
  return result;
}

std::vector<DemandOfDay> describe_groups(const DemandGroups& groups, const FittedLaw& fitted) {
  std::vector<DemandOfDay> result;
  for (std::size_t g = 0; g < groups.counts.size(); ++g) {
    DemandOfDay& day = result.emplace_back();
    day.days = groups.counts[g].days();
    day.stockouts = groups.counts[g].stockouts();
    if (fitted.summary.law == DemandLaw::empirical) describe_empirical(day, fitted.empirical[g]);
  }
  if (fitted.summary.law == DemandLaw::empirical) return result;
  const bool poisson = fitted.summary.law == DemandLaw::poisson;
  const Dispersion dispersion = poisson ? Dispersion::none : Dispersion::common;
  if (fitted.summary.n_by_weekday) {
    for (std::size_t g = 0; g < result.size(); ++g) {
      describe_parametric({&result[g], 1}, DemandProblem({&groups.counts[g], 1}, dispersion));
    }
  } else {
    describe_parametric(result, DemandProblem(groups.counts, dispersion));
  }
  return result;
}

}  // namespace shortfall::inventory::detail
