#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "shortfall/learn/averager_learner.hpp"
#include "shortfall/learn/detail/information_matrix.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// UBSR-Newton for the equations of averagers (averager_learner.hpp),
///
///   h_i(θ) = E[φ_i(X) ℓ(c + γ φ(X')ᵀθ - θ_i)] = 0   for every i.
///
/// These are the equations of UBSR-Newton for samples with one feature e_i: a transition is taken
/// as one sample for each active i, in which X = e_i, Z = γφ' - e_i and the weight is ω φ_i, with
/// all errors δ_i = c + γφ'ᵀθ - θ_i at the same θ. So newton.hpp has the rest: the recursion, which
/// samples count, and half-lives. Everything is counted in transitions.
///
/// Row i of -S is Σ ω ℓ'(δ_i) φ_i (e_i - γφ')ᵀ. Its diagonal is Σ ω ℓ' φ_i (1 - γφ'_i) ≥ 0, the
/// rest is ≤ 0, and where Σφ' ≤ 1 its sum is at least (1-γ) Σ ω ℓ' φ_i. So with γ < 1 the matrix -S
/// is a row-dominant M-matrix. It has a nonnegative inverse as soon as each cell has occurred, and
/// the largest change of a weight by a step is at most 1/(1-γ) of the largest weighted mean error
/// of a cell, Σ ω φ_i ℓ / Σ ω φ_i ℓ'. UBSR-Newton's own matrix may be singular at any time.
///
/// A cell that has not occurred keeps its initial weight, and does not hold up the others, as in
/// averager TD. Until the first inversion after it occurs (at most 64 d transitions), that weight
/// counts like one more sample of the cell. With γ = 1, S has no inverse while some cell has only
/// led to itself.
///
/// O(a d²) time for a active features, and O(d²) memory; an update allocates nothing. If it
/// converges, the limit is that of averager TD. That it does is not proved; averager TD is the one
/// with the proof.
template <Loss L = AnyLoss>
class AveragerNewton : public AveragerLearner<AveragerNewton<L>, L> {
 public:
  /// The warm-up n₀ is at least 1 transition, by default the larger of 500 and 10 d. Throws
  /// InvalidInput for invalid options, and for a d whose matrices do not fit in memory.
  AveragerNewton(std::size_t dimension, L loss, double gamma, const NewtonOptions& options = {})
      : AveragerLearner<AveragerNewton, L>(dimension, std::move(loss), gamma),
        information_(dimension, options, InformationMatrix::shape_of(this->loss_.slope_bounds()),
                     InformationMatrix::Unseen::keeps_weight),
        unit_(padded(dimension)),
        next_(unit_),
        moved_(unit_),
        parts_(dimension) {
    this->status_ = LearnerStatus::warming_up;
  }

  const InformationMatrix& information() const { return information_; }

  /// An interval for V(φ) = φᵀθ*, as Newton::interval. The scores of a transition are summed over
  /// its cells, so the batches are of whole transitions. Also says `not_yet` if a cell of φ has not
  /// occurred lately.
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
  friend AveragerLearner<AveragerNewton, L>;
  /// ω φ_i ℓ, ω φ_i ℓ' and r of one cell.
  struct Part {
    double weight;
    LossPoint residual;
    double target;
  };

  LearnerStatus move(const AveragerSample& sample) {
    if (!set_parts(sample)) return LearnerStatus::diverged;
    if (information_.is_doubt_due()) [[unlikely]]
      information_.update_doubt([this](double x) { return this->loss_.at(x).left_slope; },
                                this->theta_);
    features::write_dense(sample.phi_next, std::span(next_).first(this->dimension_));
    double weight = 0.0;
    moved_ = this->theta_;
    for (std::size_t k = 0; k < sample.phi.size(); ++k) {
      const Part& part = parts_[k];
      if (part.weight == 0.0) continue;
      double& one = unit_[sample.phi.index[k]];
      one = 1.0;
      moved_ = this->theta_;  // at which δ was taken
      information_.add_part({.phi = unit_.data(),
                             .phi_next = next_.data(),
                             .gamma = this->gamma_,
                             .weight = part.weight,
                             .residual = part.residual,
                             .target = part.target,
                             .cost = sample.cost},
                            moved_);
      one = 0.0;
      weight += part.weight;
    }
    const LearnerStatus status = information_.complete(weight, moved_);
    std::swap(this->theta_, moved_);
    return status;
  }

  /// False if a number is out of range.
  bool set_parts(const AveragerSample& sample) {
    const auto is_small = [](double x) { return std::abs(x) <= AveragerNewton::largest_step; };
    for (std::size_t k = 0; k < sample.phi.size(); ++k) {
      const double weight = sample.weight * sample.phi.value[k];
      const LossPoint loss{weight * sample.loss[k].value, weight * sample.loss[k].left_slope};
      const double change = sample.next - this->theta_[sample.phi.index[k]];  // Zᵀθ
      const double target =
          information_.is_as_published() ? loss.value : loss.value - loss.left_slope * change;
      if (!(is_small(loss.value) && is_small(loss.left_slope) && is_small(target))) return false;
      parts_[k] = {weight, loss, target};
    }
    return true;
  }

  InformationMatrix information_;
  AlignedVector unit_;   // zeros, or e_i
  AlignedVector next_;   // φ'
  AlignedVector moved_;  // θ after the update
  std::vector<Part> parts_;
};

}  // namespace shortfall::learn
