#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "shortfall/learn/any_step.hpp"
#include "shortfall/learn/detail/settling.hpp"
#include "shortfall/learn/linear_learner.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// UBSR-TD(λ): the update is spread over previously visited states by an accumulating trace,
///
///   ζ_n = γλ ζ_{n-1} + φ(X_n),   θ_{n+1} = θ_n + η_n ζ_n ℓ(c_n + γ φ(X_{n+1})ᵀθ_n - φ(X_n)ᵀθ_n).
///
/// With a weight ω, ζ_n = ω (γλ ζ_{n-1} + φ(X_n)). At λ = 0 it is Td, bit for bit. For λ > 0 its
/// limit, if it has one, is the θ* of Td only where the features can represent the value exactly,
/// as with one weight per state: both are then that value. Otherwise it is another approximation of
/// the value, for a linear ℓ, too, for which it is known to exist (Tsitsiklis and Van Roy, IEEE
/// Transactions on Automatic Control 42, 1997). Transitions must come in the order of a trajectory;
/// the trace is reset at the end of an episode. O(d) time and memory; an update allocates nothing.
///
/// Steps, result and status are those of Td; scaled ones are 1/(L R) (1 + n/1000)^-0.51 with the
/// largest |ζ| |φ| so far as R.
template <Loss L = AnyLoss, StepSize S = AnyStep>
class TdLambda : public LinearLearner<TdLambda<L, S>, L> {
 public:
  TdLambda(std::size_t dimension, L loss, double gamma, double lambda, S step = S())
      : LinearLearner<TdLambda, L>(dimension, std::move(loss), gamma),
        lambda_(lambda),
        zeta_(padded(dimension)),
        settling_(dimension, IterateMeans::Sample::features, this->loss_.slope_bounds(),
                  std::move(step)) {
    detail::check_lambda(lambda);
    settling_.begin(this->mean_, this->status_, padded(dimension));
  }

  double lambda() const { return lambda_; }
  std::optional<double> movement() const { return settling_.movement(); }  ///< as in Td
  std::span<const double> trace() const { return {zeta_.data(), this->dimension_}; }

  /// Resets the trace: the next transition begins another trajectory.
  void start_episode() { std::fill(zeta_.begin(), zeta_.end(), 0.0); }

  template <class Archive>
  void archive(Archive& state) {
    this->archive_linear(state);
    state(zeta_, "trace");
    settling_.archive(state);
    state.check([this] {
      detail::check_status_of_td(this->status_);
      detail::check_numbers("trace", zeta_, this->dimension_);
    });
  }

 private:
  friend LinearLearner<TdLambda, L>;

  LearnerStatus move(const LinearSample& sample) {
    if (settling_.is_scaled()) return move_scaled(sample);
    const double scale = settling_.step(this->updates_) * sample.loss.value;
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

  /// The step depends on the trace with φ in it.
  LearnerStatus move_scaled(const LinearSample& sample) {
    const std::size_t d = this->dimension_;
    double square =
        this->kernels_->trace(zeta_.data(), this->gamma_ * lambda_, sample.phi.data(), d);
    if (sample.weight != 1.0) [[unlikely]] {
      for (double& z : zeta_) z *= sample.weight;
      square *= sample.weight * sample.weight;
    }
    const double size =
        lambda_ > 0.0 ? std::sqrt(sample.square * square) : sample.weight * sample.square;
    settling_.include(size, sample.loss, sample.error);
    const double step = settling_.step(this->updates_);
    const double scale = step * sample.loss.value;
    if (!(std::abs(scale) <= this->largest_step)) [[unlikely]]
      return LearnerStatus::diverged;
    IterateMeans& means = *settling_.means();
    this->kernels_->add_scaled_to_both(this->theta_.data(), scale, means.row(), means.lag() * scale,
                                       zeta_.data(), d);
    if (means.is_sampled()) [[unlikely]]
      means.sample(sample.phi);
    means.count({.step = step, .gain = step * size * sample.loss.left_slope}, this->theta_,
                this->mean_);
    return settling_.status();
  }

  bool needs_square() const { return settling_.is_scaled(); }

  double lambda_;
  AlignedVector zeta_;  // padded
  detail::Settling<S> settling_;
};

}  // namespace shortfall::learn
