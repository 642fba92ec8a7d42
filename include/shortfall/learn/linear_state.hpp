#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "shortfall/learn/detail/input_checks.hpp"
#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/learn/status.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::learn {

/// What all learners with linear features have, V_θ(x) = φ(x)ᵀθ, whatever an update does: weights
/// θ, which begin at zero, counts, status, and the detection of divergence.
template <Loss L>
class LinearState {
 public:
  /// Throws InvalidInput unless d ≥ 1 and γ is in [0, 1]. γ = 1 makes sense for episodes that end.
  LinearState(std::size_t dimension, L loss, double gamma)
      : loss_(std::move(loss)), gamma_(gamma), guard_(gamma), dimension_(dimension) {
    detail::check_dimension(dimension);
    detail::check_discount(gamma);
    theta_.resize(padded(dimension));
    start_.resize(padded(dimension));
  }

  /// Starts from another θ than zero. Throws InvalidInput after the first update.
  void start_from(std::span<const double> theta) {
    check_size(theta);
    detail::check_features(theta, {});
    detail::check_not_started(updates_);
    std::copy(theta.begin(), theta.end(), theta_.begin());
    start_ = theta_;
    if (reports_mean()) mean_ = theta_;
  }

  /// V_θ at a state with features φ. Throws InvalidInput once the learner has diverged: it has
  /// none.
  double value(std::span<const double> phi) const {
    check_size(phi);
    check_has_values();
    return kernels_->dot(reported().data(), phi.data(), dimension_);
  }

  /// The result: the last iterate, or the mean of the last half of them where steps are scaled
  /// (any_step.hpp). After divergence, from before that.
  std::span<const double> theta() const { return {reported().data(), dimension_}; }
  /// The last iterate, with zeros to its padded length, for kernels.
  std::span<const double> padded_theta() const { return theta_; }
  std::size_t dimension() const { return dimension_; }
  const L& loss() const { return loss_; }
  double gamma() const { return gamma_; }
  std::uint64_t updates() const { return updates_; }  ///< transitions learned from
  LearnerStatus status() const { return status_; }
  /// ω ℓ(δ) of the last update, whose mean is 0 once θ has settled; see DriftAlarm. Averagers have
  /// an error for each cell, and this is ω Σ φ_i ℓ(δ_i).
  double last_loss() const { return last_loss_; }
  /// (Σω)²/Σω²: how many transitions of equal weight would say as much (Kish, 1965).
  double effective_samples() const {
    return squared_weight_ > 0.0 ? weight_ * weight_ / squared_weight_ : 0.0;
  }

 protected:
  /// A step s φ with |s| above this may exceed the range of double.
  static constexpr double largest_step = 1e150;

  void check_size(std::span<const double> phi) const {
    if (phi.size() != dimension_) [[unlikely]]
      detail::throw_size(phi.size(), dimension_);
  }

  void check_has_values() const {
    if (status_ == LearnerStatus::diverged) [[unlikely]]
      detail::throw_diverged(updates_);
  }
  bool reports_mean() const { return !mean_.empty(); }
  const AlignedVector& reported() const { return reports_mean() ? mean_ : theta_; }

  /// After an update that did not diverge.
  void count_update(double weight, double loss) {
    ++updates_;
    weight_ += weight;
    squared_weight_ += weight * weight;
    last_loss_ = loss;
  }

  /// Weights, counts and status, for checkpoints.
  template <class Archive>
  void archive_linear(Archive& state) {
    state(theta_, "theta");
    state(start_, "start");
    if (reports_mean()) state(mean_, "mean");
    state(updates_);
    state(status_);
    state(weight_);
    state(squared_weight_);
    guard_.archive(state);
    state.check([this] {
      detail::check_numbers("theta", theta_, dimension_);
      detail::check_finite("start", start_, dimension_);
      detail::check_numbers("mean", mean_, dimension_);
      detail::check_status(status_);
      detail::check_real("weight", weight_, 0.0, infinity);
      detail::check_real("squared_weight", squared_weight_, 0.0, infinity);
    });
  }

  AlignedVector theta_;  // padded
  AlignedVector start_;  // the initial θ, padded
  AlignedVector mean_;   // what is reported instead of θ, padded; or empty
  L loss_;
  double gamma_;
  const VectorKernels* kernels_ = &vector_kernels();
  DivergenceGuard guard_;
  std::size_t dimension_;
  std::uint64_t updates_ = 0;
  LearnerStatus status_ = LearnerStatus::ok;
  double weight_ = 0.0;          // Σω
  double squared_weight_ = 0.0;  // Σω²
  double last_loss_ = 0.0;
};

}  // namespace shortfall::learn
