#pragma once

#include <limits>

#include "shortfall/risk/loss.hpp"

namespace shortfall {

/// Entropic: ℓ(x) = e^{βx} - 1 with β > 0. Convex, slopes anywhere in (0, ∞), so that the
/// bounded-slope assumption fails. Its shortfall risk is log(E e^{βX}) / β; β → 0 is the mean.
/// Check: X in {0, 1} with probability 1/2 each and β = 1 has risk log((1 + e) / 2).
/// By Hoeffding's lemma the risk is at most β R² / 8 above the mean, R = max X - min X.
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

/// Whether the entropic risk is within R u / 4 of the mean if max X - min X ≤ R. If so, the mean is
/// used instead, because β (X - m) may have no significant digits left.
inline bool is_close_to_mean(const Entropic& loss, double range) {
  return loss.beta() * range <= std::numeric_limits<double>::epsilon();
}

/// Truncated entropic: e^{βx} - 1 on [-b, b], extended beyond by its tangents, so that the slopes
/// stay in [β e^{-βb}, β e^{βb}] (the construction of Shen et al., Neural Computation 2014, A.2).
/// Convex and continuously differentiable. If |X - m| ≤ b it is the entropic risk itself.
class TruncatedEntropic {
 public:
  TruncatedEntropic(double beta, double bound);
  double beta() const { return beta_; }
  double bound() const { return bound_; }
  const LossPoint& at_lower_end() const { return lower_end_; }  ///< at -bound
  const LossPoint& at_upper_end() const { return upper_end_; }  ///< at +bound

  LossPoint at(double x) const;
  double score(double x) const;
  SlopeBounds slope_bounds() const;
  HalfLineCurvature curvature() const;

 private:
  double beta_;
  double bound_;
  LossPoint lower_end_;
  LossPoint upper_end_;
};

}  // namespace shortfall
