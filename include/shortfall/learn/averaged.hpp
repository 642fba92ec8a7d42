#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "shortfall/learn/detail/input_checks.hpp"
#include "shortfall/learn/detail/state_checks.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/learn/learner.hpp"

namespace shortfall::learn {

/// Averaged iterates (Polyak and Juditsky, SIAM J. Control Optim. 30, 1992): runs a learner
/// unchanged, and reports the mean of its θ_n for n > `from` instead of the last one. With steps
/// that decrease more slowly than 1/n the mean has the smallest possible asymptotic variance,
/// whatever the constants. For n ≤ `from` it reports the last iterate.
template <Learner A>
class Averaged {
 public:
  /// Averages from the learner's current update on.
  explicit Averaged(const A& learner) : Averaged(learner, learner.updates()) {}
  /// Throws InvalidInput if the learner is already past `from`.
  Averaged(A learner, std::uint64_t from)
      : learner_(std::move(learner)), from_(from), mean_(padded(learner_.dimension())) {
    detail::check_average_from(from, learner_.updates());
    restart_mean();
  }

  LearnerStatus update(std::span<const double> phi, double cost, std::span<const double> phi_next) {
    return average(learner_.update(phi, cost, phi_next));
  }
  LearnerStatus update_terminal(std::span<const double> phi, double cost) {
    return average(learner_.update_terminal(phi, cost));
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
  std::span<const double> theta() const { return {mean_.data(), learner_.dimension()}; }
  std::size_t dimension() const { return learner_.dimension(); }
  std::uint64_t updates() const { return learner_.updates(); }
  LearnerStatus status() const { return learner_.status(); }
  const A& last() const { return learner_; }  ///< the learner whose iterates are averaged

  template <class Archive>
  void archive(Archive& state) {
    learner_.archive(state);
    state(mean_, "mean");
    state.check([this] { detail::check_numbers("mean", mean_, learner_.dimension()); });
  }

 private:
  LearnerStatus average(LearnerStatus status) {
    if (status == LearnerStatus::diverged) return status;
    if (learner_.updates() <= from_ || learner_.updates() - from_ == 1) {
      restart_mean();
    } else {
      const double weight = 1.0 / static_cast<double>(learner_.updates() - from_);
      kernels_->average_step(mean_.data(), learner_.padded_theta().data(), weight,
                             learner_.dimension());
    }
    return status;
  }

  void restart_mean() {
    const std::span<const double> theta = learner_.padded_theta();
    std::copy(theta.begin(), theta.end(), mean_.begin());
  }

  A learner_;
  std::uint64_t from_;
  AlignedVector mean_;  // padded
  const VectorKernels* kernels_ = &vector_kernels();
};

}  // namespace shortfall::learn
