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

InformationMatrix::IntervalScratch InformationMatrix::interval_scratch() const {
  IntervalScratch scratch{AlignedVector(padded(dimension_)), AlignedVector(padded(dimension_)), {}};
  scratch.y.reserve(BatchSums::most);
  return scratch;
}

Interval InformationMatrix::interval(std::span<const double> phi, std::span<const double> theta,
                                     const IntervalOptions& options) const {
  require(memory_ != Memory::published,
          "an interval for Newton as published; accepted: Newton without as_published");
  detail::check_level(options.level);
  detail::check_features(phi, {});
  require(memory_ != Memory::forgetting ||
              options.method.value_or(IntervalMethod::batch_means) == IntervalMethod::batch_means,
          "an interval by random scaling where samples are forgotten; accepted: batch-means");
  IntervalScratch scratch = interval_scratch();
  const Interval found = interval_in(scratch, phi, theta, options);
  return slopes_.is_used() && doubt_ > largest_doubt ? Interval{.value = found.value} : found;
}

/// With a = H⁻ᵀφ, the sum over batch j of ω (aᵀs - φᵀθ + φᵀθ_n).
Interval InformationMatrix::interval_in(IntervalScratch& scratch, std::span<const double> phi,
                                        std::span<const double> theta,
                                        const IntervalOptions& options) const {
  auto& [feature, direction, y] = scratch;
  std::copy(phi.begin(), phi.end(), feature.begin());
  const double value = kernels_->dot(feature.data(), theta.data(), dimension_);
  const std::size_t first = first_batch_in_use();
  const bool is_ready = invertible_ && is_settled() &&
                        batches_.count() - first >= detail::fewest_batches &&
                        has_scores(phi, first);
  if (!is_ready) return {.value = value};

  std::ranges::fill(direction, 0.0);  // Mᵀφ
  for (std::size_t i = 0; i < dimension_; ++i) {
    kernels_->add_scaled(direction.data(), phi[i], inverse_.data() + i * padded(dimension_),
                         dimension_);
  }
  const double pending = kernels_->dot(column_.data(), phi.data(), dimension_);
  kernels_->add_scaled(direction.data(), pending, row_.data(), dimension_);
  const double total = weight();

  y.clear();
  for (std::size_t k = first; k < batches_.count(); ++k) {
    const double* const scores = batches_.row(k);
    const double* const iterates = scores + padded(dimension_);
    y.push_back(total * kernels_->dot(direction.data(), scores, dimension_) -
                kernels_->dot(feature.data(), iterates, dimension_) + batches_.weight(k) * value);
  }
  return detail::interval_from(value, y, batches_.length(), variance_per_sample(),
                               options.method.value_or(IntervalMethod::batch_means), options.level);
}

void InformationMatrix::update_doubt(const std::function<double(double)>& slope,
                                     const AlignedVector& theta) {
  constexpr double deviations = 5.0;
  double total = 0.0;
  SlopeShift up, down;
  for (std::size_t k = 0; k < slopes_.size(); ++k) {
    const SlopeSamples::Sample sample = slopes_[k];
    const Interval change =
        interval_in(doubt_scratch_, {sample.z, dimension_}, {theta.data(), dimension_}, {});
    if (!std::isfinite(change.standard_error)) continue;
    const double error = sample.cost + change.value;
    const double reach = deviations * change.standard_error;
    const double now = sample.weight * slope(error);
    total += now;
    up.add(now, sample.weight * slope(error + reach));
    down.add(now, sample.weight * slope(error - reach));
  }
  if (slopes_.size() > 0) doubt_ = std::max(up.share_of(total), down.share_of(total));
  next_doubt_ = later(samples_to_doubt());
}

/// Until n has grown by a quarter, or a half-life has passed.
std::uint64_t InformationMatrix::samples_to_doubt() const {
  const std::uint64_t quarter = std::max<std::uint64_t>(1, samples_ / 4);
  if (memory_ != Memory::forgetting) return quarter;
  return std::min(quarter, static_cast<std::uint64_t>(std::ceil(half_life_)));
}

}  // namespace shortfall::learn
