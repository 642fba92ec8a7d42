#include "shortfall/learn/detail/iterate_means.hpp"

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn {
namespace {

/// The number of batches that end between two judgements.
constexpr std::size_t batches_between = IterateMeans::most_batches / 8;

}  // namespace

IterateMeans::IterateMeans(std::size_t dimension, Sample sample, std::uint64_t longest)
    : dimension_(dimension),
      kind_(sample),
      batches_(dimension, 1, most_batches, {.first = 1, .longest = longest}),
      states_(sample == Sample::features ? samples * padded(dimension) : 0),
      cells_(sample == Sample::cell ? samples : 0),
      change_(padded(dimension)) {}

void IterateMeans::sample(std::span<const double> phi) {
  const std::size_t at = completed_ % samples * padded(dimension_);
  std::copy(phi.begin(), phi.end(), states_.begin() + static_cast<std::ptrdiff_t>(at));
}

void IterateMeans::end_batch(const AlignedVector& theta, AlignedVector& mean) {
  double* const sum = batches_.row();
  const auto length = static_cast<double>(batches_.length());
  for (std::size_t i = 0; i < padded(dimension_); ++i) sum[i] = length * theta[i] - sum[i];
  batches_.next();
  ++completed_;
  // At random, because a state may come back every so many updates.
  sampled_at_ = splitmix64_mix(completed_ * golden_ratio) % batches_.length();
  set_mean(mean);
  if (is_time_to_judge()) judge(mean);
}

/// Σ coefficient(k) times the mean of batch k, over the batches from `first` on.
template <class Coefficient>
void IterateMeans::combine(AlignedVector& sum, std::size_t first, const Coefficient& coefficient) {
  std::ranges::fill(sum, 0.0);
  const auto length = static_cast<double>(batches_.length());
  for (std::size_t k = first; k < batches_.count(); ++k) {
    kernels_->add_scaled(sum.data(), coefficient(k) / length, batches_.row(k), padded(dimension_));
  }
}

void IterateMeans::set_mean(AlignedVector& mean) {
  const std::size_t first = batches_.count() / 2;
  const double share = 1.0 / static_cast<double>(batches_.count() - first);
  combine(mean, first, [share](std::size_t) { return share; });
}

bool IterateMeans::is_time_to_judge() const {
  const std::size_t count = batches_.count();
  return count >= most_batches / 2 && count * batches_.length() >= fewest_iterates &&
         count % batches_between == 0;
}

void IterateMeans::judge(const AlignedVector& mean) {
  const double error = std::max(largest_error(), largest_change());
  if (remembers_start(mean)) {
    movement_ = std::numeric_limits<double>::quiet_NaN();
  } else {
    movement_ = error > 0.0 ? error / largest_value(mean) : 0.0;
  }
}

/// The slope of the least-squares line through the means of batches over their steps, times the
/// mean step of the later half.
double IterateMeans::largest_error() {
  const std::size_t end = batches_.count();
  const std::size_t begin = end / 12;
  double steps = 0.0;
  double late_steps = 0.0;
  for (std::size_t k = begin; k < end; ++k) {
    steps += batches_.weight(k);
    if (k >= end / 2) late_steps += batches_.weight(k);
  }
  const double mean_step = steps / static_cast<double>(end - begin);
  double square = 0.0;
  for (std::size_t k = begin; k < end; ++k) {
    square += (batches_.weight(k) - mean_step) * (batches_.weight(k) - mean_step);
  }
  if (!(square > 0.0)) return 0.0;
  const double factor = late_steps / static_cast<double>(end - end / 2) / square;
  combine(change_, begin, [&](std::size_t k) { return factor * (batches_.weight(k) - mean_step); });
  return largest_value(change_);
}

/// From the third to the last quarter.
double IterateMeans::largest_change() {
  const std::size_t end = batches_.count();
  const std::size_t quarter = end / 4;
  const double share = 1.0 / static_cast<double>(quarter);
  combine(change_, end - 2 * quarter,
          [&](std::size_t k) { return k < end - quarter ? -share : share; });
  return largest_value(change_);
}

/// Among the sampled states.
double IterateMeans::largest_value(const AlignedVector& weights) const {
  double largest = 0.0;
  for (std::size_t s = 0; s < samples; ++s) {
    const double value =
        kind_ == Sample::cell
            ? weights[cells_[s]]
            : kernels_->dot(weights.data(), states_.data() + s * padded(dimension_), dimension_);
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

bool IterateMeans::remembers_start(const AlignedVector& mean) const {
  const auto still = std::count(mean.begin(), mean.end(), 0.0);
  const auto moved = static_cast<double>(mean.size()) - static_cast<double>(still);
  return exposure_ < least_exposure * moved;
}

void IterateMeans::check_state() const {
  detail::check_numbers("sampled_states", states_, dimension_);
  for (const std::uint64_t cell : cells_) {
    detail::check_count("sampled_cells", cell, 0, dimension_ - 1);
  }
  detail::check_count("sampled_at", sampled_at_, 0, batches_.length() - 1);
  detail::check_real("exposure", exposure_, 0.0, infinity);
  require(std::isnan(movement_) || movement_ >= 0.0, "movement = {}; accepted: 0 or more",
          movement_);
}

}  // namespace shortfall::learn
