#pragma once

#include <Eigen/Core>
#include <span>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::theory {

/// The mean behaviour of temporal-difference learning, with states drawn from a law q:
///
///   h(θ) = Σ_x q(x) φ(x) E ℓ((γ φ(X') - φ(x))ᵀθ + c)
///
/// is the mean of its update divided by the step size, the right-hand side of its mean-field ODE
/// (here with α = 1; the paper multiplies by a constant α > 0, which moves no root). Its roots are
/// the solutions of the projected equation Φθ = ΠHΦθ for any α.
///
/// q is the stationary law of an ergodic chain. A chain that ends has none; then q is the long-run
/// law of the states in which updates are made, for instance of the chain that restarts after its
/// end. A terminal state has value 0: its row of Φ is taken as zeros, whatever it contains. Holds a
/// reference to the chain, which must outlive it.
class MeanField {
 public:
  /// Throws InvalidInput for γ outside [0, 1], a Φ or q that does not match the chain, or features
  /// that are dependent (in the q-norm, without the terminal rows).
  MeanField(const Chain& chain, AnyLoss loss, double gamma, Eigen::MatrixXd phi,
            std::span<const double> q);

  const Chain& chain() const { return *chain_; }
  const AnyLoss& loss() const { return loss_; }
  double gamma() const { return gamma_; }
  const Projection& projection() const { return projection_; }

  Eigen::VectorXd drift(const Eigen::Ref<const Eigen::VectorXd>& theta) const;

  /// h'(θ) = Σ_x q(x) φ(x) E ℓ'(..) (γ φ(X') - φ(x))ᵀ with left slopes of ℓ. Away from kinks it is
  /// the derivative; at a kink an element of the generalised derivative.
  Eigen::MatrixXd jacobian(const Eigen::Ref<const Eigen::VectorXd>& theta) const;

  double effective_gamma() const { return effective_gamma_; }  ///< of this chain, γ and q

  /// The s of contraction.hpp at the effective discount factor. If it is positive, h has exactly
  /// one root, which is stable for the ODE, and for every θ
  ///
  ///   ‖Φθ - Φθ*‖_q ≤ ‖Π r(Φθ)‖_q / s.
  ///
  /// Proof: s ‖Δ‖² ≤ -⟨Δ, Π r(Φθ) - Π r(Φθ*)⟩ ≤ ‖Δ‖ ‖Π r(Φθ)‖ with Δ = Φθ - Φθ*. It is the limit
  /// for α → 0 of the bound ‖Φθ - ΠHΦθ‖_q / (1 - ᾱ) that a contraction of modulus ᾱ gives, and
  /// never larger than it.
  double monotonicity() const;

 private:
  const Chain* chain_;
  AnyLoss loss_;
  double gamma_;
  Projection projection_;
  double effective_gamma_;
};

/// The effective discount factor in the q-norm, γ√C with C the largest ratio of the mass that flows
/// into a state in one step, Σ_x q(x) P(x'|x), to its mass q(x'). Then γ² E Δ'² ≤ γ²C E Δ² for all
/// Δ, and all of contraction.hpp holds with it in place of γ. It equals γ if q is stationary, is at
/// most γ if the chain ends and restarts, and is +∞ if mass flows into a state with q = 0.
double effective_gamma(const Chain& chain, double gamma, std::span<const double> q);

}  // namespace shortfall::theory
