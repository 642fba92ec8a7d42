// Averagers in evaluation from samples and in approximate policy iteration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/features/aggregation.hpp"
#include "shortfall/features/dense.hpp"
#include "shortfall/features/hats.hpp"
#include "shortfall/features/polynomial.hpp"
#include "shortfall/learn/policy_iteration.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"

namespace shortfall::learn::averagers {
namespace {

/// Hats of a state's number on a line.
class LineHats {
 public:
  explicit LineHats(std::vector<double> knots) : hats_({std::move(knots)}) {}
  std::size_t dimension() const { return hats_.dimension(); }
  std::size_t max_active() const { return hats_.max_active(); }
  void write(StateIndex x, std::span<double> out) const { hats_.write(std::array{x}, out); }
  void write_active(StateIndex x, features::ActiveFeatures& out) const {
    hats_.write_active(std::array{x}, out);
  }

 private:
  features::Hats hats_;
};
static_assert(features::SparseFeatureMap<LineHats, StateIndex>);

StartLaw uniform_start(std::size_t states) {
  return StartLaw(std::vector<double>(states, 1.0 / static_cast<double>(states)));
}

EvaluationOptions options_with(Algorithm algorithm, const AnyLoss& loss, double gamma) {
  return {.learner = {.algorithm = algorithm, .loss = loss, .gamma = gamma},
          .samples = 24'000,
          .trajectories = 4,
          .pilot = 1000};
}

constexpr Algorithm both[] = {Algorithm::averager_td, Algorithm::averager_newton};

/// One cell per state: the exact values, within what the seeds scatter.
TEST(AveragerEvaluation, FindsTheExactValuesWithOneCellPerState) {
  const Mdp model = library::machine_replacement();
  const Chain chain = under_policy(model, {0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  const ChainSampler sampler(chain);
  const features::Aggregation map({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const AnyLoss loss = Expectile(0.8);
  const std::vector<double> exact =
      evaluate_by_newton(chain, {loss, 0.9}, {.tolerance = 1e-9}).values;
  const double spread = *std::ranges::max_element(exact) - *std::ranges::min_element(exact);
  for (const Algorithm algorithm : both) {
    std::vector<double> theta;
    EvaluationOptions options = options_with(algorithm, loss, 0.9);
    // Cells that a trajectory does not visit keep the last round's weight.
    for (options.seed = 1; options.seed <= 5; ++options.seed) {
      const Evaluation found =
          evaluate_from_samples(Simulation{sampler, map, uniform_start(10)}, theta, options);
      EXPECT_EQ(found.used, 4u);
      theta = found.theta;
    }
    for (std::size_t x = 0; x < 10; ++x) EXPECT_NEAR(theta[x], exact[x], 0.03 * spread) << x;
  }
}

TEST(AveragerEvaluation, IsTheSameForSparseAndDenseMapsAndAnyNumberOfThreads) {
  const Mdp model = library::machine_replacement();
  const Chain chain = under_policy(model, {0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  const ChainSampler sampler(chain);
  const LineHats sparse({0, 3, 9});
  std::vector<StateIndex> states(10);
  for (StateIndex x = 0; x < 10; ++x) states[x] = x;
  const features::Dense dense = features::Dense::of(sparse, states);
  for (const Algorithm algorithm : both) {
    const EvaluationOptions options = options_with(algorithm, Expectile(0.8), 0.9);
    const Evaluation one =
        evaluate_from_samples(Simulation{sampler, sparse, uniform_start(10)}, {}, options);
    const Evaluation other = evaluate_from_samples(Simulation{sampler, dense, uniform_start(10)},
                                                   {}, options, {.threads = 1});
    EXPECT_EQ(one.theta, other.theta);
    EXPECT_EQ(one.used, 4u);
    EXPECT_GT(one.change, 1.0);
  }
}

TEST(AveragerEvaluation, RefusesOtherFeatures) {
  const Chain chain = under_policy(library::machine_replacement(), Policy(10, 0));
  const ChainSampler sampler(chain);
  std::vector<std::vector<double>> wear;
  for (int x = 0; x < 10; ++x) wear.push_back({0.5 * x});
  const features::Dense map =
      features::Dense::of(features::Polynomial({.variables = 1, .degree = 2}), wear);
  for (const Algorithm algorithm : both) {
    EXPECT_THROW((void)evaluate_from_samples(Simulation{sampler, map, uniform_start(10)}, {},
                                             options_with(algorithm, Mean(), 0.9)),
                 InvalidInput);
  }
}

/// The gap of the policies found is below a twentieth of that of the myopic policy, at a discount
/// and a loss for which TD has no guarantee.
template <class Map>
void expect_near_optimal(const Map& map, const AnyLoss& loss, Algorithm algorithm) {
  const Mdp model = library::machine_replacement();
  const MdpSampler sampler(model);
  const double gamma = 0.9;
  const Criterion criterion{loss, gamma};
  const std::vector<double> optimal =
      policy_iteration(model, criterion, {.tolerance = 1e-9}).values;
  EvaluationOptions options = options_with(algorithm, loss, gamma);
  options.samples = algorithm == Algorithm::averager_td ? 8000 : 4000;
  const SampledImprovement improve(sampler, map, options.learner, 40, 77);
  PolicyIteration iteration(DecisionProblem{sampler, map, uniform_start(10)},
                            improve(std::vector<double>(map.dimension(), 0.0), 0), improve,
                            options);
  const auto gap = [&] {
    Policy policy;
    for (StateIndex x = 0; x < 10; ++x) policy.push_back(iteration.policy()(x));
    const auto values =
        evaluate_by_newton(under_policy(model, policy), criterion, {.tolerance = 1e-9}).values;
    double largest = 0.0;
    for (std::size_t x = 0; x < 10; ++x) largest = std::max(largest, values[x] - optimal[x]);
    return largest;
  };
  const double before = gap();
  for (int k = 0; k < 5; ++k) EXPECT_EQ(iteration.iterate().used, 4u);
  EXPECT_GT(before, 1.0);
  EXPECT_LT(gap(), 0.05 * before) << to_string(algorithm);
}

TEST(AveragerPolicyIteration, FindsTheOptimumWithHatsAndWithAggregation) {
  for (const Algorithm algorithm : both) {
    expect_near_optimal(LineHats({0, 2, 4, 6, 9}), Expectile(0.95), algorithm);
    expect_near_optimal(features::Aggregation({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), Expectile(0.95),
                        algorithm);
  }
}

}  // namespace
}  // namespace shortfall::learn::averagers
