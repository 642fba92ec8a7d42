#pragma once

#include <cmath>
#include <span>
#include <utility>

#include "shortfall/learn/linear_learner.hpp"
#include "shortfall/learn/step_size.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// UBSR-TD: temporal-difference learning with the loss around its error,
///
///   θ_{n+1} = θ_n + η_n φ(X_n) ℓ(c_n + γ φ(X_{n+1})ᵀθ_n - φ(X_n)ᵀθ_n).
///
/// At ℓ(x) = x it is the classical TD(0), bit for bit. It converges to the root θ* of the mean
/// field (theory/fixed_point.hpp) under the conditions of theory/conditions.hpp and of
/// step_size.hpp; with one weight per state that is the exact value, for any γ < 1. O(d) time and
/// memory; an update allocates nothing.
///
///   Td td(10, Expectile(0.9), 0.9);
///   for (...) td.update(phi, cost, phi_next);
///   td.value(phi);
template <Loss L = AnyLoss, StepSize S = PolynomialStep>
class Td : public LinearLearner<Td<L, S>, L> {
 public:
  Td(std::size_t dimension, L loss, double gamma, S step = S())
      : LinearLearner<Td, L>(dimension, std::move(loss), gamma), step_(std::move(step)) {}

  void start_episode() {}  ///< does nothing: an update uses only its own transition

  template <class Archive>
  void archive(Archive& state) {
    this->archive_linear(state);
    state.check([this] { detail::check_status_of_td(this->status_); });
  }

 private:
  friend LinearLearner<Td, L>;

  LearnerStatus move(const LinearSample& sample) {
    const double scale = step_(this->updates_) * sample.loss.value * sample.weight;
    if (!(std::abs(scale) <= this->largest_step)) [[unlikely]]
      return LearnerStatus::diverged;
    this->kernels_->add_scaled(this->theta_.data(), scale, sample.phi.data(), this->dimension_);
    return LearnerStatus::ok;
  }

  S step_;
};

}  // namespace shortfall::learn
