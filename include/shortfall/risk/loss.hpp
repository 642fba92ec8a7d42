#pragma once

#include <concepts>
#include <limits>
#include <string_view>

#include "shortfall/names/names.hpp"

/// A loss ℓ: ℝ → ℝ is continuous and strictly increasing with ℓ(0) = 0. It acts on costs: larger is
/// worse. It defines the shortfall risk of a random cost X, the m with E ℓ(X - m) = 0.
namespace shortfall {

/// A loss at one point x.
struct LossPoint {
  double value;       ///< ℓ(x)
  double left_slope;  ///< lim (ℓ(x) - ℓ(y)) / (x - y) as y ↑ x
};

/// The bounded-slope assumption: ε₁ ≤ (ℓ(x) - ℓ(y)) / (x - y) ≤ L₁ for all x ≠ y.
struct SlopeBounds {
  double lower;  ///< ε₁, 0 if no positive bound exists
  double upper;  ///< L₁, +∞ if no finite bound exists
};

enum class Curvature { linear, convex, concave, mixed };
inline constexpr Names<Curvature, 4> curvature_names{{{"linear", Curvature::linear},
                                                      {"convex", Curvature::convex},
                                                      {"concave", Curvature::concave},
                                                      {"mixed", Curvature::mixed}}};
constexpr std::string_view to_string(Curvature curvature) {
  return name_of(curvature, curvature_names);
}

/// The curvature assumption requires convex or concave (linear is both) on each half-line.
struct HalfLineCurvature {
  Curvature negative;  ///< on (-∞, 0)
  Curvature positive;  ///< on [0, ∞)
};

/// The interface of every loss, built-in or user-defined.
///
///   at(x)           ℓ(x) and the left slope, from one call
///   score(x)        ψ(x) = ∫₀ˣ ℓ: the shortfall risk of X minimises E ψ(X - m)
///   slope_bounds()  ε₁ and L₁
///   curvature()     on each half-line
///
/// Certified bounds assume ℓ(x) accurate to twelve units of 2⁻⁵³ |ℓ(x)|, and the last two correct.
template <class L>
concept Loss = std::copy_constructible<L> && requires(const L& loss, double x) {
  { loss.at(x) } -> std::same_as<LossPoint>;
  { loss.score(x) } -> std::same_as<double>;
  { loss.slope_bounds() } -> std::same_as<SlopeBounds>;
  { loss.curvature() } -> std::same_as<HalfLineCurvature>;
};

constexpr bool is_convex(Curvature c) {
  return c == Curvature::linear || c == Curvature::convex;
}
constexpr bool is_concave(Curvature c) {
  return c == Curvature::linear || c == Curvature::concave;
}

/// Slope just right of the origin; the left slope there is at(0).left_slope.
template <Loss L>
double right_slope_at_origin(const L& loss) {
  return loss.at(std::numeric_limits<double>::min()).left_slope;
}

/// Convex on the whole line: the shortfall risk is a convex risk measure.
template <Loss L>
bool is_convex(const L& loss) {
  const auto [negative, positive] = loss.curvature();
  return is_convex(negative) && is_convex(positive) &&
         loss.at(0.0).left_slope <= right_slope_at_origin(loss);
}

/// Concave on the whole line: the shortfall risk is a concave functional.
template <Loss L>
bool is_concave(const L& loss) {
  const auto [negative, positive] = loss.curvature();
  return is_concave(negative) && is_concave(positive) &&
         loss.at(0.0).left_slope >= right_slope_at_origin(loss);
}

}  // namespace shortfall
