#pragma once

#include "shortfall/risk/any_loss.hpp"

/// Bound on the distance between a computed shortfall risk and the exact one, due to rounding. It
/// is derived here and nowhere else; the certificates of all solvers rely on it.
///
/// "Exact" refers to the numbers as doubles, the loss's formula, and probabilities scaled
/// to sum to exactly one. Let u = 2⁻⁵³, M ≥ |X| and R ≥ max X - min X. The computed risk of
/// a law of n terms is within
///
///   u (8 M + (n + k) κ R),     never more than 8 u M + R,
///
/// of the exact one, and so is the smallest of several risks: a law is skipped only if the sum at
/// the smallest risk so far has the sign that excludes it. There are four sources of error.
///
/// 1. Targets. c + γ V is off by 2 u M, a root is bracketed within 4 u M, and the chord or the last
///    addition of a closed form is off by u M. The risk is monotone and translation invariant, so
///    it passes errors of X on unchanged. The same holds for relative errors of X - m, or of
///    β (X - m), which are at most 2u R.
///
/// 2. The sum f(m) = E ℓ(X - m) is off by at most θ E|ℓ(X - m)|, θ = (n + k) u: n additions, and k
///    for the relative errors of ℓ itself and of the probabilities:
///
///      piecewise linear   slope 3, product 1, sum 1, and what the kinks below add to its intercept
///      exponential        12: portable_math.hpp has 2.6 units in the last place, or 5.2 u
///      user-defined       12, which is required of it (loss.hpp)
///      closed form        4, for probabilities that sum to one up to rounding only
///
///    (In the other sums a factor common to all probabilities moves no root.) Where the computed f
///    has the wrong sign at a point v, the exact root m* is close:
///
///    - Suppose ℓ is convex and f̂(v) ≤ 0 < f(v), so v < m*. Then f(v) ≤ θ E|ℓ(X - v)| ≤ 2θ/(1-θ)
///      E ℓ⁻(X - v) ≤ 2θ/(1-θ) E ℓ⁻(X - m*) = 2θ/(1-θ) E ℓ⁺(X - m*), and with s = E ℓ'(X - m*) the
///      latter is at most s R, since ℓ(d) ≤ d ℓ'(d) for d > 0. But f(v) ≥ s (m* - v).
///    - If f(v) ≤ 0 < f̂(v), so m* < v, likewise |f(v)| ≤ 2θ/(1-θ) E ℓ⁺(X - v) ≤ 2θ/(1-θ) s R
///      with s the slope at v, and |f(v)| ≥ s (v - m*).
///    - Concave losses are the mirror image. So κ = 2 for both.
///    - For all losses |f̂ - f| ≤ θ L₁ R, and f has slope at most -ε₁: κ = L₁/ε₁ also works.
///      Losses that are neither convex nor concave and have unbounded slopes have no bound.
///    - Some roots are enclosed by slopes instead of signs: m* lies between v + f(v)/L₁ and
///      v + f(v)/ε₁ and, if ℓ is convex, not below v + f(v)/E ℓ'(X - v). The same arguments show
///      that errors of f(v) and of the slope put such an end at most 6 θ R, or again θ R L₁/ε₁, on
///      the wrong side of m*.
///    - Some sums are not centred: they add up X and max(X, m), |X| ≤ R, and subtract m at the end.
///      They are off by 2 θ L₁ R for any loss, by half of that if it is convex.
///
/// 3. Closed forms. The mean is a sum relative to one atom: off by (n + 4) u R. A sweep adds
///    γ E V' to E c, each summed like that: with R the range of c plus γ times that of V, the two
///    are off by no more together, and their sum by 4 u M.
///
///    The entropic risk is max + log(1 + S)/β with S = E expm1(β (X - max)) in (-1, 0]. All terms
///    have the same sign, so that S has the relative error θ. Where S > -1/2, log(1 + S) has at
///    most 2θ; elsewhere log E e^{β(..)} is off by θ, and R ≥ log(2)/β: κ = 2 again.
///
/// 4. The range of double. Sums and targets of denormal size are off by the smallest positive
///    number for each operation. Terms below the normal range lose a mass q of at most that number
///    each, which moves f by q max|ℓ(±R)| and its root by that over the slope, which there is at
///    least ε₁, or β for the entropic loss. Where ℓ(R) overflows, a term p ℓ becomes infinite that
///    was at least p times the largest double: the sign of f is right if that exceeds |ℓ(-R)|, the
///    most that the other terms can contribute; otherwise there is no bound. Likewise for ℓ(-R).
namespace shortfall {

/// What is known about the laws whose risks are computed.
struct LawLimits {
  double terms = 1.0;  ///< number of additions that a term takes part in: the length of a law
  double probability_error = 0.0;  ///< relative, up to a factor common to a law's probabilities
  double least_probability = 1.0;  ///< smallest nonzero probability
};

/// How E ℓ(X - m) is summed, and how its root is enclosed.
enum class SumKind { centred, uncentred };
enum class Enclosure { by_signs, by_slopes };
struct RootMethod {
  SumKind sums = SumKind::centred;
  Enclosure enclosure = Enclosure::by_signs;
};

class RiskRounding {
 public:
  RiskRounding(AnyLoss loss, const LawLimits& laws, const RootMethod& method = {});

  /// For laws with |X| ≤ magnitude and max X - min X ≤ range. Infinite if there is no bound.
  double bound(double magnitude, double range) const;

 private:
  double underflow_error(double range) const;
  bool has_safe_signs(double range) const;

  AnyLoss loss_;
  double condition_;       // κ
  double relative_error_;  // (n + k) u
  double least_probability_;
  double terms_;  // n
};

/// The bound for one law whose probabilities were divided by their sum.
double risk_rounding(const AnyLoss& loss, const Law& law);

}  // namespace shortfall
