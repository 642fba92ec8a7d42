#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "shortfall/infinity.hpp"
#include "shortfall/learn/detail/input_checks.hpp"
#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/learn/status.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::learn {

/// A transition as a linear learner sees it.
struct LinearSample {
  std::span<const double> phi;
  std::span<const double> phi_next;  ///< empty at the end of an episode
  double change;                     ///< γ φ'ᵀθ - φᵀθ
  LossPoint loss;                    ///< at δ = c + change
  double weight;                     ///< ω
};

/// The common part of all learners with linear features: V_θ(x) = φ(x)ᵀθ, the loss around the
/// temporal-difference error, and the detection of divergence. θ begins at zero. `Algorithm`
/// derives from this and has
///
///   LearnerStatus move(const LinearSample& sample)
///                          updates θ. Numbers may be large but are finite
///   void start_episode()   the next transition does not continue the last one
///
/// Features are finite, and of a magnitude up to 1e150.
template <class Algorithm, Loss L>
class LinearLearner {
 public:
  /// Throws InvalidInput unless d ≥ 1 and γ is in [0, 1]. γ = 1 makes sense for episodes that end.
  LinearLearner(std::size_t dimension, L loss, double gamma)
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
  }

  /// Learns from one transition. The weight ω ≥ 0 multiplies the update: the importance ratio
  /// π(a|x)/b(a|x) of the action that was taken, where a policy b acts and π is to be evaluated.
  /// Throws InvalidInput for invalid features, cost or weight, and is then unchanged.
  LearnerStatus update(std::span<const double> phi, double cost, std::span<const double> phi_next,
                       double weight = 1.0) {
    check_size(phi_next);
    return learn(phi, cost, phi_next, weight);
  }

  /// Learns from the last transition of an episode, after which the value is 0.
  LearnerStatus update_terminal(std::span<const double> phi, double cost, double weight = 1.0) {
    const LearnerStatus status = learn(phi, cost, {}, weight);
    algorithm().start_episode();
    return status;
  }

  /// V_θ at a state with features φ.
  double value(std::span<const double> phi) const {
    check_size(phi);
    return kernels_->dot(theta_.data(), phi.data(), dimension_);
  }

  std::span<const double> theta() const { return {theta_.data(), dimension_}; }
  /// The same with zeros to its padded length, for kernels.
  std::span<const double> padded_theta() const { return theta_; }
  std::size_t dimension() const { return dimension_; }
  const L& loss() const { return loss_; }
  double gamma() const { return gamma_; }
  std::uint64_t updates() const { return updates_; }  ///< transitions learned from
  LearnerStatus status() const { return status_; }
  /// ω ℓ(δ) of the last update, whose mean is 0 once θ has settled; see DriftAlarm.
  double last_loss() const { return last_loss_; }
  /// (Σω)²/Σω²: how many transitions of equal weight would say as much (Kish, 1965).
  double effective_samples() const {
    return squared_weight_ > 0.0 ? weight_ * weight_ / squared_weight_ : 0.0;
  }

 protected:
  /// A step s φ with |s| above this may exceed the range of double.
  static constexpr double largest_step = 1e150;

  /// Weights, counts and status, for checkpoints.
  template <class Archive>
  void archive_linear(Archive& state) {
    state(theta_, "theta");
    state(start_, "start");
    state(updates_);
    state(status_);
    state(weight_);
    state(squared_weight_);
    guard_.archive(state);
    state.check([this] {
      detail::check_numbers("theta", theta_, dimension_);
      detail::check_finite("start", start_, dimension_);
      detail::check_status(status_);
      detail::check_real("weight", weight_, 0.0, infinity);
      detail::check_real("squared_weight", squared_weight_, 0.0, infinity);
    });
  }

  AlignedVector theta_;  // padded
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

 private:
  Algorithm& algorithm() { return static_cast<Algorithm&>(*this); }

  void check_size(std::span<const double> phi) const {
    if (phi.size() != dimension_) [[unlikely]]
      detail::throw_size(phi.size(), dimension_);
  }

  LearnerStatus learn(std::span<const double> phi, double cost, std::span<const double> phi_next,
                      double weight) {
    check_size(phi);
    if (!(weight >= 0.0 && weight <= std::numeric_limits<double>::max())) [[unlikely]]
      detail::throw_weight(weight);
    if (status_ == LearnerStatus::diverged) [[unlikely]]
      return status_;
    const ValuePair value = values(theta_, phi, phi_next);
    if (!guard_.accepts(cost, value.now, value.next)) [[unlikely]] {
      detail::check_features(phi, phi_next);
      detail::check_cost(cost);
      // Values due to the initial θ are not a sign of divergence.
      const ValuePair before = values(start_, phi, phi_next);
      guard_.include_initial_values(before.now, before.next);
      if (!guard_.accepts(cost, value.now, value.next)) return status_ = LearnerStatus::diverged;
    }
    const LossPoint point = loss_.at(cost + gamma_ * value.next - value.now);
    status_ = algorithm().move({.phi = phi,
                                .phi_next = phi_next,
                                .change = gamma_ * value.next - value.now,
                                .loss = point,
                                .weight = weight});
    if (status_ == LearnerStatus::diverged) return status_;
    ++updates_;
    weight_ += weight;
    squared_weight_ += weight * weight;
    last_loss_ =
        detail::is_rounding(cost, gamma_ * value.next, value.now) ? 0.0 : weight * point.value;
    return status_;
  }

  ValuePair values(const AlignedVector& theta, std::span<const double> phi,
                   std::span<const double> phi_next) const {
    if (phi_next.empty()) return {kernels_->dot(theta.data(), phi.data(), dimension_), 0.0};
    return kernels_->values(theta.data(), phi.data(), phi_next.data(), dimension_);
  }

  AlignedVector start_;  // the initial θ, padded
};

}  // namespace shortfall::learn
