#include <algorithm>
#include <cmath>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/learn/detail/information_matrix.hpp"
#include "shortfall/learn/detail/input_checks.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::learn {

/// The first batch whose samples all count, and were taken after a tenth of all.
std::size_t InformationMatrix::first_batch_in_use() const {
  if (memory_ == Memory::forgetting) return 0;
  const std::uint64_t begin = std::max(samples_ / 10, fading_from_);
  std::uint64_t start = samples_ - batches_.filled() - batches_.count() * batches_.length();
  std::size_t k = 0;
  for (; k < batches_.count() && start < begin; ++k) start += batches_.length();
  return k;
}

/// Whether every feature of φ has a score in some batch from `first` on. One that has not occurred
/// since has a value from long ago, and no noise by which to judge it.
bool InformationMatrix::has_scores(std::span<const double> phi, std::size_t first) const {
  for (std::size_t i = 0; i < dimension_; ++i) {
    bool occurs = phi[i] == 0.0;
    for (std::size_t k = first; k < batches_.count() && !occurs; ++k) {
      occurs = batches_.row(k)[i] != 0.0;
    }
    if (!occurs) return false;
  }
  return true;
}

namespace {

/// Sums of slopes with all errors on one side of where they are.
struct SlopeShift {
  double sum = 0.0;
  double change = 0.0;

  void add(double now, double shifted) {
    sum += shifted;
    change += std::abs(shifted - now);
  }
  double share_of(double total) const {
    const double least = std::min(total, sum);
    return least > 0.0 ? change / least : infinity;
  }
};

}  // namespace

bool InformationMatrix::is_ready_for_intervals() const {
  return invertible_ && is_settled() &&
         batches_.count() - first_batch_in_use() >= detail::fewest_batches;
}

/// Mᵀφ.
void InformationMatrix::set_direction(const double* phi, AlignedVector& direction) const {
  std::ranges::fill(direction, 0.0);
  for (std::size_t i = 0; i < dimension_; ++i) {
    kernels_->add_scaled(direction.data(), phi[i], inverse_.data() + i * padded(dimension_),
                         dimension_);
  }
  const double pending = kernels_->dot(column_.data(), phi, dimension_);
  kernels_->add_scaled(direction.data(), pending, row_.data(), dimension_);
}

/// With a = H⁻ᵀφ, the sum over batch j of ω (aᵀs - φᵀθ + φᵀθ_n).
Interval InformationMatrix::interval(std::span<const double> phi, std::span<const double> theta,
                                     const IntervalOptions& options) const {
  require(memory_ != Memory::published,
          "an interval for Newton as published; accepted: Newton without as_published");
  detail::check_level(options.level);
  detail::check_features(phi, {});
  const IntervalMethod method = options.method.value_or(IntervalMethod::batch_means);
  require(memory_ != Memory::forgetting || method == IntervalMethod::batch_means,
          "an interval by random scaling where samples are forgotten; accepted: batch-means");
  AlignedVector feature(padded(dimension_));
  std::copy(phi.begin(), phi.end(), feature.begin());
  const double value = kernels_->dot(feature.data(), theta.data(), dimension_);
  const std::size_t first = first_batch_in_use();
  const bool is_in_doubt = slopes_.is_used() && doubt_ > largest_doubt;
  if (!is_ready_for_intervals() || is_in_doubt || !has_scores(phi, first)) return {.value = value};

  AlignedVector direction(padded(dimension_));
  set_direction(phi.data(), direction);
  const double total = weight();
  std::vector<double> y;
  for (std::size_t k = first; k < batches_.count(); ++k) {
    const double* const scores = batches_.row(k);
    const double* const iterates = scores + padded(dimension_);
    y.push_back(total * kernels_->dot(direction.data(), scores, dimension_) -
                kernels_->dot(feature.data(), iterates, dimension_) + batches_.weight(k) * value);
  }
  return detail::interval_from(value, y, batches_.length(), variance_per_sample(), method,
                               options.level);
}

/// The batches in use, but for the first few if their number is no multiple of the groups'.
void InformationMatrix::group_batches() {
  const std::size_t stride = 2 * padded(dimension_);
  const std::size_t size = (batches_.count() - first_batch_in_use()) / Groups::count;
  const std::size_t first = batches_.count() - size * Groups::count;
  groups_.length = size * batches_.length();
  std::ranges::fill(groups_.rows, 0.0);
  std::ranges::fill(groups_.weights, 0.0);
  for (std::size_t k = first; k < batches_.count(); ++k) {
    const std::size_t group = (k - first) / size;
    kernels_->add_scaled(groups_.rows.data() + group * stride, 1.0, batches_.row(k), stride);
    groups_.weights[group] += batches_.weight(k);
  }
}

/// The standard error of φᵀθ, which is `value`, by the means of groups.
double InformationMatrix::deviation_by_groups(const double* phi, double value) {
  const std::size_t stride = padded(dimension_);
  set_direction(phi, direction_);
  const double total = weight();
  double sum = 0.0;
  double square = 0.0;
  for (std::size_t k = 0; k < Groups::count; ++k) {
    const double* const scores = groups_.rows.data() + 2 * k * stride;
    const double y = total * kernels_->dot(direction_.data(), scores, dimension_) -
                     kernels_->dot(scores + stride, phi, dimension_) + groups_.weights[k] * value;
    sum += y;
    square += y * y;
  }
  constexpr double count = Groups::count;
  const double variance = std::max(0.0, square - sum * sum / count) /
                          ((count - 1.0) * static_cast<double>(groups_.length));
  return std::sqrt(variance * variance_per_sample());
}

void InformationMatrix::update_doubt(const std::function<double(double)>& slope,
                                     const AlignedVector& theta) {
  constexpr double deviations = 5.0;
  next_doubt_ = later(samples_to_doubt());
  if (slopes_.size() == 0 || !is_ready_for_intervals()) return;
  group_batches();
  double total = 0.0;
  SlopeShift up, down;
  for (std::size_t k = 0; k < slopes_.size(); ++k) {
    const SlopeSamples::Sample sample = slopes_[k];
    const double change = kernels_->dot(theta.data(), sample.z, dimension_);
    const double error = sample.cost + change;
    const double reach = deviations * deviation_by_groups(sample.z, change);
    const double now = sample.weight * slope(error);
    total += now;
    up.add(now, sample.weight * slope(error + reach));
    down.add(now, sample.weight * slope(error - reach));
  }
  doubt_ = std::max(up.share_of(total), down.share_of(total));
}

/// Until n has grown by a quarter, or a half-life has passed.
std::uint64_t InformationMatrix::samples_to_doubt() const {
  const std::uint64_t quarter = std::max<std::uint64_t>(1, samples_ / 4);
  if (memory_ != Memory::forgetting) return quarter;
  return std::min(quarter, static_cast<std::uint64_t>(std::ceil(half_life_)));
}

}  // namespace shortfall::learn
