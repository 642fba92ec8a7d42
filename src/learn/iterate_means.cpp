#include "shortfall/learn/detail/iterate_means.hpp"

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/mdp/random_streams.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn {
namespace {

/// Shorter batches end too often for a judgement each time.
constexpr std::uint64_t always_judged_length = 64;
constexpr std::size_t batches_between = 4;
constexpr std::size_t travel_parts = 8;
constexpr double left_to_travel = 4.0;

}  // namespace

IterateMeans::IterateMeans(std::size_t dimension, Sample sample, std::uint64_t longest)
    : dimension_(dimension),
      kind_(sample),
      batches_(dimension, 1, most_batches, {.first = 1, .longest = longest}),
      states_(sample == Sample::features ? samples * padded(dimension) : 0),
      cells_(sample == Sample::cell ? samples : 0),
      first_(padded(dimension)),
      second_(first_),
      direction_(first_),
      travelled_(first_) {}

void IterateMeans::sample(std::span<const double> phi) {
  const std::size_t at = completed_ % samples * padded(dimension_);
  std::copy(phi.begin(), phi.end(), states_.begin() + static_cast<std::ptrdiff_t>(at));
}

void IterateMeans::end_batch(const AlignedVector& theta, AlignedVector& mean, double longest) {
  double* const sum = batches_.row();
  const auto length = static_cast<double>(batches_.length());
  for (std::size_t i = 0; i < padded(dimension_); ++i) sum[i] = length * theta[i] - sum[i];
  batches_.next();
  ++completed_;
  // At random, because a state may come back every so many updates.
  sampled_at_ = splitmix64_mix(completed_ * golden_ratio) % batches_.length();
  set_mean(mean, batches_.count() / 2, batches_.count());
  if (is_time_to_judge()) judge(mean, longest);
}

/// The mean over complete batches `first` to `end`, exclusive.
void IterateMeans::set_mean(AlignedVector& mean, std::size_t first, std::size_t end) const {
  std::fill(mean.begin(), mean.end(), 0.0);
  const double share =
      1.0 / (static_cast<double>(end - first) * static_cast<double>(batches_.length()));
  for (std::size_t k = first; k < end; ++k) {
    kernels_->add_scaled(mean.data(), share, batches_.row(k), padded(dimension_));
  }
}

bool IterateMeans::is_time_to_judge() const {
  const std::size_t count = batches_.count();
  if (count < most_batches / 2 || count * batches_.length() < fewest_iterates) return false;
  return batches_.length() >= always_judged_length || count % batches_between == 0;
}

void IterateMeans::judge(const AlignedVector& mean, double longest) {
  const double change =
      std::max(largest_change_of_values(), left_to_travel * largest_travel() * longest);
  if (remembers_start(mean)) {
    movement_ = std::numeric_limits<double>::quiet_NaN();
  } else {
    movement_ = change > 0.0 ? change / largest_value(mean) : 0.0;
  }
}

double IterateMeans::value(const AlignedVector& weights, std::size_t sample) const {
  if (kind_ == Sample::cell) return weights[cells_[sample]];
  return kernels_->dot(weights.data(), states_.data() + sample * padded(dimension_), dimension_);
}

double IterateMeans::largest_change_of_values() {
  const std::size_t end = batches_.count();
  const std::size_t quarter = end / 4;
  set_mean(first_, end - 2 * quarter, end - quarter);
  set_mean(second_, end - quarter, end);
  double largest = 0.0;
  for (std::size_t s = 0; s < samples; ++s) {
    largest = std::max(largest, std::abs(value(second_, s) - value(first_, s)));
  }
  return largest;
}

double IterateMeans::largest_value(const AlignedVector& mean) const {
  double largest = 0.0;
  for (std::size_t s = 0; s < samples; ++s) largest = std::max(largest, std::abs(value(mean, s)));
  return largest;
}

/// The first batch of a part of the last three quarters.
std::size_t IterateMeans::part_begin(std::size_t part) const {
  const std::size_t begin = batches_.count() / 4;
  return begin + part * (batches_.count() - begin) / travel_parts;
}

/// Over the last half, of weights that travel: the mean over the last part less that of the middle
/// one.
double IterateMeans::largest_travel() {
  AlignedVector& before = first_;
  AlignedVector& now = second_;
  std::fill(direction_.begin(), direction_.end(), 0.0);
  std::fill(travelled_.begin(), travelled_.end(), 0.0);
  set_mean(before, part_begin(0), part_begin(1));
  for (std::size_t part = 1; part < travel_parts; ++part) {
    set_mean(now, part_begin(part), part_begin(part + 1));
    for (std::size_t i = 0; i < dimension_; ++i) {
      const double step = now[i] - before[i];
      direction_[i] += step > 0.0 ? 1.0 : step < 0.0 ? -1.0 : 0.0;
      if (part >= travel_parts / 2) travelled_[i] += std::abs(step);
    }
    std::swap(before, now);
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < dimension_; ++i) {
    const bool travels = std::abs(direction_[i]) == static_cast<double>(travel_parts - 1);
    if (travels) largest = std::max(largest, travelled_[i]);
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
