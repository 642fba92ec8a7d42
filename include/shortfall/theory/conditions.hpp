#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/any_loss.hpp"

/// Conditions under which online policy evaluation is known to converge.
namespace shortfall::theory {

/// The right-hand side of the discount condition γ < ε₁/L₁, under which H is a contraction in the
/// q-norm; 0 if the slopes are not bounded. In closed form:
///
///   mean                        1
///   expectile τ                 min(τ/(1-τ), (1-τ)/τ)
///   soft quantile μ, κ          min(μ/(1-μ), (1-μ)/μ) · min(κ², 1/κ²)
///   truncated entropic β, b     e^{-2βb}
///   entropic                    0
///   piecewise                   smallest slope / largest slope
double gamma_limit(SlopeBounds slopes);

/// The weaker discount condition that `check_conditions` asks for, with the same consequences, γ <
/// 2√(ε₁L₁) / (ε₁ + L₁): the ratio of the slopes' geometric to their arithmetic mean; 2√(τ(1-τ))
/// for the expectile. Derived at `monotonicity` in contraction.hpp. No condition in ε₁ and L₁ alone
/// can be weaker: on the chain that alternates between two states, without costs and with the one
/// feature (1, √(L₁/ε₁)), the drift of the expectile vanishes for all θ ≥ 0 at this γ, and points
/// away from 0 above it.
double sharp_gamma_limit(SlopeBounds slopes);

/// One hypothesis of the convergence theorem, and the reason why it holds or fails.
struct Assumption {
  std::string_view name;
  bool holds;
  std::string reason;
};

bool all_hold(std::span<const Assumption> assumptions);

/// The hypotheses on the loss and the discount. Those on the chain and the features are
/// `ergodicity_assumption` and `features_assumption` (projection.hpp); those on step sizes belong
/// to the learner.
struct Conditions {
  SlopeBounds slopes;
  double gamma;
  double gamma_limit;
  double sharp_gamma_limit;
  std::vector<Assumption> assumptions;  ///< bounded slopes, curvature, discount

  bool guaranteed() const { return all_hold(assumptions); }
};

/// Throws InvalidInput for γ outside [0, 1].
Conditions check_conditions(const AnyLoss& loss, double gamma);

/// The assumption of an irreducible, aperiodic chain; `state_base` is added to the states
/// in the reason.
Assumption ergodicity_assumption(const Chain& chain, StateIndex state_base = 0);

}  // namespace shortfall::theory
