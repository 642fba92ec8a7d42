#include "inventory/demand_maximum.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "inventory/chi_square.hpp"
#include "shortfall/infinity.hpp"
#include "shortfall/portable_math.hpp"

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

}  // namespace shortfall::inventory::detail
