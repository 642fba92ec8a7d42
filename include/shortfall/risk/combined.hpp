#pragma once

#include <utility>

#include "shortfall/risk/loss.hpp"

/// Losses made of others, at no cost: the compiler sees through them. They convert to
/// AnyLoss, as in solve(model, {sum(Mean(), scaled(Entropic(0.5), 2.0)), 0.9}).
namespace shortfall {

namespace detail {

/// Throws InvalidInput unless `factor` is a finite number > 0.
double checked_factor(double factor);

/// The curvature of a sum.
constexpr Curvature curvature_of_sum(Curvature a, Curvature b) {
  if (a == Curvature::linear || a == b) return b;
  return b == Curvature::linear ? a : Curvature::mixed;
}

}  // namespace detail

/// factor · ℓ(x). The shortfall risk is that of ℓ; the slopes, and with them the steps of a
/// learner, are `factor` times as large. Rounds once more than ℓ.
template <Loss L>
class ScaledLoss {
 public:
  ScaledLoss(L loss, double factor)
      : loss_(std::move(loss)), factor_(detail::checked_factor(factor)) {}

  LossPoint at(double x) const {
    const auto [value, left_slope] = loss_.at(x);
    return {factor_ * value, factor_ * left_slope};
  }
  double score(double x) const { return factor_ * loss_.score(x); }
  SlopeBounds slope_bounds() const {
    const auto [lower, upper] = loss_.slope_bounds();
    return {factor_ * lower, factor_ * upper};
  }
  HalfLineCurvature curvature() const { return loss_.curvature(); }

 private:
  L loss_;
  double factor_;
};

/// ℓ₁(x) + ℓ₂(x), which have the same sign, so that rounding grows by one unit only. Slope bounds
/// add up; they are bounds, though not always the best ones.
template <Loss First, Loss Second>
class SumOfLosses {
 public:
  SumOfLosses(First first, Second second) : first_(std::move(first)), second_(std::move(second)) {}

  LossPoint at(double x) const {
    const LossPoint a = first_.at(x);
    const LossPoint b = second_.at(x);
    return {a.value + b.value, a.left_slope + b.left_slope};
  }
  double score(double x) const { return first_.score(x) + second_.score(x); }
  SlopeBounds slope_bounds() const {
    const SlopeBounds a = first_.slope_bounds();
    const SlopeBounds b = second_.slope_bounds();
    return {a.lower + b.lower, a.upper + b.upper};
  }
  HalfLineCurvature curvature() const {
    const HalfLineCurvature a = first_.curvature();
    const HalfLineCurvature b = second_.curvature();
    return {detail::curvature_of_sum(a.negative, b.negative),
            detail::curvature_of_sum(a.positive, b.positive)};
  }

 private:
  First first_;
  Second second_;
};

/// factor · ℓ, for factor > 0.
template <Loss L>
ScaledLoss<L> scaled(L loss, double factor) {
  return {std::move(loss), factor};
}

/// ℓ₁ + ℓ₂.
template <Loss First, Loss Second>
SumOfLosses<First, Second> sum(First first, Second second) {
  return {std::move(first), std::move(second)};
}

}  // namespace shortfall
