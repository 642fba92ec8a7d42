// A loss of one's own on a model of one's own: the optimal policy, and its value learned online.
#include <cmath>
#include <cstdio>
#include <shortfall/shortfall.hpp>

namespace {

/// ℓ(x) = 2x + √(1 + x²) - 1, with slopes in (1, 3).
struct Hyperbolic {
  shortfall::LossPoint at(double x) const {
    const double root = std::sqrt(1.0 + x * x);
    return {2.0 * x + root - 1.0, 2.0 + x / root};
  }
  double score(double x) const {
    return x * x - x + 0.5 * (x * std::sqrt(1.0 + x * x) + std::asinh(x));
  }
  shortfall::SlopeBounds slope_bounds() const { return {1.0, 3.0}; }
  shortfall::HalfLineCurvature curvature() const {
    return {shortfall::Curvature::convex, shortfall::Curvature::convex};
  }
};

}  // namespace

int main() {
  // State 0: pay 1 with certainty (action 0), or 0 or 1.9 with probability 1/2 each (action 1).
  shortfall::TransitionTable table;
  table.add(0, 0, 0, shortfall::Probability(1.0), 1.0);
  table.add(0, 1, 0, shortfall::Probability(0.5), 0.0);
  table.add(0, 1, 0, shortfall::Probability(0.5), 1.9);
  const auto model = shortfall::Mdp::build(table);

  const auto neutral = shortfall::policy_iteration(model, {shortfall::Mean(), 0.9});
  const auto averse = shortfall::policy_iteration(model, {Hyperbolic(), 0.9});
  std::printf("neutral: action %d, %.6f\naverse: action %d, %.6f\n", neutral.policy[0],
              neutral.values[0], averse.policy[0], averse.values[0]);
  // One constant feature, and the cost of the certain action.
  shortfall::learn::Td td(1, Hyperbolic(), 0.9);
  const double one[] = {1.0};
  for (int n = 0; n < 10000; ++n) (void)td.update(one, 1.0, one);
  // The models of the library are available, too.
  const auto forest =
      shortfall::policy_iteration(shortfall::library::forest(), {shortfall::Expectile(0.9), 0.9});
  const bool as_expected = std::abs(forest.values[0] + 8.1) < 1e-6 && neutral.policy[0] == 1 &&
                           std::abs(neutral.values[0] - 9.5) < 1e-6 && averse.policy[0] == 0 &&
                           std::abs(averse.values[0] - 10.0) < 1e-6 &&
                           std::abs(td.value(one) - 10.0) < 1e-6;
  return as_expected ? 0 : 1;
}
