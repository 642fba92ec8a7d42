#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "shortfall/learn/status.hpp"
#include "shortfall/learn/vector_kernels.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::learn {

namespace detail {
/// Throws InvalidInput unless d ≥ 1 and γ is in [0, 1].
void check_learner(std::size_t dimension, double gamma);
/// Throws InvalidInput that names both.
[[noreturn]] void reject_size(std::size_t size, std::size_t dimension);
/// Throws InvalidInput where features or cost are not finite: then it is not θ that diverged.
void check_finite(std::span<const double> phi, double cost, std::span<const double> phi_next);
}  // namespace detail

/// What all learners with linear features share: V_θ(x) = φ(x)ᵀθ, the loss around the temporal-
/// difference error, and the watch over divergence. θ begins at zero.
template <Loss L>
class LinearLearner {
 public:
  /// Throws InvalidInput unless d ≥ 1 and γ is in [0, 1]. γ = 1 makes sense for episodes that end.
  LinearLearner(std::size_t dimension, L loss, double gamma)
      : loss_(std::move(loss)), gamma_(gamma), guard_(gamma), dimension_(dimension) {
    detail::check_learner(dimension, gamma);
    theta_.resize(padded(dimension));
  }

  std::size_t dimension() const { return dimension_; }
  const L& loss() const { return loss_; }
  double gamma() const { return gamma_; }
  std::uint64_t updates() const { return updates_; }  ///< transitions seen
  Status status() const { return status_; }

  std::span<const double> theta() const { return {theta_.data(), dimension_}; }
  /// The same with zeros to its padded length, for kernels.
  std::span<const double> padded_theta() const { return theta_; }

  /// V_θ at a state with features φ.
  double value(std::span<const double> phi) const {
    check_size(phi);
    return kernels_->dot(theta_.data(), phi.data(), dimension_);
  }

  /// Begins from another θ than zero. Only before the first update.
  void start_from(std::span<const double> theta) {
    check_size(theta);
    detail::check_finite(theta, 0.0, {});
    std::copy(theta.begin(), theta.end(), theta_.begin());
  }

 protected:
  /// ℓ and its left slope at the temporal-difference error c + γ φ'ᵀθ - φᵀθ; an empty φ' is that
  /// of the end, where the value is 0. Turns the status to diverged where the values say so, and
  /// where ℓ is larger than a step could bear.
  LossPoint residual(std::span<const double> phi, double cost, std::span<const double> phi_next) {
    check_size(phi);
    ValuePair value{};
    if (phi_next.empty()) {
      value.now = kernels_->dot(theta_.data(), phi.data(), dimension_);
    } else {
      check_size(phi_next);
      value = kernels_->values(theta_.data(), phi.data(), phi_next.data(), dimension_);
    }
    const bool accepted = guard_.accepts(cost, value.now, value.next);
    if (!accepted) [[unlikely]]
      detail::check_finite(phi, cost, phi_next);
    const LossPoint point = loss_.at(cost + gamma_ * value.next - value.now);
    if (!accepted || !(std::abs(point.value) <= largest_loss)) [[unlikely]] {
      status_ = Status::diverged;
    }
    return point;
  }

  /// Counts, weights and status, for checkpoints.
  template <class Archive>
  void archive_linear(Archive& state) {
    state(theta_);
    state(updates_);
    state(status_);
    guard_.archive(state);
  }

  void check_size(std::span<const double> phi) const {
    if (phi.size() != dimension_) [[unlikely]]
      detail::reject_size(phi.size(), dimension_);
  }

  static constexpr double largest_loss = 1e150;

  AlignedVector theta_;  // padded
  L loss_;
  double gamma_;
  const VectorKernels* kernels_ = &vector_kernels();
  DivergenceGuard guard_;
  std::size_t dimension_;
  std::uint64_t updates_ = 0;
  Status status_ = Status::ok;
};

}  // namespace shortfall::learn
