#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "shortfall/learn/any_step.hpp"
#include "shortfall/learn/detail/settling.hpp"
#include "shortfall/learn/linear_learner.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// UBSR-TD: temporal-difference learning with the loss around its error,
///
///   θ_{n+1} = θ_n + η_n φ(X_n) ℓ(c_n + γ φ(X_{n+1})ᵀθ_n - φ(X_n)ᵀθ_n).
///
/// At ℓ(x) = x it is the classical TD(0), bit for bit. It converges to the root θ* of the mean
/// field (theory/fixed_point.hpp) under the conditions of theory/conditions.hpp and of
/// step_size.hpp. With one weight per state that is the exact value, for any γ < 1; it converges to
/// it if slopes are bounded, steps satisfy their assumption and each state is visited for ever.
///
/// By default steps are scaled (any_step.hpp): there is nothing to tune, the result is the mean of
/// the last half of the iterates, and the status is `not_settled` until their means hold still
/// (detail/iterate_means.hpp); `movement()` says how still. With other steps, such as the paper's
/// PolynomialStep(), the result is the last iterate, and is not judged. O(d) time and memory (50 d
/// numbers for scaled steps); an update allocates nothing.
///
///   Td td(10, Expectile(0.9), 0.9);
///   for (...) td.update(phi, cost, phi_next);
///   if (td.status() == LearnerStatus::ok) td.value(phi);
template <Loss L = AnyLoss, StepSize S = AnyStep>
class Td : public LinearLearner<Td<L, S>, L> {
 public:
  Td(std::size_t dimension, L loss, double gamma, S step = S())
      : LinearLearner<Td, L>(dimension, std::move(loss), gamma),
        settling_(dimension, IterateMeans::Sample::features, this->loss_.slope_bounds(),
                  std::move(step)) {
    settling_.begin(this->mean_, this->status_, padded(dimension));
  }

  /// How much values still move, as a share of the largest; none if that is not judged or cannot be
  /// told yet.
  std::optional<double> movement() const { return settling_.movement(); }

  void start_episode() {}  ///< does nothing: an update uses only its own transition

  template <class Archive>
  void archive(Archive& state) {
    this->archive_linear(state);
    settling_.archive(state);
    state.check([this] { detail::check_status_of_td(this->status_); });
  }

 private:
  friend LinearLearner<Td, L>;

  LearnerStatus move(const LinearSample& sample) {
    if (settling_.is_scaled()) return move_scaled(sample);
    const double scale = settling_.step(this->updates_) * sample.loss.value * sample.weight;
    if (!(std::abs(scale) <= this->largest_step)) [[unlikely]]
      return LearnerStatus::diverged;
    this->kernels_->add_scaled(this->theta_.data(), scale, sample.phi.data(), this->dimension_);
    return LearnerStatus::ok;
  }

  LearnerStatus move_scaled(const LinearSample& sample) {
    const double size = sample.weight * sample.square;
    settling_.include(size, sample.loss, sample.error);
    const double step = settling_.step(this->updates_);
    const double scale = step * sample.loss.value * sample.weight;
    if (!(std::abs(scale) <= this->largest_step)) [[unlikely]]
      return LearnerStatus::diverged;
    IterateMeans& means = *settling_.means();
    this->kernels_->add_scaled_to_both(this->theta_.data(), scale, means.row(), means.lag() * scale,
                                       sample.phi.data(), this->dimension_);
    if (means.is_sampled()) [[unlikely]]
      means.sample(sample.phi);
    means.count({.step = step, .gain = step * size * sample.loss.left_slope}, this->theta_,
                this->mean_);
    return settling_.status();
  }

  bool needs_square() const { return settling_.is_scaled(); }

  detail::Settling<S> settling_;
};

}  // namespace shortfall::learn
