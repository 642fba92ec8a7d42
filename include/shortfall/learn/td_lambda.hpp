#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "shortfall/learn/linear_learner.hpp"
#include "shortfall/learn/step_size.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// UBSR-TD(λ): the update is spread over previously visited states by an accumulating trace,
///
///   ζ_n = γλ ζ_{n-1} + φ(X_n),   θ_{n+1} = θ_n + η_n ζ_n ℓ(c_n + γ φ(X_{n+1})ᵀθ_n - φ(X_n)ᵀθ_n).
///
/// With a weight ω, ζ_n = ω (γλ ζ_{n-1} + φ(X_n)). At λ = 0 it is Td, bit for bit. For λ > 0 and d
/// < N its limit, if it has one, is not the θ* of Td unless ℓ is linear. Transitions must come in
/// the order of a trajectory; the trace is reset at the end of an episode. O(d) time and memory; an
/// update allocates nothing.
template <Loss L = AnyLoss, StepSize S = PolynomialStep>
class TdLambda : public LinearLearner<TdLambda<L, S>, L> {
 public:
  TdLambda(std::size_t dimension, L loss, double gamma, double lambda, S step = S())
      : LinearLearner<TdLambda, L>(dimension, std::move(loss), gamma),
        lambda_(lambda),
        zeta_(padded(dimension)),
        step_(std::move(step)) {
    detail::check_lambda(lambda);
  }

  double lambda() const { return lambda_; }
  std::span<const double> trace() const { return {zeta_.data(), this->dimension_}; }

  /// Resets the trace: the next transition begins another trajectory.
  void start_episode() { std::fill(zeta_.begin(), zeta_.end(), 0.0); }

  template <class Archive>
  void archive(Archive& state) {
    this->archive_linear(state);
    state(zeta_, "trace");
    state.check([this] {
      detail::check_status_of_td(this->status_);
      detail::check_numbers("trace", zeta_, this->dimension_);
    });
  }

 private:
  friend LinearLearner<TdLambda, L>;

  LearnerStatus move(const LinearSample& sample) {
    const double scale = step_(this->updates_) * sample.loss.value;
    if (!(std::abs(scale) <= this->largest_step)) [[unlikely]]
      return LearnerStatus::diverged;
    if (sample.weight == 1.0) [[likely]] {
      this->kernels_->trace_step(zeta_.data(), this->gamma_ * lambda_, sample.phi.data(),
                                 this->theta_.data(), scale, this->dimension_);
    } else {
      this->kernels_->trace_step(zeta_.data(), this->gamma_ * lambda_, sample.phi.data(),
                                 this->theta_.data(), 0.0, this->dimension_);
      for (double& z : zeta_) z *= sample.weight;
      this->kernels_->add_scaled(this->theta_.data(), scale, zeta_.data(), this->dimension_);
    }
    return LearnerStatus::ok;
  }

  double lambda_;
  AlignedVector zeta_;  // padded
  S step_;
};

}  // namespace shortfall::learn
