#include "shortfall/theory/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::theory {
namespace {

bool are_bounded(SlopeBounds slopes) {
  return slopes.lower > 0.0 && slopes.upper < infinity;
}

std::string_view describe(Curvature curvature) {
  return curvature == Curvature::mixed ? "neither convex nor concave" : to_string(curvature);
}

Assumption bounded_slopes(SlopeBounds slopes) {
  std::string reason = fmt::format("slopes lie in [{:.6g}, {:.6g}]", slopes.lower, slopes.upper);
  if (!(slopes.lower > 0.0)) {
    reason = "slopes come arbitrarily close to 0";
    if (!(slopes.upper < infinity)) reason += " and grow without bound";
  } else if (!(slopes.upper < infinity)) {
    reason = "slopes grow without bound";
  }
  return {"bounded slopes", are_bounded(slopes), std::move(reason)};
}

Assumption curvature_on_half_lines(HalfLineCurvature curvature) {
  const bool holds =
      curvature.negative != Curvature::mixed && curvature.positive != Curvature::mixed;
  return {"curvature", holds,
          fmt::format("the loss is {} below 0 and {} above", describe(curvature.negative),
                      describe(curvature.positive))};
}

Assumption discount(SlopeBounds slopes, double gamma) {
  if (!are_bounded(slopes)) {
    return {"discount", false, "no discount factor is small enough for unbounded slopes"};
  }
  const double limit = sharp_gamma_limit(slopes);
  const double paper = gamma_limit(slopes);
  const bool holds = gamma < limit;
  std::string reason = fmt::format(
      "gamma = {:.6g} is {} {:.6g}, the geometric over the arithmetic mean of the smallest and the "
      "largest slope",
      gamma, holds ? "below" : "not below", limit);
  if (paper < limit) {
    reason += fmt::format(" (the paper asks for less than smallest / largest = {:.6g})", paper);
  }
  return {"discount", holds, std::move(reason)};
}

}  // namespace

double gamma_limit(SlopeBounds slopes) {
  return are_bounded(slopes) ? slopes.lower / slopes.upper : 0.0;
}

double sharp_gamma_limit(SlopeBounds slopes) {
  const double ratio = gamma_limit(slopes);
  return 2.0 * std::sqrt(ratio) / (1.0 + ratio);
}

bool all_hold(std::span<const Assumption> assumptions) {
  return std::all_of(assumptions.begin(), assumptions.end(),
                     [](const Assumption& assumption) { return assumption.holds; });
}

Conditions check_conditions(const AnyLoss& loss, double gamma) {
  require(gamma >= 0.0 && gamma <= 1.0, "gamma = {}; accepted: a number in [0, 1]", gamma);
  const SlopeBounds slopes = loss.slope_bounds();
  return {
      slopes,
      gamma,
      gamma_limit(slopes),
      sharp_gamma_limit(slopes),
      {bounded_slopes(slopes), curvature_on_half_lines(loss.curvature()), discount(slopes, gamma)}};
}

Assumption ergodicity_assumption(const Chain& chain, StateIndex state_base) {
  const Ergodicity ergodicity = check_ergodicity(chain);
  return {"ergodic chain", ergodicity.is_ergodic(), ergodicity.message(state_base)};
}

}  // namespace shortfall::theory
