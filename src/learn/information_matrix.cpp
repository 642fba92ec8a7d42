#include "shortfall/learn/detail/information_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "learn/inverse.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/memory/memory.hpp"

namespace shortfall::learn {
namespace {

/// Fewer samples than features that must occur leave S singular.
std::uint64_t checked_warmup(std::size_t dimension, const NewtonOptions& options,
                             InformationMatrix::Unseen unseen) {
  const std::uint64_t warmup = options.warmup.value_or(default_warmup(dimension));
  const std::size_t least = unseen == InformationMatrix::Unseen::is_singular ? dimension : 1;
  if (warmup < least) {
    throw InvalidField("warmup",
                       fmt::format("a warm-up of {} samples for {} features; accepted: at least {}",
                                   warmup, dimension, least));
  }
  return warmup;
}

/// After checking that its matrices fit in memory.
std::size_t checked_dimension(std::size_t dimension) {
  check_memory(newton_memory(dimension), fmt::format("Newton with {} features", dimension),
               "fewer features, or TD, whose memory is linear in them");
  return dimension;
}

double checked_half_life(const NewtonOptions& options) {
  if (!options.half_life) return 0.0;
  if (options.variant == NewtonVariant::as_published) {
    throw InvalidField(
        "forget",
        "a half-life for Newton as published, which forgets nothing; accepted: no half-life");
  }
  detail::check_half_life(*options.half_life);
  return *options.half_life;
}

/// With forgetting, the least length at which 64 batches are eight half-lives.
std::uint64_t longest_batch(const NewtonOptions& options) {
  if (!options.half_life) return BatchSums::unlimited;
  const auto least = static_cast<std::uint64_t>(std::ceil(*options.half_life / 8.0));
  if (least <= BatchSums::first_length) return least;
  std::uint64_t length = BatchSums::first_length;
  while (length < least) length *= 2;
  return length;
}

}  // namespace

InformationMatrix::Memory InformationMatrix::memory_of(const NewtonOptions& options,
                                                       LossShape shape) {
  if (options.half_life) return Memory::forgetting;
  if (options.variant == NewtonVariant::as_published) return Memory::published;
  return shape == LossShape::linear ? Memory::whole : Memory::renewed;
}

std::uint64_t default_warmup(std::size_t dimension) {
  return std::max<std::uint64_t>(500, 10 * dimension);
}

double newton_memory(std::size_t dimension) {
  const double d = static_cast<double>(dimension);
  return 3.0 * d * d * sizeof(double);
}

InformationMatrix::InformationMatrix(std::size_t dimension, const NewtonOptions& options,
                                     LossShape shape, Unseen unseen)
    : dimension_(checked_dimension(dimension)),
      memory_(memory_of(options, shape)),
      unseen_(unseen),
      warmup_(checked_warmup(dimension, options, unseen)),
      refactor_every_(std::max<std::uint64_t>(1, options.refactor_every.value_or(64 * dimension))),
      half_life_(checked_half_life(options)),
      recent_(dimension),
      fading_(memory_ == Memory::renewed ? dimension : 0),
      batches_(dimension, 2, longest_batch(options)),
      slopes_(memory_ == Memory::renewed || memory_ == Memory::forgetting ? dimension : 0),
      theta_sum_(padded(dimension)),
      inverse_(recent_.products),
      column_(padded(dimension)),
      row_(column_),
      root_(column_),
      products_x_(products_at_once * padded(dimension)),
      products_z_(products_x_),
      z_(column_),
      mx_(column_),
      mtz_(column_),
      sizes_(2 * dimension),
      scratch_(inverse_scratch(dimension)),
      next_inversion_(warmup_) {
  if (!slopes_.is_used()) return;
  groups_.rows.resize(Groups::count * 2 * padded(dimension));
  groups_.weights.resize(Groups::count);
  direction_.resize(padded(dimension));
}

void InformationMatrix::add_part(const Sample& part, AlignedVector& theta) {
  collect(part, theta);
  if (slopes_.is_next(batches_.filled())) [[unlikely]]
    slopes_.keep({.z = z_.data(), .cost = part.cost, .weight = part.weight});
  const bool is_due = next_inversion_ <= samples_;  // after another part of this sample
  if (invertible_ && !is_due && !recurse(part, theta)) next_inversion_ = samples_;
  if (products_ == products_at_once) add_products();
}

LearnerStatus InformationMatrix::complete(double weight, AlignedVector& theta) {
  ++samples_;
  if (samples_ >= next_inversion_) {
    const bool had_inverse = invertible_;
    invert(theta);
    // At the end of the warm-up, and of any other waiting period, the paper's θ does
    // not change yet.
    if (invertible_ && had_inverse) solve_for_theta(theta);
  }
  const bool is_in_batch = memory_ != Memory::published && samples_ != moved_at_;
  if (is_in_batch && batches_.count_sample(weight)) end_batch(theta);
  return status();
}

LearnerStatus InformationMatrix::status() const {
  if (invertible_) return LearnerStatus::ok;
  return samples_ < warmup_ ? LearnerStatus::warming_up : LearnerStatus::singular;
}

void InformationMatrix::collect(const Sample& sample, const AlignedVector& theta) {
  const bool published = memory_ == Memory::published;
  kernels_->newton_sample({.phi = sample.phi,
                           .phi_next = sample.phi_next,
                           .gamma = sample.gamma,
                           .left_slope = sample.residual.left_slope,
                           .target = sample.target,
                           .summed = published ? theta.data() : nullptr,
                           .scale = published ? sample.weight : sample.residual.value,
                           .x = products_x_.data() + products_ * padded(dimension_),
                           .z = z_.data(),
                           .weighted_z = products_z_.data() + products_ * padded(dimension_),
                           .target_sum = recent_.target.data(),
                           .sum = published ? theta_sum_.data() : batches_.row(),
                           .x_squares = recent_.x_squares.data(),
                           .z_squares = recent_.z_squares.data()},
                          dimension_);
  recent_.weight += sample.weight;
  ++products_;
}

/// The rank-one update for the sample just collected; false if too many digits would be lost, in
/// which case the inverse is that of the previous sum.
bool InformationMatrix::recurse(const Sample& sample, AlignedVector& theta) {
  const double* const x = products_x_.data() + (products_ - 1) * padded(dimension_);
  kernels_->newton_pass({.matrix = inverse_.data(),
                         .column = column_.data(),
                         .row = row_.data(),
                         .x = x,
                         .z = z_.data(),
                         .mx = mx_.data(),
                         .mtz = mtz_.data()},
                        dimension_);
  const auto [zu, zw] = kernels_->values(z_.data(), mx_.data(), root_.data(), dimension_);
  const double slope = sample.residual.left_slope;
  const double factor = 1.0 + slope * zu;
  const double change = std::max(std::abs(factor), 1.0 / std::abs(factor));
  if (!(change <= large_factor)) amplification_ *= change;
  if (!(amplification_ <= largest_amplification && std::isfinite(zw))) {
    std::fill(column_.begin(), column_.end(), 0.0);
    return false;
  }
  std::swap(row_, mtz_);
  kernels_->newton_step(
      {.mx = mx_.data(),
       .column_scale = -slope / factor,
       .root_scale = (sample.target - slope * zw) / factor,
       .theta_scale = mean_scale(),
       .theta_sum = memory_ == Memory::published ? theta_sum_.data() : root_.data(),
       .column = column_.data(),
       .root = root_.data(),
       .theta = theta.data()},
      dimension_);
  return true;
}

void InformationMatrix::add_products() {
  kernels_->add_products(recent_.products.data(), products_x_.data(), products_z_.data(), products_,
                         dimension_);
  products_ = 0;
}

void InformationMatrix::invert(const AlignedVector& theta) {
  add_products();
  const double share = share_now();
  invertible_ = invert_with(share, theta) || (share < share_ && invert_with(share_, theta));
  next_inversion_ = later(invertible_ ? updates_to_inversion() : dimension_);
  if (!invertible_) return;
  if (moved_at_ == 0) settle();
  if (memory_ == Memory::renewed && share_ == 0.0) restart_sums();
}

/// Inverts S with this share of the fading samples, and changes the share to it if there is
/// an inverse.
bool InformationMatrix::invert_with(double share, const AlignedVector& theta) {
  const bool fades = memory_ == Memory::renewed;
  // Features that have not occurred since keep their equations, whatever the share.
  const auto share_of = [&](const AlignedVector& squares, std::size_t i) {
    return fades && squares[i] == 0.0 ? 1.0 : share;
  };
  const auto total = [&](const AlignedVector& recent, const AlignedVector& fading, std::size_t i) {
    return fades ? share_of(recent_.x_squares, i) * fading[i] + recent[i] : recent[i];
  };
  const std::size_t stride = padded(dimension_);
  for (std::size_t i = 0; i < dimension_; ++i) {
    const double part = share_of(recent_.x_squares, i);
    for (std::size_t j = i * stride; j < (i + 1) * stride; ++j) {
      inverse_[j] = fades ? part * fading_.products[j] + recent_.products[j] : recent_.products[j];
    }
    sizes_[i] = std::sqrt(total(recent_.x_squares, fading_.x_squares, i));
    sizes_[dimension_ + i] = std::sqrt(
        fades ? share_of(recent_.z_squares, i) * fading_.z_squares[i] + recent_.z_squares[i]
              : recent_.z_squares[i]);
    mx_[i] = total(recent_.target, fading_.target, i);
  }
  if (unseen_ == Unseen::keeps_weight) keep_unseen_weights(theta);
  const std::span<const double> sizes(sizes_);
  distance_ = learn::invert(inverse_.data(), dimension_,
                            {sizes.first(dimension_), sizes.last(dimension_)}, scratch_);
  std::fill(column_.begin(), column_.end(), 0.0);
  std::fill(row_.begin(), row_.end(), 0.0);
  amplification_ = 1.0;
  for (std::size_t i = 0; i < dimension_; ++i) {
    root_[i] = kernels_->dot(inverse_.data() + i * padded(dimension_), mx_.data(), dimension_);
  }
  const bool found = distance_ >= near_singular &&
                     std::ranges::all_of(root_, [](double w) { return std::isfinite(w); });
  ++(found ? inversions_ : failed_inversions_);
  if (!found) return false;
  share_ = share;
  return true;
}

/// Row i of S, without any terms, becomes -s θ_i = -s times the weight so far, s the size of an
/// average sample.
void InformationMatrix::keep_unseen_weights(const AlignedVector& theta) {
  double square = 0.0;
  for (std::size_t j = dimension_; j < 2 * dimension_; ++j) square += sizes_[j] * sizes_[j];
  const double mean = std::sqrt(square / static_cast<double>(samples_));
  const double size = mean > 0.0 ? mean : 1.0;
  for (std::size_t i = 0; i < dimension_; ++i) {
    if (sizes_[i] > 0.0) continue;
    double& column = sizes_[dimension_ + i];
    if (!(column > 0.0)) column = size;
    sizes_[i] = size / column;
    inverse_[i * padded(dimension_) + i] = -size;
    mx_[i] = memory_ == Memory::published ? 0.0 : size * theta[i];
  }
}

/// While samples fade, their share changes in steps that are small compared with n.
std::uint64_t InformationMatrix::updates_to_inversion() const {
  if (memory_ != Memory::renewed) return refactor_every_;
  return std::min(refactor_every_, std::max<std::uint64_t>(dimension_, samples_ / 8));
}

/// This many samples from now, or never if the count would overflow.
std::uint64_t InformationMatrix::later(std::uint64_t samples) const {
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  return samples > never - samples_ ? never : samples_ + samples;
}

/// The mean of the iterates is part of the estimate only as published.
double InformationMatrix::mean_scale() const {
  return memory_ == Memory::published ? 1.0 / weight() : 0.0;
}

void InformationMatrix::solve_for_theta(AlignedVector& theta) {
  for (std::size_t i = 0; i < dimension_; ++i) {
    theta[i] = memory_ == Memory::published ? mean_scale() * theta_sum_[i] - root_[i] : -root_[i];
  }
}

}  // namespace shortfall::learn
