#include "shortfall/learn/interval.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/learn/detail/batch_sums.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn::detail {
namespace {

constexpr std::size_t fewest_merged = 16;
/// Beyond this correlation of neighbours, partial sums do not look like Brownian motion.
constexpr double longest_memory = 0.5;

void centre(std::span<double> y) {
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  for (double& x : y) x -= mean;
}

double sum_of_squares(std::span<const double> y) {
  return std::inner_product(y.begin(), y.end(), y.begin(), 0.0);
}

/// The correlation of successive numbers, centred; 0 if all are equal.
double lag_one_correlation(std::span<const double> y) {
  const double square = sum_of_squares(y);
  if (!(square > 0.0)) return 0.0;
  return std::inner_product(y.begin() + 1, y.end(), y.begin(), 0.0) / square;
}

/// One in twenty sets of independent batches has a correlation above this.
double largest_correlation(std::size_t batches) {
  return 1.645 / std::sqrt(static_cast<double>(batches));
}

/// Adds neighbours; of an odd number the first is left out.
std::span<double> merge_pairs(std::span<double> y) {
  const std::size_t odd = y.size() % 2;
  const std::size_t half = y.size() / 2;
  for (std::size_t k = 0; k < half; ++k) y[k] = y[odd + 2 * k] + y[odd + 2 * k + 1];
  return y.first(half);
}

Interval around(Interval found, double quantile, double variance) {
  if (!std::isfinite(variance) || !std::isfinite(found.value)) return {.value = found.value};
  found.standard_error = std::sqrt(variance);
  found.low = found.value - quantile * found.standard_error;
  found.high = found.value + quantile * found.standard_error;
  return found;
}

Interval by_batch_means(double value, std::span<double> y, std::uint64_t length, double per_sample,
                        double level) {
  double correlation = lag_one_correlation(y);
  while (correlation > largest_correlation(y.size()) && y.size() / 2 >= fewest_merged) {
    y = merge_pairs(y);
    length *= 2;
    centre(y);
    correlation = lag_one_correlation(y);
  }
  const bool is_short = correlation > largest_correlation(y.size());
  const double degrees = static_cast<double>(y.size() - 1);
  const double variance = sum_of_squares(y) / (static_cast<double>(length) * degrees);
  const Interval found{.value = value,
                       .low = 0.0,
                       .high = 0.0,
                       .standard_error = 0.0,
                       .status = is_short ? IntervalStatus::short_batches : IntervalStatus::ok,
                       .batches = y.size(),
                       .batch_correlation = correlation};
  return around(found, student_quantile(level, degrees), variance * per_sample);
}

Interval by_random_scaling(double value, std::span<const double> y, std::uint64_t length,
                           double per_sample, double level) {
  double partial = 0.0;
  double square = 0.0;
  for (const double x : y) {
    partial += x;
    square += partial * partial;
  }
  const double correlation = lag_one_correlation(y);
  const auto batches = static_cast<double>(y.size());
  const double variance = square / (static_cast<double>(length) * batches * batches);
  const Interval found{
      .value = value,
      .low = 0.0,
      .high = 0.0,
      .standard_error = 0.0,
      .status = correlation > longest_memory ? IntervalStatus::short_batches : IntervalStatus::ok,
      .batches = y.size(),
      .batch_correlation = correlation};
  // E ∫B² = 1/6: so scaled, it is a standard error like the others.
  return around(found, random_scaling_quantile(level) / std::sqrt(6.0),
                6.0 * variance * per_sample);
}

}  // namespace

LongRun long_run(std::span<double> y, std::uint64_t length) {
  LongRun found{.deviation = 0.0, .batches = y.size(), .is_short = false};
  for (;;) {
    centre(y);
    const double degrees = static_cast<double>(y.size() - 1);
    const double deviation = std::sqrt(sum_of_squares(y) / (static_cast<double>(length) * degrees));
    if (deviation > found.deviation) {
      found.deviation = deviation;
      found.batches = y.size();
    }
    if (y.size() / 2 < fewest_merged) break;
    y = merge_pairs(y);
    length *= 2;
  }
  found.is_short = lag_one_correlation(y) > 2.0 * largest_correlation(y.size());
  return found;
}

void check_level(double level) {
  require(level > 0.0 && level < 1.0, "a level of {}; accepted: a number between 0 and 1", level);
}

Interval interval_from(double value, std::span<double> y, std::uint64_t length, double per_sample,
                       IntervalMethod method, double level) {
  centre(y);
  return method == IntervalMethod::batch_means
             ? by_batch_means(value, y, length, per_sample, level)
             : by_random_scaling(value, y, length, per_sample, level);
}

Interval interval_of_average(double value, std::span<const double> phi, const BatchSums& batches,
                             const IntervalOptions& options, bool is_forgetting) {
  check_level(options.level);
  require(options.method.value_or(IntervalMethod::random_scaling) != IntervalMethod::batch_means,
          "an interval by batch means for averages; accepted: random-scaling");
  require(!is_forgetting, "an interval for averages that forget; accepted: Newton");
  if (batches.count() < fewest_batches) return {.value = value};
  std::vector<double> y(batches.count());
  for (std::size_t k = 0; k < y.size(); ++k) {
    y[k] = vector_kernels().dot(batches.row(k), phi.data(), phi.size());
  }
  const double samples = static_cast<double>(batches.count() * batches.length() + batches.filled());
  const Interval found = interval_from(value, y, batches.length(), 1.0 / samples,
                                       IntervalMethod::random_scaling, options.level);
  // Iterates that still travel, or remember for long, give intervals that mean nothing.
  return found.status == IntervalStatus::ok ? found : Interval{.value = value};
}

}  // namespace shortfall::learn::detail
