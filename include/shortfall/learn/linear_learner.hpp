#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "shortfall/learn/linear_state.hpp"

namespace shortfall::learn {

/// A transition as a linear learner sees it.
struct LinearSample {
  std::span<const double> phi;
  std::span<const double> phi_next;  ///< empty at the end of an episode
  double change;                     ///< γ φ'ᵀθ - φᵀθ
  double error;                      ///< δ = c + change
  LossPoint loss;                    ///< at δ
  double weight;                     ///< ω
  double square;                     ///< φᵀφ, where the algorithm needs it
};

/// The common part of the learners that follow the loss around the temporal-difference error of
/// φᵀθ. `Algorithm` derives from this and has
///
///   LearnerStatus move(const LinearSample& sample)
///                          updates θ. Numbers may be large but are finite
///   void start_episode()   the next transition does not continue the last one
///   bool needs_square() const
///                          whether a sample has φᵀφ; none has without this function
///
/// Features are finite, and of a magnitude up to 1e150.
template <class Algorithm, Loss L>
class LinearLearner : public LinearState<L> {
 public:
  using LinearState<L>::LinearState;

  /// Learns from one transition. The weight ω ≥ 0 multiplies the update: the importance ratio
  /// π(a|x)/b(a|x) of the action that was taken, where a policy b acts and π is to be evaluated.
  /// Throws InvalidInput for invalid features, cost or weight, and is then unchanged.
  LearnerStatus update(std::span<const double> phi, double cost, std::span<const double> phi_next,
                       double weight = 1.0) {
    this->check_size(phi_next);
    return learn(phi, cost, phi_next, weight);
  }

  /// Learns from the last transition of an episode, after which the value is 0.
  LearnerStatus update_terminal(std::span<const double> phi, double cost, double weight = 1.0) {
    const LearnerStatus status = learn(phi, cost, {}, weight);
    algorithm().start_episode();
    return status;
  }

 private:
  Algorithm& algorithm() { return static_cast<Algorithm&>(*this); }

  LearnerStatus learn(std::span<const double> phi, double cost, std::span<const double> phi_next,
                      double weight) {
    this->check_size(phi);
    if (!(weight >= 0.0 && weight <= std::numeric_limits<double>::max())) [[unlikely]]
      detail::throw_weight(weight);
    if (this->status_ == LearnerStatus::diverged) [[unlikely]]
      return this->status_;
    const ValuesAndSquare value = values_now(phi, phi_next);
    if (!this->guard_.accepts(cost, value.now, value.next)) [[unlikely]] {
      detail::check_features(phi, phi_next);
      detail::check_cost(cost);
      // Values due to the initial θ are not a sign of divergence.
      const ValuePair before = values(this->start_, phi, phi_next);
      this->guard_.include_initial_values(before.now, before.next);
      if (!this->guard_.accepts(cost, value.now, value.next))
        return this->status_ = LearnerStatus::diverged;
    }
    const double next = this->gamma_ * value.next;
    const double error = cost + next - value.now;
    const LossPoint point = this->loss_.at(error);
    this->status_ = algorithm().move({.phi = phi,
                                      .phi_next = phi_next,
                                      .change = next - value.now,
                                      .error = error,
                                      .loss = point,
                                      .weight = weight,
                                      .square = value.square});
    if (this->status_ == LearnerStatus::diverged) return this->status_;
    this->count_update(weight,
                       detail::is_rounding(cost, next, value.now) ? 0.0 : weight * point.value);
    return this->status_;
  }

  ValuesAndSquare values_now(std::span<const double> phi, std::span<const double> phi_next) {
    if constexpr (requires { algorithm().needs_square(); }) {
      if (algorithm().needs_square()) {
        return this->kernels_->values_and_square(this->theta_.data(), phi.data(),
                                                 phi_next.empty() ? nullptr : phi_next.data(),
                                                 this->dimension_);
      }
    }
    const ValuePair value = values(this->theta_, phi, phi_next);
    return {value.now, value.next, 0.0};
  }

  ValuePair values(const AlignedVector& theta, std::span<const double> phi,
                   std::span<const double> phi_next) const {
    if (phi_next.empty())
      return {this->kernels_->dot(theta.data(), phi.data(), this->dimension_), 0.0};
    return this->kernels_->values(theta.data(), phi.data(), phi_next.data(), this->dimension_);
  }
};

}  // namespace shortfall::learn
