#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "shortfall/learn/detail/information_matrix.hpp"
#include "shortfall/learn/linear_learner.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

enum class NewtonVariant {
  renewed,      ///< samples count as linearised at their own θ, and early ones fade
  as_published  ///< the paper's recursion: samples count for ever, around the mean of all θ
};

struct NewtonOptions {
  /// n₀ ≥ d samples during which θ does not change; by default the larger of 500 and 10 d.
  std::optional<std::uint64_t> warmup = {};
  /// Updates between two inversions of the sums, which remove the drift of the recursion; by
  /// default 64 d, which costs a few percent.
  std::optional<std::uint64_t> refactor_every = {};
  NewtonVariant variant = NewtonVariant::renewed;
  /// For a world that changes: a sample's share halves after this many later samples.
  std::optional<double> half_life = {};
};

/// UBSR-Newton. With X = φ(X_n), Z = γφ(X_{n+1}) - φ(X_n) and δ_n = Z_nᵀθ_{n-1} + c_n,
///
///   as published:  θ_n = (1/n) Σ_{i≤n} θ_{i-1} - S_n⁻¹ Σ_{i≤n} ℓ(δ_i) X_i,
///   renewed:       θ_n = -S_n⁻¹ Σ_{i≤n} (ℓ(δ_i) - ℓ'(δ_i) Z_iᵀθ_{i-1}) X_i,
///   S_n = Σ_{i≤n} ℓ'(δ_i) X_i Z_iᵀ.
///
/// Both have the same limit law. The first linearises all samples with the mean slope, around the
/// mean of all θ; the second each with its own slope around its own θ, so that θ_n - θ_{n-1} =
/// -S_n⁻¹ X_n ℓ(δ_n), an early θ that was far off leaves nothing but slopes, and for a linear ℓ it
/// is the exact root of Σ ℓ X. Write w = S⁻¹ Σ r X, with r = ℓ or r = ℓ - ℓ'Zᵀθ. With M = S⁻¹, u =
/// M X and v = MᵀZ, by Sherman and Morrison,
///
///   M ← M - ℓ' u vᵀ / (1 + ℓ' Zᵀu),    w ← w + u (r - ℓ' Zᵀw) / (1 + ℓ' Zᵀu),
///
/// the second of which is also exact and takes O(d). ℓ' is the left slope. A weight ω multiplies ℓ
/// and ℓ' of its sample, and θ in the mean of the first. The first n₀ samples are
/// taken at the initial θ. If S has no usable inverse then or later, θ stays fixed, samples are
/// still collected, and the status is `singular` until S has one.
///
/// For a linear loss all samples count for ever: θ_n is their exact solution. For others those of
/// the warm-up would leave an error that decays only like n₀/n, as in the paper. Renewed, they
/// fade: when sums begin at n = t, all samples before have the share κ(n) = (r t - n)/((r - 1) t)
/// in them, which falls from 1 at n = t to 0 at n = r t; then the same happens to the samples from
/// t to r t, and so on. As those before t/r have no share by then, at most
///
///   t - κ (t - t/r) = n/r
///
/// of the n samples are missing at any time. At first r = 2: like the steps of Newton's method,
/// each renewal takes samples at a better θ. From t = 8 n₀ on r = 10: nine tenths of the samples
/// are kept (more than four fifths from n = 25 n₀ on), and the variance of θ_n is at most 10/9 of
/// the least. κ changes whenever S is inverted from scratch, in steps that move θ by a few percent
/// of its standard error; restarting the sums does not change θ at all. With a half-life h, the
/// shares are 2^(-k/h) instead, k the number of later samples, constant over batches of at most
/// h/4.
///
/// O(d²) time and memory; an update allocates nothing. If it converges, the limit is the θ* of Td;
/// convergence is not proved.
template <Loss L = AnyLoss>
class Newton : public LinearLearner<Newton<L>, L> {
 public:
  /// Throws InvalidInput for n₀ < d, for a d whose matrices do not fit in memory, and in the cases
  /// where LinearLearner does.
  Newton(std::size_t dimension, L loss, double gamma, const NewtonOptions& options = {})
      : LinearLearner<Newton, L>(dimension, std::move(loss), gamma),
        information_(dimension, options, InformationMatrix::shape_of(this->loss_.slope_bounds())) {
    this->status_ = LearnerStatus::warming_up;
  }

  const InformationMatrix& information() const { return information_; }

  /// An interval for V(φ) = φᵀθ*. With scores s_i = X_i ℓ(δ_i), to first order,
  ///
  ///   θ_n - θ* = -Σ g_i ω_i (H⁻¹ s_i - θ_{i-1} + θ*) / Σ g_i ω_i,
  ///
  /// g the shares above: a mean over the chain of y_i = φᵀ(H⁻¹ s_i - θ_{i-1} + θ_n), whose long-run
  /// variance is that of φᵀH⁻¹s at θ*. It is estimated from the sums of s and θ over batches. Says
  /// `not_yet` before n = 8 n₀ (with forgetting, n₀ + 8 h), with fewer than 32 batches, and while
  /// H is in doubt: where ℓ' at the errors δ of 32 past samples changes by as
  /// much as it is within five standard errors of δ. So it is where much of the law of δ lies close
  /// to a kink.
  /// O(d² + 128 d) time.
  /// Throws InvalidInput for a level outside (0, 1), and for Newton as published, whose error is
  /// not of this kind.
  Interval interval(std::span<const double> phi, const IntervalOptions& options = {}) const {
    (void)this->value(phi);  // for its check
    return information_.interval(phi, this->theta(), options);
  }

  void start_episode() {}  ///< does nothing: an update uses only its own transition

  template <class Archive>
  void archive(Archive& state) {
    this->archive_linear(state);
    information_.archive(state);
    state.check([this] { information_.check_state(this->updates_, this->status_); });
  }

 private:
  friend LinearLearner<Newton, L>;

  LearnerStatus move(const LinearSample& sample) {
    const LossPoint loss{sample.weight * sample.loss.value, sample.weight * sample.loss.left_slope};
    const double target =
        information_.is_as_published() ? loss.value : loss.value - loss.left_slope * sample.change;
    if (!(std::abs(loss.value) <= this->largest_step && loss.left_slope <= this->largest_step &&
          std::abs(target) <= this->largest_step)) [[unlikely]]
      return LearnerStatus::diverged;
    if (information_.is_doubt_due()) [[unlikely]]
      information_.update_doubt([this](double x) { return this->loss_.at(x).left_slope; },
                                this->theta_);
    return information_.add({.phi = sample.phi.data(),
                             .phi_next = sample.phi_next.empty() ? nullptr : sample.phi_next.data(),
                             .gamma = this->gamma_,
                             .weight = sample.weight,
                             .residual = loss,
                             .target = target,
                             .cost = sample.error - sample.change},
                            this->theta_);
  }

  InformationMatrix information_;
};

}  // namespace shortfall::learn
