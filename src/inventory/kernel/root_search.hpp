#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/loss.hpp"

namespace shortfall::inventory {

/// What one evaluation at v implies for a root Q.
struct RootHint {
  double step;      ///< a guess of Q - v
  double shortest;  ///< certain: shortest ≤ Q - v ≤ longest
  double longest;
};

/// Global properties of a loss.
struct LossShape {
  SlopeBounds slopes;
  bool convex;
  bool concave;
};

/// From f(v) = E ℓ(U - v) = r and its slope s. With ε₁ ≤ slopes ≤ L₁ the root is between r/L₁ and
/// r/ε₁ away. If ℓ is convex, so is f, which then lies above its tangent: the root is not below
/// v + r/s. If ℓ is concave, it is not above.
inline RootHint hint_of(const LossPoint& expected, const LossShape& shape) {
  const double r = expected.value;
  if (r == 0.0) return {0.0, 0.0, 0.0};
  const double near = std::isfinite(shape.slopes.upper) ? r / shape.slopes.upper : 0.0;
  const double far = shape.slopes.lower > 0.0 ? r / shape.slopes.lower : std::copysign(infinity, r);
  RootHint hint{r / expected.left_slope, std::min(near, far), std::max(near, far)};
  if (shape.convex) hint.shortest = std::max(hint.shortest, hint.step);
  if (shape.concave) hint.longest = std::min(hint.longest, hint.step);
  return hint;
}

/// The required accuracy of a root: enclosed within `accuracy` on both sides, after at most
/// `max_passes` evaluations.
struct RootGoal {
  double accuracy;
  int max_passes;
};

/// To full double precision.
inline constexpr RootGoal exact_roots{0.0, 100};

/// A root and its certified enclosure.
struct RootEnclosure {
  double root = 0.0;
  double lower = 0.0;
  double upper = 0.0;

  double error() const { return std::max(root - lower, upper - root); }
};

/// Encloses a root, one evaluation at a time, from a guess and an initial enclosure. Uses Newton's
/// steps, with bisection if they stall; a step shorter than the accuracy is extended to it, so that
/// the next evaluation lies beyond the root and closes the enclosure.
class RootSearch {
 public:
  RootSearch() = default;
  RootSearch(const RootEnclosure& first, const RootGoal& goal)
      : found_(first),
        goal_(goal),
        scale_(std::max(std::abs(first.lower), std::abs(first.upper))),
        v_(std::clamp(first.root, first.lower, first.upper)) {}

  double point() const { return v_; }  ///< where to evaluate next
  const RootEnclosure& found() const { return found_; }

  /// Records the evaluation at point(); true once the goal is reached.
  bool update(const RootHint& hint) {
    if (std::isnan(hint.shortest) || std::isnan(hint.longest)) {
      found_.root = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    found_.lower = std::max(found_.lower, v_ + hint.shortest);
    found_.upper = std::min(found_.upper, v_ + hint.longest);
    if (found_.upper < found_.lower) found_.upper = found_.lower;  // only by rounding
    const double middle = 0.5 * found_.lower + 0.5 * found_.upper;
    const bool newton = std::isfinite(hint.step) && std::abs(hint.step) <= 0.5 * last_but_one_;
    found_.root = std::clamp(newton ? v_ + hint.step : middle, found_.lower, found_.upper);
    const double accuracy = std::max(goal_.accuracy, resolution());
    if (found_.error() <= accuracy || ++passes_ >= goal_.max_passes) return true;

    double next = found_.root;
    if (std::abs(next - v_) < 0.4 * accuracy) next += std::copysign(0.5 * accuracy, hint.step);
    if (!(next >= found_.lower && next <= found_.upper)) next = middle;
    if (next == v_) return true;
    last_but_one_ = last_;
    last_ = std::abs(hint.step);
    v_ = next;
    return false;
  }

 private:
  /// The finest accuracy that double precision allows.
  double resolution() const {
    constexpr double units = 16.0 * std::numeric_limits<double>::epsilon();
    return units * std::max(std::abs(v_), 1e-3 * scale_);
  }

  RootEnclosure found_;
  RootGoal goal_{0.0, 1};
  double scale_ = 0.0;  // of the targets
  double v_ = 0.0;
  int passes_ = 0;
  double last_ = std::numeric_limits<double>::infinity();
  double last_but_one_ = std::numeric_limits<double>::infinity();
};

}  // namespace shortfall::inventory
