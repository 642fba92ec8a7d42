#pragma once

#include "shortfall/risk/loss.hpp"

/// The contraction modulus of HV = V + α r(V), with the residual r of operator_h.hpp. All bounds
/// depend on the loss only through its slopes ε₁ ≤ L₁, and hold in the q-norm of every law q that
/// is invariant under the chain.
namespace shortfall::theory {

/// The s = ε₁ - γL₁ for which ⟨Δ, r(V₁) - r(V₂)⟩_q ≤ -s ‖Δ‖_q² with Δ = V₁ - V₂, as in the proof of
/// the first lemma. Positive for γ < ε₁/L₁; -∞ if L₁ = ∞.
double paper_monotonicity(SlopeBounds slopes, double gamma);

/// The largest such s that holds for every chain and every loss with these slopes, -∞ if L₁ = ∞:
///
///   s = ε₁(1 - γ)                             for γ ≤ 2ε₁/(ε₁+L₁),
///   s = ε₁L₁/(ε₁+L₁) - γ²(ε₁+L₁)/4            beyond; positive for γ < 2√(ε₁L₁)/(ε₁+L₁).
///
/// Proof. ℓ(a) - ℓ(b) = ξ (a - b) with ξ in [ε₁, L₁] makes the left-hand side the mean of
/// ξ (γΔΔ' - Δ²) under X ~ q, X' ~ P(·|X). Suppose that for some t > 0 and for ξ = ε₁ and ξ = L₁
///
///   ξ (γab - a²) ≤ t (b² - a²) - s a²   for all real a, b.                                   (*)
///
/// Being linear in ξ, (*) then holds in between, and since E Δ'² = E Δ² the mean is ≤ -s ‖Δ‖². By
/// its discriminant, (*) says s ≤ ξ - t - ξ²γ²/(4t). Take t = γε₁/2 in the first case, where ξ = ε₁
/// binds, and t = γ²(ε₁+L₁)/4 in the second, where both do. The proof uses only E Δ'² ≤ E Δ².
///
/// Attained: in the first case at Δ' = Δ; in the second by the expectile without costs on a cycle
/// whose Δ rises by the factor 2L₁/(γ(ε₁+L₁)) or falls by 2ε₁/(γ(ε₁+L₁)) at each step, which is
/// possible for a dense set of γ.
double monotonicity(SlopeBounds slopes, double gamma);

/// H in the q-norm: ‖HV₁ - HV₂‖_q ≤ √g(α) ‖V₁ - V₂‖_q with
///
///   g(α) = α² L₁²(1+γ)² - 2αs + 1,
///
/// since r is Lipschitz with constant L₁(1+γ). It is a contraction for α in (0, 2s/(L₁²(1+γ)²)),
/// with g = 1 at both ends and its minimum in the middle.
class QNormContraction {
 public:
  /// From `paper_monotonicity`. Throws InvalidInput unless γ < ε₁/L₁.
  static QNormContraction paper(SlopeBounds slopes, double gamma);
  /// From `monotonicity`. Throws InvalidInput unless γ < 2√(ε₁L₁)/(ε₁+L₁).
  static QNormContraction sharp(SlopeBounds slopes, double gamma);

  double monotonicity() const { return monotonicity_; }
  double lipschitz() const { return lipschitz_; }

  double g(double alpha) const;
  /// 1 - g(α) = α(2s - αL₁²(1+γ)²), computed without cancellation.
  double one_minus_g(double alpha) const;
  /// √g(α). Throws InvalidInput for α outside (0, alpha_limit()).
  double modulus(double alpha) const;
  double alpha_limit() const;
  double best_alpha() const;
  double best_modulus() const { return modulus(best_alpha()); }

 private:
  QNormContraction(double monotonicity, double lipschitz)
      : monotonicity_(monotonicity), lipschitz_(lipschitz) {}
  double monotonicity_;
  double lipschitz_;
};

/// H in the sup norm, for every γ < 1. With ξ̄ the mean of the slopes ξ met in state x,
///
///   (HV₁ - HV₂)(x) = (1 - αξ̄) Δ(x) + αγ E[ξ Δ(X')],   so that
///   |(HV₁ - HV₂)(x)| ≤ (|1 - αξ̄| + αγξ̄) max|Δ| ≤ max(1 - αε₁(1-γ), αL₁(1+γ) - 1) max|Δ|.
///
/// A contraction for α in (0, 2/(L₁(1+γ))); for α ≤ 1/L₁ its modulus is 1 - αε₁(1-γ).
class SupNormContraction {
 public:
  /// Throws InvalidInput unless 0 < ε₁, L₁ < ∞ and γ in [0, 1).
  SupNormContraction(SlopeBounds slopes, double gamma);

  /// Throws InvalidInput for α outside (0, alpha_limit()).
  double modulus(double alpha) const;
  double alpha_limit() const;
  double best_alpha() const;  ///< where the two bounds on the modulus meet
  double best_modulus() const { return modulus(best_alpha()); }

 private:
  SlopeBounds slopes_;
  double gamma_;
};

/// The smallest and largest singular value of diag(√q) Φ.
struct SingularRange {
  double smallest;
  double largest;
};

/// The step in parameter space, Ĥ(θ) = θ + α h(θ) with h the drift of mean_field.hpp, in the
/// Euclidean norm: ‖Ĥ(θ₁) - Ĥ(θ₂)‖² ≤ β̃ ‖θ₁ - θ₂‖² with
///
///   β̃ = 1 - λ_m² (αA - α² λ_M² L₁²(1+γ)²),   A = 2ε₁ - γ(ε₁ + L₁),
///
/// and λ_m, λ_M the singular range of diag(√q) Φ. β̃ < 1 requires λ_M² < A / (α L₁²(1+γ)²),
/// which holds once the features are scaled down enough. (The published condition has α² in this
/// denominator, which is too weak for α < 1.)
class ParameterContraction {
 public:
  /// Throws InvalidInput unless γ < 2ε₁/(ε₁+L₁), which is equivalent to A > 0.
  ParameterContraction(SlopeBounds slopes, double gamma);

  /// The bound that λ_M must stay below.
  double singular_value_limit(double alpha) const;
  /// β̃. Throws InvalidInput if λ_M is not below its limit.
  double squared_modulus(double alpha, SingularRange singular) const;

 private:
  double decrease_;   ///< A
  double lipschitz_;  ///< L₁(1+γ)
};

}  // namespace shortfall::theory
