#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "shortfall/risk/loss.hpp"

namespace shortfall {

/// One piece of a piecewise-linear loss: ℓ(x) = slope · x + intercept for x in (from, next from].
/// Pieces are closed on the right, so that the slope found at a kink is the left one.
struct LinearPiece {
  double from;          ///< -∞ for the first piece
  double slope;         ///< > 0
  double intercept;     ///< 0 on both pieces that meet the origin
  double score_offset;  ///< ψ(x) = x · (slope · x / 2 + intercept) + score_offset
};

/// A point (x, ℓ(x)) of a piecewise-linear loss.
struct Knot {
  double x;
  double y;
};

namespace detail {
/// In the header, because learners call it once per update.
inline const LinearPiece& piece_at(std::span<const LinearPiece> pieces, double x) {
  const LinearPiece* piece = pieces.data();
  for (const LinearPiece& other : pieces.subspan(1)) piece = x > other.from ? &other : piece;
  return *piece;
}
inline LossPoint at(std::span<const LinearPiece> pieces, double x) {
  const LinearPiece& piece = piece_at(pieces, x);
  return {piece.slope * x + piece.intercept, piece.slope};
}
double score(std::span<const LinearPiece> pieces, double x);
SlopeBounds slope_bounds(std::span<const LinearPiece> pieces);
HalfLineCurvature curvature(std::span<const LinearPiece> pieces);

/// Completes pieces that have `from` and `slope` set: intercepts from continuity and ℓ(0) = 0,
/// score offsets from continuity of ψ and ψ(0) = 0.
void complete(std::span<LinearPiece> pieces);
}  // namespace detail

/// The common part of all piecewise-linear losses; `Pieces` is an array or a vector of them.
template <class Pieces>
class PiecewiseLinearLoss {
 public:
  LossPoint at(double x) const { return detail::at(pieces_, x); }
  double score(double x) const { return detail::score(pieces_, x); }
  SlopeBounds slope_bounds() const { return detail::slope_bounds(pieces_); }
  HalfLineCurvature curvature() const { return detail::curvature(pieces_); }

  const Pieces& pieces() const { return pieces_; }

 protected:
  explicit PiecewiseLinearLoss(Pieces pieces) : pieces_(std::move(pieces)) {
    detail::complete(pieces_);
  }

 private:
  Pieces pieces_;
};

/// Mean: ℓ(x) = x. Its shortfall risk is the expectation.
class Mean : public PiecewiseLinearLoss<std::array<LinearPiece, 1>> {
 public:
  Mean();
};

/// Expectile: ℓ(x) = τ x⁺ - (1 - τ) x⁻ with τ in (0, 1). Slopes 1 - τ and τ, one kink at 0; convex
/// for τ ≥ 1/2. The expectiles of τ ≥ 1/2 are the only coherent shortfall risks. Check: the
/// 0.25-expectile of {1, .., 5} is 7/3; τ = 1/2 is the mean.
class Expectile : public PiecewiseLinearLoss<std::array<LinearPiece, 2>> {
 public:
  explicit Expectile(double tau);
  double tau() const { return tau_; }

 private:
  double tau_;
};

/// Soft quantile (Hau et al., AISTATS 2025) with risk level μ in (0, 1) and slope parameter κ > 0:
///
///   ℓ(x) = (1-μ)(κx + κ² - 1)   x < -κ
///          (1-μ) x / κ          -κ ≤ x < 0
///             μ  x / κ           0 ≤ x < κ
///             μ (κx - κ² + 1)    κ ≤ x
///
/// Kinks at -κ, 0, κ; ℓ(±κ) is μ and -(1-μ). Not convex, not concave, but one of the two on each
/// half-line. At κ = 1 it is the expectile of level μ.
class SoftQuantile : public PiecewiseLinearLoss<std::array<LinearPiece, 4>> {
 public:
  SoftQuantile(double mu, double kappa);
  double mu() const { return mu_; }
  double kappa() const { return kappa_; }

 private:
  double mu_;
  double kappa_;
};

/// Piecewise linear through given knots, extended beyond them by its end slopes. Needs at least two
/// knots, x and y both strictly increasing, and a polygon through the origin, up to rounding of its
/// knots: the loss has the polygon's slopes and kinks, and ℓ(0) = 0 exactly.
class Piecewise : public PiecewiseLinearLoss<std::vector<LinearPiece>> {
 public:
  explicit Piecewise(std::vector<Knot> knots);
  const std::vector<Knot>& knots() const { return knots_; }

 private:
  std::vector<Knot> knots_;
};

}  // namespace shortfall
