#include "shortfall/learn/detail/information_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "learn/inverse.hpp"
#include "shortfall/error.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/memory.hpp"

namespace shortfall::learn {
namespace {

std::uint64_t checked_warmup(std::size_t dimension, const NewtonOptions& options) {
  const std::uint64_t warmup = options.warmup.value_or(default_warmup(dimension));
  if (warmup < dimension) {
    throw InvalidField("warmup",
                       fmt::format("a warm-up of {} samples for {} features; accepted: at least {}",
                                   warmup, dimension, dimension));
  }
  return warmup;
}

/// The size of a matrix with padded rows, after checking that two of them fit in memory.
std::size_t checked_entries(std::size_t dimension) {
  check_memory(newton_memory(dimension), fmt::format("Newton with {} features", dimension),
               "fewer features, or TD, whose memory is linear in them");
  return dimension * padded(dimension);
}

}  // namespace

std::uint64_t default_warmup(std::size_t dimension) {
  return std::max<std::uint64_t>(500, 10 * dimension);
}

double newton_memory(std::size_t dimension) {
  const double d = static_cast<double>(dimension);
  return 2.0 * d * d * sizeof(double);
}

InformationMatrix::InformationMatrix(std::size_t dimension, const NewtonOptions& options)
    : dimension_(dimension),
      warmup_(checked_warmup(dimension, options)),
      refactor_every_(std::max<std::uint64_t>(1, options.refactor_every.value_or(64 * dimension))),
      sum_(checked_entries(dimension)),
      inverse_(sum_),
      column_(padded(dimension)),
      row_(column_),
      root_(column_),
      loss_sum_(column_),
      theta_sum_(column_),
      batch_x_(batch_size * padded(dimension)),
      batch_z_(batch_x_),
      x_squares_(column_),
      z_squares_(column_),
      z_(column_),
      mx_(column_),
      mtz_(column_),
      sizes_(2 * dimension),
      scratch_(inverse_scratch(dimension)),
      next_inversion_(warmup_) {}

LearnerStatus InformationMatrix::add(const Sample& sample, AlignedVector& theta) {
  collect(sample, theta);
  const bool had_inverse = invertible_;
  if (invertible_ && !recurse(sample.residual, theta)) next_inversion_ = samples_;
  if (samples_ >= next_inversion_) {
    invert();
    // At the end of the warm-up, and of any other waiting period, the paper's θ does
    // not change yet.
    if (invertible_ && had_inverse) solve_for_theta(theta);
  }
  if (batch_ == batch_size) flush_batch();
  return status();
}

LearnerStatus InformationMatrix::status() const {
  if (invertible_) return LearnerStatus::ok;
  return samples_ < warmup_ ? LearnerStatus::warming_up : LearnerStatus::singular;
}

void InformationMatrix::collect(const Sample& sample, const AlignedVector& theta) {
  double* const x = batch_x_.data() + batch_ * padded(dimension_);
  kernels_->newton_sample({.phi = sample.phi,
                           .phi_next = sample.phi_next,
                           .theta = theta.data(),
                           .gamma = sample.gamma,
                           .loss = sample.residual.value,
                           .left_slope = sample.residual.left_slope,
                           .x = x,
                           .z = z_.data(),
                           .weighted_z = batch_z_.data() + batch_ * padded(dimension_),
                           .loss_sum = loss_sum_.data(),
                           .theta_sum = theta_sum_.data(),
                           .x_squares = x_squares_.data(),
                           .z_squares = z_squares_.data()},
                          dimension_);
  ++batch_;
  ++samples_;
}

/// The rank-one update for the sample just collected; false if too many digits would be lost, in
/// which case the inverse is that of the previous sum.
bool InformationMatrix::recurse(const LossPoint& residual, AlignedVector& theta) {
  const double* const x = batch_x_.data() + (batch_ - 1) * padded(dimension_);
  kernels_->newton_pass({.matrix = inverse_.data(),
                         .column = column_.data(),
                         .row = row_.data(),
                         .x = x,
                         .z = z_.data(),
                         .mx = mx_.data(),
                         .mtz = mtz_.data()},
                        dimension_);
  const auto [zu, zw] = kernels_->values(z_.data(), mx_.data(), root_.data(), dimension_);
  const double slope = residual.left_slope;
  const double factor = 1.0 + slope * zu;
  const double change = std::max(std::abs(factor), 1.0 / std::abs(factor));
  if (!(change <= large_factor)) amplification_ *= change;
  if (!(amplification_ <= largest_amplification && std::isfinite(zw))) {
    std::fill(column_.begin(), column_.end(), 0.0);
    return false;
  }
  std::swap(row_, mtz_);
  kernels_->newton_step({.mx = mx_.data(),
                         .column_scale = -slope / factor,
                         .root_scale = (residual.value - slope * zw) / factor,
                         .theta_scale = 1.0 / static_cast<double>(samples_),
                         .theta_sum = theta_sum_.data(),
                         .column = column_.data(),
                         .root = root_.data(),
                         .theta = theta.data()},
                        dimension_);
  return true;
}

void InformationMatrix::flush_batch() {
  kernels_->add_products(sum_.data(), batch_x_.data(), batch_z_.data(), batch_, dimension_);
  batch_ = 0;
}

void InformationMatrix::invert() {
  flush_batch();
  std::copy(sum_.begin(), sum_.end(), inverse_.begin());
  for (std::size_t i = 0; i < dimension_; ++i) {
    sizes_[i] = std::sqrt(x_squares_[i]);
    sizes_[dimension_ + i] = std::sqrt(z_squares_[i]);
  }
  const std::span<const double> sizes(sizes_);
  distance_ = learn::invert(inverse_.data(), dimension_,
                            {sizes.first(dimension_), sizes.last(dimension_)}, scratch_);
  std::fill(column_.begin(), column_.end(), 0.0);
  std::fill(row_.begin(), row_.end(), 0.0);
  amplification_ = 1.0;
  for (std::size_t i = 0; i < dimension_; ++i) {
    root_[i] =
        kernels_->dot(inverse_.data() + i * padded(dimension_), loss_sum_.data(), dimension_);
  }
  invertible_ = distance_ >= near_singular &&
                std::ranges::all_of(root_, [](double w) { return std::isfinite(w); });
  ++(invertible_ ? inversions_ : failed_inversions_);
  next_inversion_ = later(invertible_ ? refactor_every_ : dimension_);
}

/// This many samples from now, or never if the count would overflow.
std::uint64_t InformationMatrix::later(std::uint64_t samples) const {
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  return samples > never - samples_ ? never : samples_ + samples;
}

void InformationMatrix::solve_for_theta(AlignedVector& theta) {
  const double scale = 1.0 / static_cast<double>(samples_);
  for (std::size_t i = 0; i < dimension_; ++i) theta[i] = scale * theta_sum_[i] - root_[i];
}

}  // namespace shortfall::learn
