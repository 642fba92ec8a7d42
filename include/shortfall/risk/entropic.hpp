#pragma once

#include "shortfall/risk/loss.hpp"

namespace shortfall {

/// Entropic: ℓ(x) = e^{βx} - 1 with β > 0. Convex, slopes anywhere in (0, ∞), so that the
/// bounded-slope assumption fails. Its shortfall risk is log(E e^{βX}) / β; β → 0 is the mean.
/// Check: X in {0, 1} with probability 1/2 each and β = 1 has risk log((1 + e) / 2).
class Entropic {
 public:
  explicit Entropic(double beta);
  double beta() const { return beta_; }

  LossPoint at(double x) const;
  double score(double x) const;
  SlopeBounds slope_bounds() const;
  HalfLineCurvature curvature() const;

 private:
  double beta_;
};

/// Truncated entropic: e^{βx} - 1 on [-b, b], continued beyond by its tangents, so that the slopes
/// stay in [β e^{-βb}, β e^{βb}] (the construction of Shen et al., Neural Computation 2014, A.2).
/// Convex and continuously differentiable. Where |X - m| ≤ b it is the entropic risk itself.
class TruncatedEntropic {
 public:
  TruncatedEntropic(double beta, double bound);
  double beta() const { return beta_; }
  double bound() const { return bound_; }

  LossPoint at(double x) const;
  double score(double x) const;
  SlopeBounds slope_bounds() const;
  HalfLineCurvature curvature() const;

 private:
  double beta_;
  double bound_;
};

}  // namespace shortfall
