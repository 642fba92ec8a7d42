#include "shortfall/theory/averager_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::theory {
namespace {

/// sup ℓ(δ)/δ over 0 < |δ| ≤ reach. Where ℓ is convex or concave on a half-line, its chords from 0
/// are steepest at one of the ends.
double steepest_chord(const AnyLoss& loss, double reach) {
  const HalfLineCurvature curvature = loss.curvature();
  if (curvature.negative == Curvature::mixed || curvature.positive == Curvature::mixed) {
    return loss.slope_bounds().upper;
  }
  const double at_origin = std::max(loss.at(0.0).left_slope, right_slope_at_origin(loss));
  if (!(reach > 0.0)) return at_origin;
  return std::max({at_origin, loss.at(reach).value / reach, loss.at(-reach).value / -reach});
}

/// Smaller steps would take impractically long to move weights.
constexpr double least_usable_step = 1e-12;

}  // namespace

AveragerBox averager_box(const AveragerOperator& averager,
                         const Eigen::Ref<const Eigen::VectorXd>& start) {
  require(start.size() == averager.dimension(),
          "the start has {} entries; accepted: one for each of {} features", start.size(),
          averager.dimension());
  const Chain& chain = averager.chain();
  double least_cost = infinity, largest_cost = -infinity, least_sum = infinity, largest_sum = 0.0;
  for (const StateIndex x : averager.reached()) {
    if (averager.q()[x] == 0.0) continue;
    const Outcomes::Row row = chain.law(x);
    for (std::size_t o = 0; o < row.next.size(); ++o) {
      if (row.probability[o] == 0.0) continue;
      const double sum = averager.phi().row(row.next[o]).sum();  // 0 where it is terminal
      least_sum = std::min(least_sum, sum);
      largest_sum = std::max(largest_sum, sum);
      least_cost = std::min(least_cost, row.cost[o]);
      largest_cost = std::max(largest_cost, row.cost[o]);
    }
  }
  const double gamma = averager.gamma();
  const double low = least_cost / (1.0 - gamma * (least_cost < 0.0 ? largest_sum : least_sum));
  const double high = largest_cost / (1.0 - gamma * (largest_cost > 0.0 ? largest_sum : least_sum));
  AveragerBox box{std::min(low, start.minCoeff()), std::max(high, start.maxCoeff()), 0.0};
  const double chord = steepest_chord(averager.loss(), box.high - box.low);
  box.largest_step = chord < infinity ? 1.0 / chord : 0.0;
  return box;
}

Assumption bounded_weights(const AveragerBox& box) {
  if (box.largest_step > 0.0) {
    const bool usable = box.largest_step >= least_usable_step;
    return {
        "bounded weights", usable,
        fmt::format("steps of at most {:.6g} keep them in [{:.6g}, {:.6g}]{}", box.largest_step,
                    box.low, box.high,
                    usable ? "" : ": too small to learn; scale the costs, or truncate the loss")};
  }
  return {"bounded weights", false,
          fmt::format("weights may differ by {:.6g}, where the loss exceeds the range of numbers: "
                      "no step is small enough; scale the costs, or truncate the loss",
                      box.high - box.low)};
}

Assumption bounded_weights(const AveragerBox& box, SlopeBounds slopes, const AveragerSteps& steps) {
  Assumption assumption = bounded_weights(box);
  if (!assumption.holds || steps.first <= box.largest_step) return assumption;
  assumption.holds = steps.vanish && slopes.upper < infinity;
  assumption.reason +=
      assumption.holds
          ? fmt::format("; the first is {:.6g}, but all are at most {:.6g} after a while",
                        steps.first, 1.0 / slopes.upper)
          : fmt::format("; the first is {:.6g}: smaller ones are needed", steps.first);
  return assumption;
}

}  // namespace shortfall::theory
