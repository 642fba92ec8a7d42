#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/law.hpp"
#include "shortfall/risk/loss.hpp"

/// The shortfall risk of a discrete law: ρ(X) = inf{m : E ℓ(X - m) ≤ 0}, the root of the
/// continuous, strictly decreasing function m ↦ E ℓ(X - m). Plain templates for any loss; the
/// vectorised versions for built-in losses are declared in any_loss.hpp. Nothing here allocates.
namespace shortfall {

/// No initial guess: start at the mean.
inline constexpr double no_start = std::numeric_limits<double>::quiet_NaN();

/// What root finding needs to know about a law: the root lies in [min, max].
struct LawSummary {
  double min;
  double max;
  double mean;
};

/// Ignores atoms of probability 0.
inline LawSummary summarise(const Law& law) {
  LawSummary s{infinity, -infinity, 0.0};
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    if (law.probabilities[i] == 0.0) continue;
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
    if (law.probabilities[i] == 0.0) continue;
    const LossPoint point = loss.at(law.atoms[i] - m);
    sum.value += law.probabilities[i] * point.value;
    sum.left_slope += law.probabilities[i] * point.left_slope;
  }
  return sum;
}

/// Whether m is acceptable: E ℓ(X - m) ≤ 0, that is, shortfall_risk ≤ m. One pass, no root finding.
template <Loss L>
bool is_acceptable(const L& loss, const Law& law, double m) {
  return expected_loss(loss, law, m).value <= 0.0;
}

/// Root of m ↦ E ℓ(X - m), given as `expected(m)`, by Newton's method inside a shrinking bracket.
///
/// For a piecewise-linear loss the function is piecewise linear and a Newton step from the root's
/// own piece is exact, so few steps are needed; the bracket prevents cycling where ℓ is neither
/// convex nor concave. A short step proves nothing, because the slope may fall by the factor L₁/ε₁
/// behind a kink. The search therefore ends only when a change of sign is enclosed in two units in
/// the last place of the law's magnitude, and returns the root of the chord. Returns NaN if the
/// arithmetic overflows.
template <class Expected>
double shortfall_root(Expected&& expected, const LawSummary& law, double start) {
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  const double resolution =
      2.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(law.min), std::abs(law.max));
  if (!std::isfinite(law.max - law.min)) return not_a_number;
  if (law.max - law.min <= resolution) return std::clamp(law.mean, law.min, law.max);

  struct End {
    double m;
    double value;  ///< E ℓ(X - m), NaN until m has been visited
  };
  End lower{law.min, not_a_number};
  End upper{law.max, not_a_number};
  double m = start > law.min && start < law.max ? start : std::clamp(law.mean, law.min, law.max);
  double last = std::numeric_limits<double>::infinity();
  double last_but_one = std::numeric_limits<double>::infinity();
  for (;;) {
    const auto [value, slope] = expected(m);
    if (value == 0.0) return m;
    if (std::isnan(value)) return not_a_number;
    (value > 0.0 ? lower : upper) = {m, value};
    if (upper.m - lower.m <= resolution) {
      const double chord =
          lower.m + (upper.m - lower.m) * (lower.value / (lower.value - upper.value));
      return chord >= lower.m && chord <= upper.m ? chord : m;
    }

    const double step = value / slope;
    const bool shrinking = std::abs(value) <= 0.5 * last_but_one;
    double next = std::abs(step) < resolution ? m + std::copysign(resolution, value) : m + step;
    if (!(shrinking && next > lower.m && next < upper.m)) next = 0.5 * lower.m + 0.5 * upper.m;
    if (!(next > lower.m && next < upper.m)) return m;
    m = next;
    last_but_one = last;
    last = std::abs(value);
  }
}

/// The shortfall risk. `start` is a guess that saves steps, such as the risk of a similar law.
template <Loss L>
double shortfall_risk(const L& loss, const Law& law, double start = no_start) {
  return shortfall_root([&](double m) { return expected_loss(loss, law, m); }, summarise(law),
                        start);
}

}  // namespace shortfall
