#include "shortfall/learn/sampled_evaluation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <pcg_random.hpp>
#include <vector>

#include "mdp/chains_for_tests.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/error.hpp"
#include "shortfall/features/dense.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/learn/summary.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"

namespace shortfall::learn {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double gamma_here = 0.8;

/// The random model of 6 states under its policy, costs times a factor.
Chain random_chain(double factor = 1.0) {
  pcg64 generator(21);
  const library::RandomMdp random =
      library::random_mdp({.states = 6, .actions = 2, .features = 2}, generator);
  Outcomes outcomes = under_policy(random.model, random.policy).outcomes();
  for (double& cost : outcomes.cost) cost *= factor;
  return Chain(std::move(outcomes));
}

const StartLaw uniform_start(std::vector<double>(6, 1.0 / 6.0));

EvaluationOptions options_of(Algorithm algorithm, AnyLoss loss = Expectile(0.8)) {
  return {.learner = {.algorithm = algorithm, .loss = std::move(loss), .gamma = gamma_here},
          .samples = 24'000,
          .trajectories = 8,
          .pilot = 1000};
}

template <class Map>
Evaluation evaluate(const Chain& chain, const Map& map, const EvaluationOptions& options,
                    const std::vector<double>& first_guess = {}) {
  const ChainSampler sampler(chain);
  return evaluate_from_samples(Simulation{sampler, map, uniform_start}, first_guess, options);
}

struct Case {
  Algorithm algorithm;
  const char* loss;
};

class EvaluationFromSamples : public ::testing::TestWithParam<Case> {
 protected:
  EvaluationOptions options() const {
    return options_of(GetParam().algorithm, AnyLoss::parse(GetParam().loss));
  }
};

/// Over k seeds. In each state the mean is off by its standard error, known from the spread, and by
/// the bias of a single trajectory, which averaging does not remove; that is taken to be below half
/// of a seed's own deviation.
TEST_P(EvaluationFromSamples, WithAFeatureForEachStateFindsTheExactValues) {
  constexpr std::size_t seeds = 12;
  const Chain chain = random_chain();
  EvaluationOptions options = this->options();
  const Solution exact = evaluate_by_newton(
      chain, {options.learner.loss, gamma_here}, {.tolerance = 1e-9});
  ASSERT_EQ(exact.status, shortfall::Status::converged);
  std::vector<std::vector<double>> found(6);
  for (options.seed = 1; options.seed <= seeds; ++options.seed) {
    const Evaluation one = evaluate(chain, features::Tabular(6), options);
    ASSERT_EQ(one.used, 8);
    for (std::size_t x = 0; x < 6; ++x) found[x].push_back(one.theta[x]);
  }
  const auto [low, high] = std::ranges::minmax(exact.values);
  for (std::size_t x = 0; x < 6; ++x) {
    const Summary summary = summarise(found[x]);
    const double deviation = summary.standard_error * std::sqrt(double(seeds));
    printf("%zu %g %g %g   %g %g\n", x, exact.values[x], summary.mean - exact.values[x], summary.standard_error, low, high);
    EXPECT_NEAR(summary.mean, exact.values[x], 4.0 * summary.standard_error + 0.5 * deviation);
    EXPECT_LT(deviation, 0.1 * (high - low));  // the tolerance tells states apart
  }
}

INSTANTIATE_TEST_SUITE_P(Learners, EvaluationFromSamples,
                         ::testing::Values(Case{Algorithm::td, "mean"},
                                           Case{Algorithm::td, "expectile:0.8"},
                                           Case{Algorithm::td, "entropic:0.05"},
                                           Case{Algorithm::td, "soft-quantile:0.7,2"},
                                           Case{Algorithm::newton, "expectile:0.8"},
                                           Case{Algorithm::newton, "entropic:0.05"}));

}  // namespace
}  // namespace shortfall::learn
