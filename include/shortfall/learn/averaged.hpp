#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "shortfall/learn/detail/batch_sums.hpp"
#include "shortfall/learn/detail/input_checks.hpp"
#include "shortfall/learn/detail/sparse_kernels.hpp"
#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/learn/interval.hpp"
#include "shortfall/learn/learner.hpp"

namespace shortfall::learn {

/// Averaged iterates (Polyak and Juditsky, SIAM J. Control Optim. 30, 1992): runs a learner
/// unchanged, and reports the mean of its θ_n for n > `from` instead of the last one. With steps
/// that decrease more slowly than 1/n the mean has the smallest possible asymptotic variance,
/// whatever the constants. For n ≤ `from` it reports the last iterate.
///
/// With a half-life h, the iterate k updates ago has the share 2^(-k/h).
template <Learner A>
class Averaged {
 public:
  /// Averages from the learner's current update on.
  explicit Averaged(const A& learner) : Averaged(learner, learner.updates()) {}
  /// Throws InvalidInput if the learner is already past `from`, and for an invalid half-life.
  Averaged(A learner, std::uint64_t from, std::optional<double> half_life = {})
      : learner_(std::move(learner)),
        from_(from),
        least_weight_(half_life ? detail::forgotten_share(*half_life) : 0.0),
        mean_(padded(learner_.dimension())),
        batches_(learner_.dimension(), 1) {
    detail::check_average_from(from, learner_.updates());
    restart_mean();
  }

  LearnerStatus update(std::span<const double> phi, double cost, std::span<const double> phi_next,
                       double weight = 1.0) {
    return average(learner_.update(phi, cost, phi_next, weight));
  }
  LearnerStatus update_terminal(std::span<const double> phi, double cost, double weight = 1.0) {
    return average(learner_.update_terminal(phi, cost, weight));
  }
  /// Sparse features, for averagers. Averaging still takes O(d) per update.
  LearnerStatus update(const SparseFeatures& phi, double cost, const SparseFeatures& phi_next,
                       double weight = 1.0) requires SparseLearner<A> {
    return average(learner_.update(phi, cost, phi_next, weight));
  }
  LearnerStatus update_terminal(const SparseFeatures& phi, double cost,
                                double weight = 1.0) requires SparseLearner<A> {
    return average(learner_.update_terminal(phi, cost, weight));
  }

  void start_from(std::span<const double> theta) {
    learner_.start_from(theta);
    restart_mean();
  }
  void start_episode() { learner_.start_episode(); }

  double value(std::span<const double> phi) const {
    (void)learner_.value(phi);  // for its check
    return kernels_->dot(mean_.data(), phi.data(), phi.size());
  }
  double value(const SparseFeatures& phi) const requires SparseLearner<A> {
    (void)learner_.value(phi);  // for its check
    return detail::sparse_dot(mean_.data(), phi);
  }
  std::span<const double> theta() const { return {mean_.data(), learner_.dimension()}; }
  std::size_t dimension() const { return learner_.dimension(); }
  std::uint64_t updates() const { return learner_.updates(); }
  LearnerStatus status() const { return learner_.status(); }
  double effective_samples() const { return learner_.effective_samples(); }
  double last_loss() const { return learner_.last_loss(); }
  std::optional<double> movement() const requires requires(const A& a) { a.movement(); }
  { return learner_.movement(); }
  const A& last() const { return learner_; }  ///< the learner whose iterates are averaged

  /// An interval for V(φ), by random scaling: with steps that decrease like n^-δ, 1/2 < δ < 1, the
  /// partial sums of the iterates have the limit that it needs (Lee, Liao, Seo and Shin, AAAI
  /// 2022). A constant step leaves a bias, which no interval shows. Says `not_yet` with fewer than
  /// 32 batches of iterates, and while successive batches have a correlation above 0.5: the
  /// iterates then still travel, or remember for too long. Throws InvalidInput for a level outside
  /// (0, 1), for batch means, which iterates of TD are too correlated for, and with a half-life.
  Interval interval(std::span<const double> phi, const IntervalOptions& options = {}) const {
    return detail::interval_of_average(value(phi), phi, batches_, options, least_weight_ > 0.0);
  }

  template <class Archive>
  void archive(Archive& state) {
    learner_.archive(state);
    state(mean_, "mean");
    batches_.archive(state);
    state.check([this] { detail::check_numbers("mean", mean_, learner_.dimension()); });
  }

 private:
  LearnerStatus average(LearnerStatus status) {
    if (status == LearnerStatus::diverged) return status;
    if (learner_.updates() <= from_ || learner_.updates() - from_ == 1) {
      restart_mean();
    } else {
      const double weight = 1.0 / static_cast<double>(learner_.updates() - from_);
      kernels_->average_step(mean_.data(), learner_.padded_theta().data(),
                             std::max(weight, least_weight_), learner_.dimension());
    }
    if (learner_.updates() > from_) {
      kernels_->add_scaled(batches_.row(), 1.0, learner_.padded_theta().data(),
                           learner_.dimension());
      if (batches_.count_sample(1.0)) batches_.next();
    }
    return status;
  }

  void restart_mean() {
    const std::span<const double> theta = learner_.padded_theta();
    std::copy(theta.begin(), theta.end(), mean_.begin());
  }

  A learner_;
  std::uint64_t from_;
  double least_weight_;  // of a new iterate in the mean
  AlignedVector mean_;   // padded
  BatchSums batches_;    // of the iterates
  const VectorKernels* kernels_ = &vector_kernels();
};

}  // namespace shortfall::learn
