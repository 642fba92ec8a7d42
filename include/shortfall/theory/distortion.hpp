#pragma once

#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/loss.hpp"

/// A condition on γ that depends on the chain, in the manner of Köse and Ruszczyński ("Risk-averse
/// learning by temporal difference methods with Markov risk measures", JMLR 22, 2021). It concerns
/// the Bellman operator (TV)(x) = ρ(c + γ V(X')) rather than H: under it ΠT is a contraction. The
/// fixed point of ΠT is in general not the one that temporal-difference learning finds.
namespace shortfall::theory {

/// How much a shortfall risk with these slopes can increase a transition's probability: 1 + χ is
/// the maximum, over transitions x → x' of the chain, of
///
///   L₁ / (ε₁ + (L₁ - ε₁) P(x'|x)).
///
/// With ℓ(a) - ℓ(b) = ξ (a - b), two target laws with risks m₁, m₂ have
/// Σ p ξ (Y₁ - Y₂ - m₁ + m₂) = 0, so TV₁ - TV₂ = γ Σ w Δ(x') with weights w = p ξ / Σ p ξ, and the
/// outcomes that lead to x' have w-mass of at most P(x'|x) times the ratio above. By Jensen
/// ‖TV₁ - TV₂‖_q ≤ γ √(1+χ) ‖Δ‖_q. Terminal successors, whose value is fixed, do not count. Throws
/// InvalidInput unless 0 < ε₁ ≤ L₁ < ∞.
double distortion_coefficient(const Chain& chain, SlopeBounds slopes);

/// 1/√(1+χ): for γ below it, T is a contraction in the q-norm. In the two-state counterexample at
/// p = 9/10 it is √19/10.
double distortion_gamma_limit(const Chain& chain, SlopeBounds slopes);

}  // namespace shortfall::theory
