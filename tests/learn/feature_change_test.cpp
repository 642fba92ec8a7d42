#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "tests/learn/sampled_evaluation_for_tests.hpp"

/// The features that learners work in when they evaluate from samples.
namespace shortfall::learn::feature_changes {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// 1, x and x² of the number of the state.
class Parabola {
 public:
  std::size_t dimension() const { return 3; }
  void write(StateIndex x, std::span<double> out) const {
    const auto number = static_cast<double>(x);
    out[0] = 1.0;
    out[1] = number;
    out[2] = number * number;
  }
};

features::Normalisation standardised() {
  return features::Normalisation({{0.0, 2.5, 9.0}, {1.0, 1.7, 9.2}}, {1.0, 0.0, 0.0});
}

/// Td in the features of `map`, by a plain loop.
template <class Map>
std::vector<double> plain_td(const Map& map, const AnyStep& step, std::vector<double> theta,
                             const EvaluationOptions& options) {
  const Chain chain = random_chain();
  const ChainSampler sampler(chain);
  const StartLaw start(std::vector<double>(6, 1.0 / 6.0));
  std::vector<double> mean(map.dimension(), 0.0);
  for (std::uint64_t r = 0; r < options.trajectories; ++r) {
    pcg64 bits = stream_generator(options.seed, r);
    Trajectory path(sampler, start, bits, *options.restart);
    AnyStep eta = step;
    std::vector<double> weights = theta;
    std::vector<double> phi(map.dimension());
    std::vector<double> phi_next(map.dimension());
    for (std::uint64_t n = 0; n < options.samples / options.trajectories; ++n) {
      const auto transition = path.step(bits);
      map.write(transition.x, phi);
      map.write(transition.next, phi_next);
      double error = transition.cost;
      for (std::size_t j = 0; j < phi.size(); ++j) {
        error += weights[j] * (gamma_here * phi_next[j] - phi[j]);
      }
      const double moved = eta(n) * options.learner.loss.at(error).value;
      for (std::size_t j = 0; j < phi.size(); ++j) weights[j] += moved * phi[j];
    }
    for (std::size_t j = 0; j < phi.size(); ++j) {
      mean[j] += weights[j] / static_cast<double>(options.trajectories);
    }
  }
  return mean;
}

EvaluationOptions td_with(const AnyStep& step, FeatureChange features) {
  EvaluationOptions options = options_of(Algorithm::td);
  options.learner.step = step;
  options.steps = EvaluationOptions::Steps::given;
  options.features = features;
  options.restart = 0.0;
  return options;
}

TEST(FeatureChange, OfNoneIsPlainTdInTheGivenFeatures) {
  const AnyStep step = PolynomialStep(0.01, 10.0, 0.7);
  const EvaluationOptions options = td_with(step, FeatureChange::none);
  const std::vector<double> guess{5.0, 1.0, -0.1};
  const Evaluation found = evaluate(random_chain(), Parabola(), options, guess);
  const std::vector<double> plain = plain_td(Parabola(), step, guess, options);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(found.theta[j], plain[j], 1e-11 * std::abs(plain[j]));
  }
  EXPECT_EQ(found.used, 4);
}

TEST(FeatureChange, OfNormalisedIsPlainTdInNormalisedFeatures) {
  const AnyStep step = PolynomialStep(0.5, 10.0, 0.7);
  EvaluationOptions options = td_with(step, FeatureChange::normalised);
  const features::Normalisation change = standardised();
  options.normalisation = change;
  const std::vector<double> guess{5.0, 1.0, -0.1};
  const Evaluation found = evaluate(random_chain(), Parabola(), options, guess);
  const std::vector<double> plain =
      change.from_normalised(plain_td(features::Normalised(Parabola(), change.scaling()), step,
                                      change.to_normalised(guess), options));
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(found.theta[j], plain[j], 1e-11 * std::abs(plain[j]));
  }
}

TEST(FeatureChange, OfNormalisedDividesByTheLargestValueByDefault) {
  EvaluationOptions options = td_with(PolynomialStep(0.5, 10.0, 0.7), FeatureChange::normalised);
  const std::vector<double> by_default = evaluate(random_chain(), Parabola(), options).theta;
  options.normalisation = features::Normalisation({{0.0, 0.0, 0.0}, {1.0, 5.0, 25.0}});
  EXPECT_EQ(evaluate(random_chain(), Parabola(), options).theta, by_default);
}

/// Newton's equations are the same in all features that span the same functions. Without the
/// rounding of its sums, whose condition is below 1e4 here, nothing changes.
TEST(FeatureChange, DoesNotMatterToNewton) {
  EvaluationOptions options = options_of(Algorithm::newton);
  const std::vector<double> orthonormal = evaluate(random_chain(), Parabola(), options).theta;
  options.features = FeatureChange::none;
  const std::vector<double> given = evaluate(random_chain(), Parabola(), options).theta;
  options.features = FeatureChange::normalised;
  options.normalisation = standardised();
  const std::vector<double> normalised = evaluate(random_chain(), Parabola(), options).theta;
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(given[j], normalised[j], 1e-9 * std::abs(given[j]));
    EXPECT_NEAR(given[j], orthonormal[j], 1e-9 * std::abs(given[j]));
  }
}

/// With one weight per state the change of V is that of the weights, weighted by the pilot's
/// visits: between the smallest and the largest.
TEST(FeatureChange, MeasuresTheChangeOfValuesInAnyFeatures) {
  EvaluationOptions options = td_with(ConstantStep(0.05), FeatureChange::none);
  const std::vector<double> guess{1, 2, 3, 4, 5, 6};
  const Evaluation found = evaluate(random_chain(), six, options, guess);
  double least = 1e300;
  double most = 0.0;
  for (std::size_t j = 0; j < 6; ++j) {
    least = std::min(least, std::abs(found.theta[j] - guess[j]));
    most = std::max(most, std::abs(found.theta[j] - guess[j]));
  }
  EXPECT_GT(found.change, least);
  EXPECT_LT(found.change, most);
}

TEST(FeatureChange, RejectsTheNormalisationOfOtherFeatures) {
  EvaluationOptions options = td_with(ConstantStep(0.05), FeatureChange::normalised);
  options.normalisation = standardised();
  EXPECT_THAT([&] { (void)evaluate(random_chain(), six, options); },
              ThrowsMessage<InvalidInput>(HasSubstr("a normalisation of 3 features; accepted: 6")));
}

}  // namespace
}  // namespace shortfall::learn::feature_changes
