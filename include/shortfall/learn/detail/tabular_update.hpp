#pragma once

#include <utility>

#include "shortfall/learn/detail/input_checks.hpp"
#include "shortfall/learn/status.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::learn {

/// The common part of the learners with one number per state or per state and action: the update
///
///   v ← v + η ℓ(c + γ v' - v)
///
/// and the detection of divergence.
template <Loss L>
class TabularUpdate {
 public:
  /// Throws InvalidInput unless γ is in [0, 1]. γ = 1 makes sense for chains that end.
  TabularUpdate(L loss, double gamma) : loss_(std::move(loss)), gamma_(gamma), guard_(gamma) {
    detail::check_discount(gamma);
  }

  /// The new v. If it is out of range, the status becomes `diverged` and v is unchanged.
  /// Throws InvalidInput for a cost that is not finite.
  double operator()(double v, double eta, double cost, double v_next) {
    const double moved = v + eta * loss_.at(cost + gamma_ * v_next - v).value;
    if (guard_.accepts(cost, moved, v_next)) [[likely]]
      return moved;
    detail::check_cost(cost);
    status_ = LearnerStatus::diverged;
    return v;
  }

  double gamma() const { return gamma_; }
  const L& loss() const { return loss_; }
  LearnerStatus status() const { return status_; }

 private:
  L loss_;
  double gamma_;
  DivergenceGuard guard_;
  LearnerStatus status_ = LearnerStatus::ok;
};

}  // namespace shortfall::learn
