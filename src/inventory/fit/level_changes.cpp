#include "inventory/fit/level_changes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "inventory/fit/demand_counts.hpp"
#include "inventory/fit/likelihood.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory::detail {
namespace {

constexpr double days_per_year = 365.25;
constexpr std::ptrdiff_t least_known = 10;  // days without a stock-out on either side of a change
constexpr double ends = 0.05;  // part of the days at either end where no change is tested for

LikelihoodTerm likelihood_of(const DemandTerms& terms, const ExpectedDay& day, double factor) {
  return day.stockout ? terms.at_least(day.demand, factor * day.mean)
                      : terms.exactly(day.demand, factor * day.mean);
}

}  // namespace

double largest_bridge_tail(double c, double trimmed) {
  if (c <= 1.0) return 1.0;
  const double log_lambda = 2.0 * portable::log((1.0 - trimmed) / trimmed);
  const double p = std::sqrt(0.5 * c / std::numbers::pi) * portable::exp(-0.5 * c) *
                   ((1.0 - 1.0 / c) * log_lambda + 2.0 / c);
  return std::min(p, 1.0);
}

LevelChanges::LevelChanges(std::vector<ExpectedDay> days, double dispersion)
    : days_(std::move(days)), dispersion_(dispersion) {
  for (const ExpectedDay& day : days_) largest_ = std::max(largest_, day.demand);
  const DemandTerms terms(dispersion, largest_);
  for (const ExpectedDay& day : days_) {
    score_.push_back(likelihood_of(terms, day, 1.0).by_log_mean);
    information_.push_back(day.mean / (1.0 + dispersion * day.mean));
  }
}

LevelChanges::Change LevelChanges::change(const std::vector<double>& x, double most) const {
  // θ: level, change, log α.
  const Objective log_likelihood = [&](std::span<const double> theta, std::span<double> gradient) {
    const double alpha = dispersion_ > 0.0 ? portable::exp(theta[2]) : 0.0;
    const DemandTerms terms(alpha, largest_);
    std::ranges::fill(gradient, 0.0);
    double sum = 0.0;
    for (std::size_t t = 0; t < days_.size(); ++t) {
      const LikelihoodTerm term =
          likelihood_of(terms, days_[t], portable::exp(theta[0] + theta[1] * x[t]));
      sum += term.value;
      gradient[0] += term.by_log_mean;
      gradient[1] += x[t] * term.by_log_mean;
      gradient[2] += alpha * term.by_dispersion;
    }
    return sum;
  };
  const double start = dispersion_ > 0.0 ? portable::log(dispersion_) : 0.0;
  const double reach = dispersion_ > 0.0 ? 10.0 : 0.0;
  const Bounds none{{-5.0, 0.0, start - reach}, {5.0, 0.0, start + reach}};
  const Bounds some{{-5.0, -most, start - reach}, {5.0, most, start + reach}};
  const Maximum without = maximise(log_likelihood, {0.0, 0.0, start}, none);
  const Maximum with = maximise(log_likelihood, without.theta, some);
  return {with.theta[1], std::max(2.0 * (with.value - without.value), 0.0)};
}

Trend LevelChanges::trend() const {
  const auto first = days_.front().date;
  const double centre = 0.5 * static_cast<double>((days_.back().date - first).count());
  std::vector<double> years;
  for (const ExpectedDay& day : days_) {
    years.push_back((static_cast<double>((day.date - first).count()) - centre) / days_per_year);
  }
  const Change most_likely = change(years, 5.0 / std::max(1.0, centre / days_per_year));
  return {.change_per_year = portable::expm1(most_likely.log_factor),
          .p = chi_square_tail(most_likely.ratio, 1.0),
          .ratio = most_likely.ratio};
}

LevelChanges::Level LevelChanges::level(std::size_t first, std::size_t last) const {
  const DemandTerms terms(dispersion_, largest_);
  const Objective log_likelihood = [&](std::span<const double> theta, std::span<double> gradient) {
    double sum = 0.0;
    gradient[0] = 0.0;
    for (std::size_t t = first; t < last; ++t) {
      const LikelihoodTerm term = likelihood_of(terms, days_[t], portable::exp(theta[0]));
      sum += term.value;
      gradient[0] += term.by_log_mean;
    }
    return sum;
  };
  const Maximum best = maximise(log_likelihood, {0.0}, {{-10.0}, {10.0}});
  return {best.theta[0], best.value};
}

std::vector<LevelChanges::Candidate> LevelChanges::shift_dates() const {
  const double all = std::reduce(information_.begin(), information_.end());
  std::vector<Candidate> candidates;
  const auto known = std::ranges::count(days_, false, &ExpectedDay::stockout);
  double score = 0.0;
  double before = 0.0;
  std::ptrdiff_t known_before = 0;
  for (std::size_t t = 1; t < days_.size(); ++t) {
    score += score_[t - 1];
    before += information_[t - 1];
    known_before += days_[t - 1].stockout ? 0 : 1;
    // Days that all ran out of stock have no most likely level.
    if (std::min(known_before, known - known_before) < least_known) continue;
    candidates.push_back({.statistic = score * score * all / (before * (all - before)),
                          .day = t,
                          .in_the_middle = before >= ends * all && before <= (1.0 - ends) * all});
  }
  return candidates;
}

std::optional<LevelChanges::Shift> LevelChanges::likeliest(
    std::vector<Candidate> candidates) const {
  constexpr std::size_t compared = 12;
  const auto few = static_cast<std::ptrdiff_t>(std::min(compared, candidates.size()));
  std::ranges::partial_sort(candidates, candidates.begin() + few, std::ranges::greater(),
                            &Candidate::statistic);
  candidates.resize(static_cast<std::size_t>(few));
  const double one_level = level(0, days_.size()).log_likelihood;
  std::optional<Shift> best;
  for (const Candidate& candidate : candidates) {
    const Level left = level(0, candidate.day);
    const Level right = level(candidate.day, days_.size());
    const double ratio = 2.0 * (left.log_likelihood + right.log_likelihood - one_level);
    if (ratio > (best ? best->ratio : 0.0)) best = Shift{candidate.day, ratio};
  }
  return best;
}

LevelChanges::Change LevelChanges::change_from(std::size_t day) const {
  std::vector<double> after(days_.size(), 0.0);
  std::fill(after.begin() + static_cast<std::ptrdiff_t>(day), after.end(), 1.0);
  return change(after, 10.0);
}

std::optional<LevelShift> LevelChanges::shift() const {
  const std::vector<Candidate> everywhere = shift_dates();
  std::vector<Candidate> tested = everywhere;
  std::erase_if(tested, [](const Candidate& candidate) { return !candidate.in_the_middle; });
  const std::optional<Shift> in_the_middle = likeliest(std::move(tested));
  if (!in_the_middle) return {};
  const Shift best = likeliest(everywhere).value_or(*in_the_middle);
  const Change found = change_from(best.day);
  const double ratio =
      best.day == in_the_middle->day ? found.ratio : change_from(in_the_middle->day).ratio;
  return LevelShift{.date = days_[best.day].date,
                    .or_later = best.day == everywhere.back().day,
                    .change = portable::expm1(found.log_factor),
                    .p = largest_bridge_tail(ratio, ends),
                    .ratio = found.ratio};
}

LevelChanges::Autocorrelation LevelChanges::autocorrelation() const {
  double products = 0.0;
  double squares = 0.0;
  double pairs = 0.0;
  std::vector<double> residual;
  for (std::size_t t = 0; t < days_.size(); ++t) {
    residual.push_back(score_[t] / std::sqrt(information_[t]));
    squares += residual[t] * residual[t];
    if (t == 0 || days_[t].date - days_[t - 1].date != std::chrono::days(1)) continue;
    products += residual[t - 1] * residual[t];
    pairs += 1.0;
  }
  // Residuals that are rounding errors are not correlated.
  if (pairs == 0.0 || squares < 1e-12 * static_cast<double>(days_.size())) return {};
  const double variance = squares / static_cast<double>(days_.size());
  return {.value = products / pairs / variance, .errors = products / std::sqrt(pairs) / variance};
}

}  // namespace shortfall::inventory::detail
