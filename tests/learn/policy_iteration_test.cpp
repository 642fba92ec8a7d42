#include "shortfall/learn/policy_iteration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <pcg_random.hpp>
#include <utility>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/features/dense.hpp"
#include "shortfall/features/polynomial.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"

namespace shortfall::learn {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// A model, its exact optimum, and the comparison of policies with it.
class Problem {
 public:
  Problem(Mdp model, AnyLoss loss, double gamma)
      : model_(std::move(model)),
        sampler_(model_),
        criterion_{std::move(loss), gamma},
        optimal_(policy_iteration(model_, criterion_, {.tolerance = 1e-9})) {}

  const Mdp& model() const { return model_; }
  const MdpSampler& sampler() const { return sampler_; }
  const Solution& optimal() const { return optimal_; }
  StartLaw start() const {  // uniform on all non-terminal states
    std::vector<double> law(model_.states());
    for (std::size_t x = 0; x < law.size(); ++x) law[x] = model_.is_terminal(x) ? 0.0 : 1.0;
    const double sum = std::accumulate(law.begin(), law.end(), 0.0);
    for (double& probability : law) probability /= sum;
    return StartLaw(law);
  }
  LearnerOptions learner(Algorithm algorithm = Algorithm::td) const {
    return {.algorithm = algorithm, .loss = criterion_.loss, .gamma = criterion_.gamma};
  }

  template <class PolicyFunction>
  Policy table(const PolicyFunction& policy) const {
    Policy result;
    for (StateIndex x = 0; x < model_.states(); ++x) {
      result.push_back(model_.is_terminal(x) ? no_action : policy(x));
    }
    return result;
  }
  std::vector<double> values(const Policy& policy) const {
    return evaluate_by_newton(under_policy(model_, policy), criterion_, {.tolerance = 1e-9}).values;
  }
  /// max over x of V^π(x) - V*(x).
  double gap(const Policy& policy) const {
    const std::vector<double> found = values(policy);
    double largest = 0.0;
    for (std::size_t x = 0; x < found.size(); ++x) {
      largest = std::max(largest, found[x] - optimal_.values[x]);
    }
    return largest;
  }
  /// The exact greedy action of a table of values.
  ActionIndex greedy(const std::vector<double>& v, StateIndex x) const {
    ActionIndex best = no_action;
    double lowest = 0.0;
    for (std::size_t r = model_.state_begin()[x]; r < model_.state_begin()[x + 1]; ++r) {
      const Outcomes::Row row = model_.law(r);
      std::vector<double> targets;
      for (std::size_t i = 0; i < row.next.size(); ++i) {
        targets.push_back(row.cost[i] + criterion_.gamma * v[row.next[i]]);
      }
      const double risk =
          shortfall_risk(criterion_.loss, {.atoms = targets, .probabilities = row.probability});
      if (best != no_action && risk >= lowest) continue;
      best = model_.action_of_row(r);
      lowest = risk;
    }
    return best;
  }

 private:
  Mdp model_;
  MdpSampler sampler_;
  Criterion criterion_;
  Solution optimal_;
};

/// With rewards so different that no two actions are nearly tied, which samples could not
/// distinguish.
Problem swimmer(AnyLoss loss) {
  return {library::river_swim({.small_reward = 0.2, .large_reward = 100.0}), std::move(loss), 0.95};
}
Problem machine(AnyLoss loss) {
  return {library::machine_replacement(), std::move(loss), 0.9};
}

/// Four states in a row and an end. A step forward is certain at cost 2, or succeeds with
/// probability 0.6 at cost 1.
Problem walker(AnyLoss loss) {
  TransitionTable table;
  for (StateIndex x = 0; x < 4; ++x) {
    table.add(x, 0, x + 1, Probability(1.0), 2.0);
    table.add(x, 1, x + 1, Probability(0.6), 1.0);
    table.add(x, 1, x, Probability(0.4), 1.0);
  }
  return {Mdp::build(std::move(table)), std::move(loss), 0.95};
}

/// A pilot that misses no state: each starts at least a hundredth of the steps.
EvaluationOptions brief(const LearnerOptions& learner) {
  return {.learner = learner, .samples = 4000, .trajectories = 4, .pilot = 1000};
}

/// Begins with the greedy policy of θ = 0, the myopic one.
template <class Map>
auto iteration_of(const Problem& problem, const Map& map, const EvaluationOptions& options,
                  const Execution& execution = {}) {
  const SampledImprovement improve(problem.sampler(), map, options.learner, 40, 77);
  return PolicyIteration(DecisionProblem{problem.sampler(), map, problem.start()},
                         improve(std::vector<double>(map.dimension(), 0.0), 0), improve, options,
                         execution);
}

/// The allowed gap is a hundredth of the loss of the first policy.
template <class Map>
void expect_near_optimal(const Problem& problem, const Map& map, Algorithm algorithm) {
  auto iteration = iteration_of(problem, map, brief(problem.learner(algorithm)));
  const double before = problem.gap(problem.table(iteration.policy()));
  for (int k = 0; k < 5; ++k) {
    const Evaluation evaluation = iteration.iterate();
    EXPECT_EQ(evaluation.used, 4);
    EXPECT_EQ(evaluation.theta, iteration.theta());
  }
  EXPECT_EQ(iteration.iteration(), 5);
  EXPECT_GT(before, 1.0);
  EXPECT_LT(problem.gap(problem.table(iteration.policy())), 0.01 * before);
}

/// The wear of a machine's ten states, as polynomials of degree three.
features::Dense wear_polynomials() {
  std::vector<std::vector<double>> wear;
  for (int x = 0; x < 10; ++x) wear.push_back({0.1 * x});
  return features::Dense::of(features::Polynomial({.variables = 1, .degree = 3}), wear);
}

TEST(PolicyIterationFromSamples, FindsTheOptimumOfRiverSwim) {
  for (const char* spec : {"expectile:0.6", "entropic:0.005"}) {
    SCOPED_TRACE(spec);
    const Problem problem = swimmer(AnyLoss::parse(spec));
    expect_near_optimal(problem, features::Tabular(6), Algorithm::td);
    expect_near_optimal(problem, features::Tabular(6), Algorithm::newton);
  }
}

TEST(PolicyIterationFromSamples, FindsTheOptimumOfMachineReplacement) {
  for (const char* spec : {"expectile:0.8", "entropic:0.05"}) {
    SCOPED_TRACE(spec);
    const Problem problem = machine(AnyLoss::parse(spec));
    expect_near_optimal(problem, features::Tabular(10), Algorithm::td);
    expect_near_optimal(problem, wear_polynomials(), Algorithm::td);
    expect_near_optimal(problem, wear_polynomials(), Algorithm::newton);
  }
}

TEST(PolicyIterationFromSamples, FindsTheOptimumOfAnEpisodicModel) {
  const Problem careful = walker(Expectile(0.95));
  EXPECT_THAT(careful.optimal().policy, ElementsAre(0, 0, 0, 0, no_action));
  expect_near_optimal(careful, features::Tabular(5), Algorithm::td);
}

TEST(PolicyIterationFromSamples, ResumesIdentically) {
  const Problem problem = machine(Expectile(0.8));
  const features::Dense map = wear_polynomials();
  const EvaluationOptions options = brief(problem.learner());
  auto whole = iteration_of(problem, map, options);
  for (int k = 0; k < 2; ++k) (void)whole.iterate();
  // θ and the iteration number are kept; the policy is rebuilt from them.
  auto resumed = iteration_of(problem, map, options);
  const SampledImprovement improve(problem.sampler(), map, options.learner, 40, 77);
  resumed.resume(2, whole.theta(), improve(whole.theta(), 2));
  EXPECT_EQ(resumed.iteration(), 2);
  for (int k = 0; k < 2; ++k) {
    const Evaluation one = whole.iterate();
    const Evaluation other = resumed.iterate();
    EXPECT_EQ(one.change, other.change);
    EXPECT_EQ(whole.theta(), resumed.theta());
    EXPECT_EQ(problem.table(whole.policy()), problem.table(resumed.policy()));
  }
  EXPECT_EQ(resumed.iteration(), 4);
  // Another number would draw other samples.
  auto fourth = iteration_of(problem, map, options);
  fourth.resume(4, whole.theta(), whole.policy());
  auto fifth = iteration_of(problem, map, options);
  fifth.resume(5, whole.theta(), whole.policy());
  (void)fourth.iterate();
  (void)fifth.iterate();
  EXPECT_NE(fourth.theta(), fifth.theta());
}

TEST(PolicyIterationFromSamples, StartsFromAnInitialGuessOfTheWeights) {
  const Problem problem = machine(Expectile(0.8));
  const features::Tabular map(10);
  auto iteration = iteration_of(problem, map, brief(problem.learner()));
  EXPECT_THAT(iteration.theta(), Each(0.0));
  const SampledImprovement improve(problem.sampler(), map, problem.learner(), 40, 77);
  const std::vector<double>& exact = problem.optimal().values;
  iteration.resume(0, exact, improve(exact, 0));
  // Under V* the policy is optimal; evaluating it changes little, starting from zeros a lot.
  EXPECT_EQ(problem.table(iteration.policy()), problem.optimal().policy);
  const double from_exact = iteration.iterate().change;
  auto other = iteration_of(problem, map, brief(problem.learner()));
  EXPECT_LT(from_exact, 0.1 * other.iterate().change);
}

TEST(PolicyIterationFromSamples, IsBitwiseIdenticalForAnyNumberOfThreads) {
  const Problem problem = swimmer(Expectile(0.7));
  const features::Tabular map(6);
  const auto run = [&](int threads) {
    auto iteration = iteration_of(problem, map, brief(problem.learner()), {.threads = threads});
    for (int k = 0; k < 3; ++k) (void)iteration.iterate();
    return std::pair(iteration.theta(), problem.table(iteration.policy()));
  };
  EXPECT_EQ(run(1), run(2));
}

/// A policy as a table; Improve lists it for all states from exact risks, and records when.
struct Listed {
  Policy action;
  ActionIndex operator()(StateIndex x) const { return action[x]; }
};

TEST(PolicyIterationFromSamples, AcceptsAnyImprovementMethod) {
  const Problem problem = machine(Expectile(0.8));
  const features::Tabular map(10);
  std::vector<int> asked;
  const auto improve = [&](const std::vector<double>& theta, int iteration) {
    asked.push_back(iteration);
    return Listed{problem.table([&](StateIndex x) { return problem.greedy(theta, x); })};
  };
  const Listed never_replace{Policy(10, 0)};
  PolicyIteration iteration(DecisionProblem{problem.sampler(), map, problem.start()}, never_replace,
                            improve, brief(problem.learner()));
  EXPECT_EQ(iteration.policy().action, never_replace.action);
  for (int k = 0; k < 4; ++k) (void)iteration.iterate();
  EXPECT_THAT(asked, ElementsAre(1, 2, 3, 4));
  EXPECT_LT(problem.gap(iteration.policy().action), 0.01 * problem.gap(never_replace.action));
}

TEST(PolicyChain, TakesTheActionOfThePolicy) {
  const Problem problem = walker(Mean{});
  const Listed policy{{0, 1, 0, 1, no_action}};
  const PolicyChain chain(problem.sampler(), policy);
  static_assert(GenerativeChain<PolicyChain<MdpSampler, Listed>, pcg64>);
  pcg64 bits(3);
  for (const StateIndex x : {0U, 1U, 2U, 3U}) {
    EXPECT_EQ(chain.step(x, bits).cost, x % 2 == 0 ? 2.0 : 1.0);
    EXPECT_FALSE(chain.is_terminal(x));
  }
  EXPECT_TRUE(chain.is_terminal(4));
}

}  // namespace
}  // namespace shortfall::learn
