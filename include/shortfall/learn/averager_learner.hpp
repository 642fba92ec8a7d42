#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "shortfall/features/sparse_features.hpp"
#include "shortfall/learn/detail/sparse_kernels.hpp"
#include "shortfall/learn/learner.hpp"
#include "shortfall/learn/linear_state.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// A transition as an averager sees it. Cell k is the k-th active feature of φ.
struct AveragerSample {
  const SparseFeatures& phi;
  const SparseFeatures& phi_next;   ///< empty at the end of an episode
  double cost;                      ///< c
  double next;                      ///< γ φ'ᵀθ
  std::span<const LossPoint> loss;  ///< by cell, at δ_i = c + γ φ'ᵀθ - θ_i; 0 where φ_i = 0
  double largest_loss;              ///< the largest |ℓ| among them
  double weight;                    ///< ω
};

/// The common part of the averagers: learners for features with φ ≥ 0 and Σφ ≤ 1 that compare the
/// target c + γφ'ᵀθ with the weight θ_i of each active cell, not with φᵀθ. Aggregation, tiles, hats
/// and normalised radial functions are such features. The limit is the θ* with
///
///   E[φ_i(X) ℓ(c + γ φ(X')ᵀθ* - θ*_i)] = 0   for every i:
///
/// θ*_i = (Kθ*)_i is the shortfall risk of c + γφ(X')ᵀθ* under the law of the transitions, weighted
/// by φ_i(X). That risk is monotone and translation invariant, and φ'ᵀθ is an average of weights
/// and 0. So K is a contraction by γ in the sup norm, for every loss, every γ < 1 and every law of
/// the samples that visits each cell.
///
/// `Algorithm` derives from this and has
///
///   LearnerStatus move(const AveragerSample& sample)
///                          updates θ. Numbers may be large but are finite
///   void start_episode()   the next transition does not continue the last one
template <class Algorithm, Loss L>
class AveragerLearner : public LinearState<L> {
 public:
  AveragerLearner(std::size_t dimension, L loss, double gamma)
      : LinearState<L>(dimension, std::move(loss), gamma),
        now_(dimension),
        next_(dimension),
        losses_(dimension) {}

  /// Learns from one transition, in a time that depends on the active features alone. The weight
  /// ω ≥ 0 multiplies the update, as in LinearLearner. Throws InvalidInput for an invalid cost or
  /// weight, and for features that are negative, sum to more than 1 or are not as SparseFeatures
  /// says; it is then unchanged.
  LearnerStatus update(const SparseFeatures& phi, double cost, const SparseFeatures& phi_next,
                       double weight = 1.0) {
    return learn(phi, cost, phi_next, weight);
  }
  /// Learns from the last transition of an episode, after which the value is 0.
  LearnerStatus update_terminal(const SparseFeatures& phi, double cost, double weight = 1.0) {
    const LearnerStatus status = learn(phi, cost, {}, weight);
    algorithm().start_episode();
    return status;
  }

  /// The same for features of which all d are given: it finds the active ones.
  LearnerStatus update(std::span<const double> phi, double cost, std::span<const double> phi_next,
                       double weight = 1.0) {
    this->check_size(phi);
    this->check_size(phi_next);
    now_.assign(phi);
    next_.assign(phi_next);
    return learn(now_, cost, next_, weight);
  }
  LearnerStatus update_terminal(std::span<const double> phi, double cost, double weight = 1.0) {
    this->check_size(phi);
    now_.assign(phi);
    const LearnerStatus status = learn(now_, cost, {}, weight);
    algorithm().start_episode();
    return status;
  }

  using LinearState<L>::value;
  double value(const SparseFeatures& phi) const {
    features::check_sparse(phi, this->dimension_);
    this->check_has_values();
    return detail::sparse_dot(this->reported().data(), phi);
  }

 private:
  Algorithm& algorithm() { return static_cast<Algorithm&>(*this); }

  /// Not inline: within a caller's loop, its sums would be kept in memory, not in registers.
  [[gnu::noinline]] LearnerStatus learn(const SparseFeatures& phi, double cost,
                                        const SparseFeatures& phi_next, double weight) {
    const std::span<const double> last(this->theta_.data(), this->dimension_);
    const detail::CellValues value = detail::cell_values(last, phi, phi_next);
    if (!value.is_averager) [[unlikely]]
      check(phi, phi_next);
    if (!(weight >= 0.0 && weight <= std::numeric_limits<double>::max())) [[unlikely]]
      detail::throw_weight(weight);
    if (this->status_ == LearnerStatus::diverged) [[unlikely]]
      return this->status_;
    if (!this->guard_.accepts(cost, value.largest, value.next)) [[unlikely]] {
      detail::check_cost(cost);
      // Values due to the initial θ are not a sign of divergence.
      const detail::CellValues before =
          detail::cell_values(std::span(this->start_).first(this->dimension_), phi, phi_next);
      this->guard_.include_initial_values(before.largest, before.next);
      if (!this->guard_.accepts(cost, value.largest, value.next))
        return this->status_ = LearnerStatus::diverged;
    }
    const Target target{cost, this->gamma_ * value.next, weight};
    const Evaluated found = evaluate_losses(phi, target);
    this->status_ = algorithm().move({.phi = phi,
                                      .phi_next = phi_next,
                                      .cost = cost,
                                      .next = target.next,
                                      .loss = std::span(losses_).first(phi.size()),
                                      .largest_loss = found.largest,
                                      .weight = weight});
    if (this->status_ == LearnerStatus::diverged) return this->status_;
    this->count_update(weight, found.sum);
    return this->status_;
  }

  /// Throws InvalidInput that says what is wrong, unless all is well.
  void check(const SparseFeatures& phi, const SparseFeatures& phi_next) const {
    features::check_sparse(phi, this->dimension_);
    features::check_averager(phi);
    features::check_sparse(phi_next, this->dimension_, "next feature");
    features::check_averager(phi_next, "next feature");
  }

  struct Target {
    double cost;
    double next;  ///< γ φ'ᵀθ
    double weight;
  };

  struct Evaluated {
    double sum;      ///< ω Σ φ_i ℓ(δ_i) without errors that are rounding
    double largest;  ///< |ℓ(δ_i)|
  };

  /// ℓ at the error of each cell.
  Evaluated evaluate_losses(const SparseFeatures& phi, const Target& target) {
    const auto evaluate = [&](const auto& loss) { return evaluate_by(loss, phi, target); };
    if constexpr (std::is_same_v<L, AnyLoss>) {
      return std::visit(evaluate, this->loss_.variant());  // once, not for each cell
    } else {
      return evaluate(this->loss_);
    }
  }

  template <Loss Concrete>
  Evaluated evaluate_by(const Concrete& loss, const SparseFeatures& phi, const Target& target) {
    double sum = 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < phi.size(); ++k) {
      const double now = this->theta_[phi.index[k]];
      LossPoint point = loss.at(target.cost + target.next - now);
      if (phi.value[k] == 0.0) point = {0.0, 0.0};
      losses_[k] = point;
      const double share = phi.value[k] * (target.weight * point.value);
      sum += detail::is_rounding(target.cost, target.next, now) ? 0.0 : share;
      largest = std::max(largest, std::abs(point.value));
    }
    return {sum, largest};
  }

  features::ActiveFeatures now_, next_;  // of features given densely
  std::vector<LossPoint> losses_;        // by cell
};

}  // namespace shortfall::learn
