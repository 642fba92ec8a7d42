#include "inventory/fit/demand_candidates.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "inventory/fit/likelihood.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

// Logarithms of what counts as zero, and as more than any: means, then dispersions.
constexpr double no_mean = -40.0;
constexpr double largest_mean = 12.0;
constexpr double least_dispersion = -18.0;
constexpr double largest_dispersion = 7.0;

constexpr double two_sided = 0.5 * chi_square_95;

std::size_t largest_of(std::span<const DemandCounts> groups) {
  std::size_t largest = 0;
  for (const DemandCounts& group : groups) largest = std::max(largest, group.largest());
  return largest;
}

/// The sum over groups; θ has a last entry log α if `dispersion` is common.
double sum_of_groups(std::span<const DemandCounts> groups, Dispersion dispersion,
                     std::span<const double> theta, std::span<double> gradient) {
  const bool poisson = dispersion == Dispersion::none;
  const double alpha = poisson ? 0.0 : portable::exp(theta.back());
  const DemandTerms terms(alpha, largest_of(groups));
  LikelihoodTerm sum;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const LikelihoodTerm term = groups[g].log_likelihood(portable::exp(theta[g]), terms);
    gradient[g] = term.by_log_mean;
    sum.add(1.0, term);
  }
  if (!poisson) gradient.back() = alpha * sum.by_dispersion;
  return sum.value;
}

}  // namespace

DemandProblem::DemandProblem(std::span<const DemandCounts> groups, Dispersion dispersion)
    : groups_(groups),
      dispersion_(dispersion),
      log_likelihood_([=](std::span<const double> theta, std::span<double> gradient) {
        return sum_of_groups(groups, dispersion, theta, gradient);
      }) {
  for (const DemandCounts& group : groups) {
    bounds_.low.push_back(no_mean);
    bounds_.high.push_back(group.is_zero() ? no_mean : largest_mean);
  }
  if (dispersion == Dispersion::none) return;
  bounds_.low.push_back(least_dispersion);
  bounds_.high.push_back(largest_dispersion);
}

std::vector<double> DemandProblem::theta_of(const DemandEstimate& estimate) const {
  std::vector<double> theta;
  for (const double mean : estimate.mean) theta.push_back(std::max(portable::log(mean), no_mean));
  if (dispersion_ == Dispersion::common) {
    theta.push_back(std::max(portable::log(estimate.dispersion), least_dispersion));
  }
  return theta;
}

DemandEstimate DemandProblem::maximum() const {
  DemandEstimate start;
  double excess = 0.0;  // a moment estimate of α: variance - mean over mean², of all groups
  double squares = 0.0;
  for (const DemandCounts& group : groups_) {
    const double mean = group.recorded_mean();
    start.mean.push_back(mean);
    excess += static_cast<double>(group.days()) * (group.known_variance() - mean);
    squares += static_cast<double>(group.days()) * mean * mean;
  }
  if (dispersion_ == Dispersion::common) {
    const DemandEstimate poisson = DemandProblem(groups_, Dispersion::none).maximum();
    const DemandTerms terms(0.0, largest_of(groups_));
    LikelihoodTerm slope;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      slope.add(1.0, groups_[g].log_likelihood(poisson.mean[g], terms));
    }
    if (slope.by_dispersion <= 0.0) return poisson;
    start.mean = poisson.mean;
    start.dispersion = std::max(squares > 0.0 ? excess / squares : 0.0, 1e-3);
  }
  const Maximum found = maximise(log_likelihood_, theta_of(start), bounds_);
  DemandEstimate result{.mean = {}, .dispersion = 0.0, .log_likelihood = found.value};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    result.mean.push_back(groups_[g].is_zero() ? 0.0 : portable::exp(found.theta[g]));
  }
  if (dispersion_ == Dispersion::common) result.dispersion = portable::exp(found.theta.back());
  return result;
}

double DemandProblem::profile(std::vector<double>& theta, std::size_t coordinate,
                              double value) const {
  Bounds bounds = bounds_;
  bounds.low[coordinate] = value;
  bounds.high[coordinate] = value;
  Maximum best = maximise(log_likelihood_, theta, bounds);
  theta = std::move(best.theta);  // where the next one starts
  return best.value;
}

double DemandProblem::crossing(const DemandEstimate& best, std::size_t coordinate,
                               Search search) const {
  auto [step, limit, fall] = search;
  const double level = best.log_likelihood - fall;
  std::vector<double> theta = theta_of(best);
  const auto above = [&](double value) { return profile(theta, coordinate, value) - level; };
  double inner = theta[coordinate];
  double at_inner = fall;
  for (;; step *= 1.5) {
    const double outer = step > 0.0 ? std::min(inner + step, limit) : std::max(inner + step, limit);
    const double at_outer = above(outer);
    if (at_outer < 0.0) {
      std::uintmax_t steps = 50;
      const auto close = [](double a, double b) { return std::abs(b - a) < 1e-9; };
      const auto [low, high] = outer < inner
                                   ? boost::math::tools::toms748_solve(
                                         above, outer, inner, at_outer, at_inner, close, steps)
                                   : boost::math::tools::toms748_solve(
                                         above, inner, outer, at_inner, at_outer, close, steps);
      return std::midpoint(low, high);
    }
    if (outer == limit) return step > 0.0 ? infinity : -infinity;
    inner = outer;
    at_inner = at_outer;
  }
}

Interval DemandProblem::mean_interval(const DemandEstimate& best, std::size_t group) const {
  const double mean = best.mean[group];
  const auto days = static_cast<double>(groups_[group].days());
  if (mean == 0.0) {  // from here, up is the only way
    return {0.0, portable::exp(crossing(best, group, {2.0, largest_mean, rule_of_three}))};
  }
  const double error = std::sqrt((1.0 + best.dispersion * mean) / (mean * days));
  return {portable::exp(crossing(best, group, {-2.0 * error, no_mean, two_sided})),
          portable::exp(crossing(best, group, {2.0 * error, largest_mean, two_sided}))};
}

Interval DemandProblem::n_interval(const DemandEstimate& best) const {
  if (dispersion_ == Dispersion::none) return {infinity, infinity};
  const std::size_t last = groups_.size();
  const double poisson = DemandProblem(groups_, Dispersion::none).maximum().log_likelihood;
  const bool may_be_poisson = best.log_likelihood - poisson < 0.5 * chi_square_95;
  const double high =
      may_be_poisson ? infinity
                     : portable::exp(-crossing(best, last, {-0.3, least_dispersion, two_sided}));
  return {portable::exp(-crossing(best, last, {0.3, largest_dispersion, two_sided})), high};
}

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
  std::vector<bool> occurs(largest_of(groups.counts) + 1, false);
  for (const DemandCounts& counts : groups.counts) {
    const EmpiricalLaw& law = fitted.empirical.emplace_back(empirical_law(counts));
    sum += law.log_likelihood;
    for (std::size_t k = 0; k < law.probabilities.size(); ++k) {
      occurs[k] = occurs[k] || law.probabilities[k] > 0.0;
    }
  }
  // Every group could have each value: seen on one weekday alone, it is evidence about the others.
  const auto values = static_cast<std::size_t>(std::ranges::count(occurs, true));
  const std::size_t parameters = groups.counts.size() * (std::max<std::size_t>(values, 1) - 1);
  fitted.summary = summary_of(DemandLaw::empirical, groups, sum, parameters);
  return fitted;
}

/// No mean of it is the likeliest where almost all days ran out of stock: the larger, the better.
bool has_finite_means(const FittedLaw& fitted, const DemandGroups& groups) {
  constexpr double times = 10.0;
  const double most = times * static_cast<double>(largest_of(groups.counts) + 1);
  return std::ranges::all_of(fitted.law.mean, [&](double mean) { return mean <= most; });
}

/// With few days per value, frequencies fit anything, and BIC, which is for many, prefers them.
bool has_enough_days(const FittedLaw& fitted, const DemandGroups& groups) {
  constexpr std::size_t per_value = 5;
  std::size_t days = 0;
  std::size_t values = 0;
  for (const DemandCounts& group : groups.counts) days += group.days();
  for (const EmpiricalLaw& law : fitted.empirical) values += law.parameters + 1;
  return days >= per_value * values;
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
    FittedLaw common = one_dispersion(groups, Dispersion::common);
    if (has_finite_means(common, groups)) result.push_back(std::move(common));
    if (groups.counts.size() > 1) {
      FittedLaw separate = dispersion_by_weekday(groups);
      const bool finite =
          std::ranges::all_of(separate.law.dispersion, [](double alpha) { return alpha > 0.0; });
      if (finite && has_finite_means(separate, groups)) result.push_back(std::move(separate));
    }
  }
  if (is_wanted(DemandLaw::empirical)) {
    FittedLaw observed = frequencies(groups);
    if (wanted || has_enough_days(observed, groups)) result.push_back(std::move(observed));
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
