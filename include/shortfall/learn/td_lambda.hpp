#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "shortfall/learn/linear_learner.hpp"
#include "shortfall/learn/step_size.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

namespace detail {
/// Throws InvalidInput unless λ is in [0, 1].
void check_lambda(double lambda);
}  // namespace detail

/// UBSR-TD(λ): the update is spread over the states visited before, by an accumulating trace,
///
///   ζ_n = γλ ζ_{n-1} + φ(X_n),   θ_{n+1} = θ_n + η_n ζ_n ℓ(c_n + γ φ(X_{n+1})ᵀθ_n - φ(X_n)ᵀθ_n).
///
/// At λ = 0 it is Td, bit for bit. For λ > 0 and d < N its limit, where it has one, is not the θ*
/// of Td unless ℓ is linear. Transitions must come in the order of a trajectory; the trace is
/// dropped at the end of an episode. O(d) time and memory; an update allocates nothing.
template <Loss L = AnyLoss, StepSize S = PolynomialStep>
class TdLambda : public LinearLearner<L> {
 public:
  TdLambda(std::size_t dimension, L loss, double gamma, double lambda, S step = S())
      : LinearLearner<L>(dimension, std::move(loss), gamma),
        lambda_(lambda),
        zeta_(padded(dimension)),
        step_(std::move(step)) {
    detail::check_lambda(lambda);
  }

  double lambda() const { return lambda_; }
  std::span<const double> trace() const { return {zeta_.data(), this->dimension_}; }

  /// Learns from one transition. Throws InvalidInput where features or cost do not fit.
  Status update(std::span<const double> phi, double cost, std::span<const double> phi_next) {
    if (phi_next.empty()) this->check_size(phi_next);
    return learn(phi, cost, phi_next);
  }

  /// From the last transition of an episode: what follows is worth 0, and the trace is dropped.
  Status update_terminal(std::span<const double> phi, double cost) {
    const Status status = learn(phi, cost, {});
    start_episode();
    return status;
  }

  /// Drops the trace: the next transition begins another trajectory.
  void start_episode() { std::fill(zeta_.begin(), zeta_.end(), 0.0); }

  template <class Archive>
  void archive(Archive& state) {
    this->archive_linear(state);
    state(zeta_);
  }

 private:
  Status learn(std::span<const double> phi, double cost, std::span<const double> phi_next) {
    if (this->status_ == Status::diverged) [[unlikely]]
      return this->status_;
    const double eta = step_(this->updates_);
    const LossPoint residual = this->residual(phi, cost, phi_next);
    if (this->status_ == Status::diverged) [[unlikely]]
      return this->status_;
    this->kernels_->trace_step(zeta_.data(), this->gamma_ * lambda_, phi.data(),
                               this->theta_.data(), eta * residual.value, this->dimension_);
    ++this->updates_;
    return Status::ok;
  }

  double lambda_;
  AlignedVector zeta_;  // padded
  S step_;
};

}  // namespace shortfall::learn
