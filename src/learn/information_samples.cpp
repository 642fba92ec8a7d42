// The samples on which the estimate rests: those that fade, those that do not, and their batches.
#include <algorithm>
#include <cmath>

#include "shortfall/numbers/portable_math.hpp"

#include "shortfall/learn/detail/information_matrix.hpp"

namespace shortfall::learn {

/// Falls linearly from 1 at n = t, where the recent sums begin, to 0 at n = r t.
double InformationMatrix::share_now() const {
  if (memory_ != Memory::renewed || moved_at_ == 0) return share_;
  const double first = static_cast<double>(moved_at_);
  const double r = static_cast<double>(recent_from_) >= 8.0 * first ? late_factor : early_factor;
  const auto t = static_cast<double>(recent_from_);
  return std::clamp((r * t - static_cast<double>(samples_)) / ((r - 1.0) * t), 0.0, share_);
}

/// Whether the samples that count were taken at a θ that was itself estimated well: some
/// renewals, or some half-lives, after it first moved.
bool InformationMatrix::is_settled() const {
  return moved_at_ > 0 && samples_ - moved_at_ >= settling_samples();
}

std::uint64_t InformationMatrix::settling_samples() const {
  return memory_ == Memory::forgetting ? static_cast<std::uint64_t>(std::ceil(8.0 * half_life_))
                                       : 7 * moved_at_;
}

/// The first inverse: from here on θ moves. The samples before fade, and are in no batch.
void InformationMatrix::settle() {
  moved_at_ = samples_;
  if (memory_ != Memory::published) batches_.clear();
  if (slopes_.is_used()) {
    slopes_.clear();
    next_doubt_ = later(settling_samples());
  }
  if (memory_ == Memory::renewed) restart_sums();
}

/// The recent samples become those that fade, with the share 1 that they had: S does not change.
void InformationMatrix::restart_sums() {
  add_products();
  if (moved_at_ < samples_) recent_.keep_missing_of(fading_, dimension_);
  std::swap(fading_, recent_);
  recent_.clear();
  fading_from_ = recent_from_;
  recent_from_ = samples_;
  share_ = 1.0;
}

/// θ moves so little during a batch that the mean of its ends stands for its mean: the difference
/// is below 1/200 of what the batch's scores move θ by.
void InformationMatrix::end_batch(const AlignedVector& theta) {
  double* const iterates = batches_.row() + padded(dimension_);
  const double half = 0.5 * batches_.weight_at_hand();
  for (std::size_t i = 0; i < padded(dimension_); ++i) {
    iterates[i] = half * (theta_sum_[i] + theta[i]);
    theta_sum_[i] = theta[i];
  }
  if (memory_ == Memory::forgetting && moved_at_ > 0) forget(batches_.length());
  batches_.next();
  slopes_.next_batch(batches_.length());
}

/// Multiplies the shares of all samples by 2^(-b/h) after a batch of b. M grows accordingly, and
/// w = M Σ r X does not change.
void InformationMatrix::forget(std::uint64_t length) {
  add_products();
  const double factor = portable::pow(2.0, -static_cast<double>(length) / half_life_);
  recent_.square += static_cast<double>(length);
  for (std::size_t j = 0; j < dimension_; ++j) {
    if (recent_.is_vanishing(j)) continue;
    for (std::size_t i = 0; i < dimension_; ++i) inverse_[i * padded(dimension_) + j] /= factor;
    row_[j] /= factor;
  }
  recent_.scale(factor);
}

double InformationMatrix::weight() const {
  return recent_.weight + share_ * fading_.weight;
}

/// Samples that are not forgotten have the share 1, or that of those that fade.
double InformationMatrix::variance_per_sample() const {
  const auto recent = static_cast<double>(samples_ - recent_from_);
  const auto fading = static_cast<double>(recent_from_ - fading_from_);
  const double square = memory_ == Memory::forgetting
                            ? recent_.square + static_cast<double>(batches_.filled())
                            : recent + share_ * share_ * fading;
  return square / (weight() * weight());
}

}  // namespace shortfall::learn
