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

struct NewtonOptions {
  /// n₀ ≥ d samples during which θ does not change; by default the larger of 500 and 10 d.
  std::optional<std::uint64_t> warmup = {};
  /// Updates between two inversions of the sums, which remove the drift of the recursion; by
  /// default 64 d, which costs a few percent.
  std::optional<std::uint64_t> refactor_every = {};
};

/// UBSR-Newton. With X = φ(X_n), Z = γφ(X_{n+1}) - φ(X_n) and δ_n = Z_nᵀθ_{n-1} + c_n,
///
///   θ_n = (1/n) Σ_{i≤n} θ_{i-1} - H_n⁻¹ L_n,
///   H_n = (1/n) Σ_{i≤n} ℓ'(δ_i) X_i Z_iᵀ,   L_n = (1/n) Σ_{i≤n} ℓ(δ_i) X_i.
///
/// Sums are kept, not means: S = nH, and H⁻¹L = S⁻¹ Σ ℓ X =: w, so that a sample changes S by one
/// product. With M = S⁻¹, u = M X and v = MᵀZ, by Sherman and Morrison,
///
///   M ← M - ℓ' u vᵀ / (1 + ℓ' Zᵀu),    w ← w + u (ℓ - ℓ' Zᵀw) / (1 + ℓ' Zᵀu),
///
/// the second of which is also exact and takes O(d). ℓ' is the left slope. The first n₀ samples are
/// taken at the initial θ, as in the paper; for a loss that is not linear they leave an error that
/// decays like n₀/n, so n₀ should be no larger than invertibility requires. If S has no usable
/// inverse then or later, θ stays fixed, samples are still collected, and the status is `singular`
/// until S has one.
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
        information_(dimension, options) {
    this->status_ = LearnerStatus::warming_up;
  }

  const InformationMatrix& information() const { return information_; }

  void start_episode() {}  ///< does nothing: an update uses only its own transition

  template <class Archive>
  void archive(Archive& state) {
    this->archive_linear(state);
    information_.archive(state);
    state.check([this] { information_.check_state(this->updates_, this->status_); });
  }

 private:
  friend LinearLearner<Newton, L>;

  LearnerStatus move(std::span<const double> phi, std::span<const double> phi_next,
                     const LossPoint& point) {
    if (!(std::abs(point.value) <= this->largest_step && point.left_slope <= this->largest_step))
        [[unlikely]]
      return LearnerStatus::diverged;
    return information_.add({.phi = phi.data(),
                             .phi_next = phi_next.empty() ? nullptr : phi_next.data(),
                             .gamma = this->gamma_,
                             .residual = point},
                            this->theta_);
  }

  InformationMatrix information_;
};

}  // namespace shortfall::learn
