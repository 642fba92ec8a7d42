#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "shortfall/risk/law.hpp"
#include "shortfall/risk/loss.hpp"

/// The shortfall risk of a discrete law: ρ(X) = inf{m : E ℓ(X - m) ≤ 0}, the root of the
/// continuous, strictly decreasing function m ↦ E ℓ(X - m). Plain templates for any loss; the
/// vectorised versions for built-in losses are declared in any_loss.hpp. Nothing here allocates.
namespace shortfall {

/// No warm start: begin at the mean.
inline constexpr double no_start = std::numeric_limits<double>::quiet_NaN();

/// What the root finding needs to know of a law: the root lies in [min, max].
struct LawSummary {
  double min;
  double max;
  double mean;
};

inline LawSummary summarise(const Law& law) {
  LawSummary s{law.atoms[0], law.atoms[0], 0.0};
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    s.min = std::min(s.min, law.atoms[i]);
    s.max = std::max(s.max, law.atoms[i]);
    s.mean += law.probabilities[i] * law.atoms[i];
  }
  return s;
}

/// E ℓ(X - m), and E ℓ'(X - m) with left slopes: minus the derivative in m.
template <Loss L>
LossPoint expected_loss(const L& loss, const Law& law, double m) {
  LossPoint sum{0.0, 0.0};
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    const LossPoint point = loss.at(law.atoms[i] - m);
    sum.value += law.probabilities[i] * point.value;
    sum.left_slope += law.probabilities[i] * point.left_slope;
  }
  return sum;
}

/// Whether m is enough: E ℓ(X - m) ≤ 0, that is, shortfall_risk ≤ m. One pass, no root.
template <Loss L>
bool is_acceptable(const L& loss, const Law& law, double m) {
  return expected_loss(loss, law, m).value <= 0.0;
}

/// Root of m ↦ E ℓ(X - m), given as `expected(m)`, by Newton's method inside a shrinking bracket.
///
/// For a piecewise-linear loss the function is piecewise linear and a Newton step from the root's
/// own piece is exact, so it ends after as many steps as there are pieces on the way; the bracket
/// keeps it from cycling where ℓ is neither convex nor concave. Ends when a step is below two units
/// in the last place of the law's magnitude and the slope is that of the step before, so that no
/// kink lies between; or when the bracket has no number left inside.
template <class Expected>
double shortfall_root(Expected&& expected, const LawSummary& law, double start) {
  double lower = law.min;
  double upper = law.max;
  if (!(lower < upper)) return lower;
  const double smallest_step =
      2.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(lower), std::abs(upper));

  double m = start > lower && start < upper ? start : std::clamp(law.mean, lower, upper);
  double last = std::numeric_limits<double>::infinity();
  double last_slope = std::numeric_limits<double>::quiet_NaN();
  double last_but_one = std::numeric_limits<double>::infinity();
  for (;;) {
    const auto [value, slope] = expected(m);
    if (value == 0.0) return m;
    (value > 0.0 ? lower : upper) = m;

    const double newton = m + value / slope;
    const bool same_piece = std::abs(slope - last_slope) <= 1e-3 * slope;
    if (newton == m || (same_piece && std::abs(newton - m) <= smallest_step)) {
      return std::clamp(newton, law.min, law.max);
    }

    const bool inside = newton > lower && newton < upper;
    const bool shrinking = std::abs(value) <= 0.5 * last_but_one;
    m = inside && shrinking ? newton : 0.5 * lower + 0.5 * upper;
    if (!(m > lower && m < upper)) return m;
    last_but_one = last;
    last = std::abs(value);
    last_slope = slope;
  }
}

/// The shortfall risk; `start` is a guess that saves steps, such as the risk of a similar law.
template <Loss L>
double shortfall_risk(const L& loss, const Law& law, double start = no_start) {
  return shortfall_root([&](double m) { return expected_loss(loss, law, m); }, summarise(law),
                        start);
}

}  // namespace shortfall
