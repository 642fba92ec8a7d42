#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "shortfall/names/names.hpp"
#include "shortfall/numbers/infinity.hpp"

/// How far to trust an online estimate: intervals from one run, while it goes on.
namespace shortfall::learn {

class BatchSums;

/// With batch sums y_1, ..., y_J of what the estimate averages, centred, of b samples each:
///
///   batch_means     v = Σ (y_j - ȳ)² / (b (J - 1)), and Student's t with J - 1 degrees of freedom.
///                   Where successive y_j are correlated, neighbours are merged first.
///   random_scaling  v = Σ_j (Σ_{k≤j} (y_k - ȳ))² / (b J²), an estimate of the long-run variance
///                   times ∫B² of a Brownian bridge B, with the quantiles of N(0,1)/√∫B²: 6.747 at
///                   95 % (Abadir and Paruolo, Econometrica 65, 1997; Lee, Liao, Seo and Shin,
///                   AAAI 2022). It needs no batches without correlation; its intervals are wider.
enum class IntervalMethod { batch_means, random_scaling };
inline constexpr Names<IntervalMethod, 2> interval_method_names{
    {{"batch-means", IntervalMethod::batch_means},
     {"random-scaling", IntervalMethod::random_scaling}}};
constexpr std::string_view to_string(IntervalMethod method) {
  return name_of(method, interval_method_names);
}

enum class IntervalStatus {
  ok,
  not_yet,       ///< too little data, or the estimate still rests on its first samples
  short_batches  ///< batches are too short for the memory of the chain: the interval is too narrow
};
inline constexpr Names<IntervalStatus, 3> interval_status_names{
    {{"ok", IntervalStatus::ok},
     {"not-yet", IntervalStatus::not_yet},
     {"short-batches", IntervalStatus::short_batches}}};
constexpr std::string_view to_string(IntervalStatus status) {
  return name_of(status, interval_status_names);
}

struct IntervalOptions {
  double level = 0.95;  ///< in (0, 1)
  /// By default batch means for Newton, and random scaling for averages.
  std::optional<IntervalMethod> method = {};
};

struct Interval {
  double value = 0.0;                ///< φᵀθ
  double low = -infinity;            ///< -∞ if not yet
  double high = infinity;            ///< +∞ if not yet
  double standard_error = infinity;  ///< +∞ if not yet
  IntervalStatus status = IntervalStatus::not_yet;
  std::size_t batches = 0;         ///< used, after merging
  double batch_correlation = 0.0;  ///< correlation of successive batches, by batch means
};

namespace detail {

/// With fewer batches there is no interval yet.
inline constexpr std::size_t fewest_batches = 32;

/// Throws InvalidInput unless 0 < level < 1.
void check_level(double level);

/// The interval around `value` = Σ g_i y_i / Σ g_i ω_i, from the batch sums `y`, which it centres
/// and merges, of `length` samples each. `per_sample` is Σ g² / (Σ g ω)², which turns a variance
/// per sample into that of the estimate.
Interval interval_from(double value, std::span<double> y, std::uint64_t length, double per_sample,
                       IntervalMethod method, double level);

/// The long-run deviation per sample, from sums `y` over batches of `length` samples, which it
/// centres and merges: the largest estimate by batch means with at least sixteen batches, on the
/// side of caution, because batches that are too short give too small a one.
struct LongRun {
  double deviation;
  std::size_t batches;  ///< of that estimate
  bool is_short;        ///< even the longest batches are correlated, beyond doubt
};
LongRun long_run(std::span<double> y, std::uint64_t length);

/// The interval of φᵀm, which is `value`, for the mean m of all vectors of `batches`.
Interval interval_of_average(double value, std::span<const double> phi, const BatchSums& batches,
                             const IntervalOptions& options, bool is_forgetting);

}  // namespace detail

/// The two-sided quantiles c of Student's t, P(|t| ≤ c) = level, or P(|t| > c) = α.
double student_quantile(double level, double degrees);
double student_tail_quantile(double alpha, double degrees);

/// The two-sided quantile c of N/√∫B², P(|N| ≤ c √∫B²) = level. With Craig's form of the normal
/// tail and E exp(-s ∫B²) = √(√(2s) / sinh √(2s)),
///
///   P(|N| > c √∫B²) = (2/π) ∫_0^{π/2} √(z / sinh z) dα,   z = c / sin α.
double random_scaling_quantile(double level);

}  // namespace shortfall::learn
