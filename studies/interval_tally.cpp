#include "studies/interval_tally.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "shortfall/infinity.hpp"

namespace shortfall::studies {
namespace {

using learn::Interval;
using learn::IntervalStatus;

double share(std::size_t part, std::size_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double root_mean_square(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
                   static_cast<double>(values.size()));
}

double median_size(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  std::ranges::sort(values);
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

/// Errors over the deviations of n updates.
void summarise_errors(const CellTally& tally, const Eigen::VectorXd& deviation,
                      IntervalCell& cell) {
  constexpr double normal_median = 0.6744897501960817;  // of |N|
  const auto states = static_cast<double>(tally.states.size());
  for (std::size_t x = 0; x < tally.states.size(); ++x) {
    const StateTally& here = tally.states[x];
    const double scale = deviation[static_cast<Eigen::Index>(x)];
    const double error = root_mean_square(here.errors) / scale;
    cell.error += error / states;
    cell.median_error += median_size(here.errors) / (normal_median * scale) / states;
    cell.largest_error = std::max(cell.largest_error, error);
    cell.largest_bias = std::max(cell.largest_bias, std::abs(mean_of(here.errors)) / scale);
  }
}

/// Coverage and widths of the intervals that there are.
void summarise_intervals(const CellTally& tally, const Eigen::VectorXd& deviation,
                         const std::vector<double>& q, IntervalCell& cell) {
  const auto states = static_cast<double>(tally.states.size());
  std::size_t intervals = 0, not_yet = 0, short_batches = 0;
  cell.least_coverage = infinity;
  for (std::size_t x = 0; x < tally.states.size(); ++x) {
    const StateTally& here = tally.states[x];
    const double half_width = normal_quantile_95 * deviation[static_cast<Eigen::Index>(x)];
    const double covered = share(here.covered, here.half_widths.size());
    intervals += here.half_widths.size();
    not_yet += here.not_yet;
    short_batches += here.short_batches;
    cell.batch_correlation += here.batch_correlation;
    if (here.half_widths.empty()) continue;
    cell.coverage += covered / states;
    cell.width += mean_of(here.half_widths) / half_width / states;
    cell.median_width += median_size(here.half_widths) / half_width / states;
    if (covered < cell.least_coverage) {
      cell.least_coverage = covered;
      cell.least_visits = q[x] * static_cast<double>(cell.n);
    }
  }
  cell.not_yet = share(not_yet, not_yet + intervals);
  cell.short_batches = share(short_batches, intervals);
  cell.batch_correlation /= static_cast<double>(std::max<std::size_t>(intervals, 1));
  if (intervals == 0) {
    cell.coverage = cell.least_coverage = cell.least_visits = infinity;
    cell.width = cell.median_width = infinity;
  }
}

}  // namespace

void CellTally::add(const CellTally& more) {
  runs += more.runs;
  states.resize(std::max(states.size(), more.states.size()));
  for (std::size_t x = 0; x < more.states.size(); ++x) {
    StateTally& here = states[x];
    const StateTally& there = more.states[x];
    here.covered += there.covered;
    here.not_yet += there.not_yet;
    here.short_batches += there.short_batches;
    here.batch_correlation += there.batch_correlation;
    std::ranges::copy(there.half_widths, std::back_inserter(here.half_widths));
    std::ranges::copy(there.errors, std::back_inserter(here.errors));
  }
}

void add_interval(const Interval& interval, double truth, StateTally& sum) {
  if (interval.status == IntervalStatus::not_yet) {
    ++sum.not_yet;
    return;
  }
  if (interval.low <= truth && truth <= interval.high) ++sum.covered;
  if (interval.status == IntervalStatus::short_batches) ++sum.short_batches;
  sum.batch_correlation += interval.batch_correlation;
  sum.half_widths.push_back(0.5 * (interval.high - interval.low));
}

void summarise(const CellTally& tally, const Eigen::VectorXd& deviation,
               const std::vector<double>& q, IntervalCell& cell) {
  summarise_errors(tally, deviation, cell);
  summarise_intervals(tally, deviation, q, cell);
}

}  // namespace shortfall::studies
