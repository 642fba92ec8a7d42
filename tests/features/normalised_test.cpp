#include "shortfall/features/normalised.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/polynomial.hpp"
#include "shortfall/features/rank.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::features {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

static_assert(FeatureMap<Normalised<Polynomial>, std::vector<double>>);
static_assert(FeatureMap<Normalised<Dense>, StateIndex>);

constexpr double unit = std::numeric_limits<double>::epsilon();

/// Column 1 is {1, 3, 5, 7}: mean 4, squares of deviations 9 + 1 + 1 + 9, so √5.
TEST(Normalised, SubtractsTheMeanAndDividesByTheDeviationOfTheSample) {
  const Dense sample({1, 1, 1, 3, 1, 5, 1, 7}, 2);
  const Scaling scaling = fit_scaling(sample);
  EXPECT_THAT(scaling.shift, ElementsAre(0, 4));
  EXPECT_EQ(scaling.scale[0], 1.0);
  EXPECT_NEAR(scaling.scale[1], std::sqrt(5.0), 4.0 * unit);
  const Normalised<Dense> map(sample, scaling);
  std::vector<double> phi(2);
  map.write(StateIndex{3}, phi);
  EXPECT_EQ(phi[0], 1.0);
  EXPECT_NEAR(phi[1], 3.0 / std::sqrt(5.0), 4.0 * unit);
}

TEST(Normalised, HasMeanZeroAndMeanSquareOneOnItsSample) {
  pcg64 bits(3);
  std::vector<std::vector<double>> states(200, std::vector<double>(3));
  for (auto& x : states) {
    for (double& entry : x) entry = 20.0 * draw_uniform(bits);
  }
  const auto map = Normalised<Polynomial>::fit(Polynomial({.variables = 3, .degree = 3}), states);
  const Dense rows = Dense::of(map, states);
  for (std::size_t j = 1; j < rows.dimension(); ++j) {
    double mean = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < rows.states(); ++i) {
      mean += rows.row(i)[j] / 200.0;
      square += rows.row(i)[j] * rows.row(i)[j] / 200.0;
    }
    // Sums of 200 terms of size at most 10 here, after a mean off by 200 roundings of 20³ / σ.
    EXPECT_NEAR(mean, 0.0, 200.0 * 20.0 * unit) << map.names()[j];
    EXPECT_NEAR(square, 1.0, 200.0 * 20.0 * unit) << map.names()[j];
  }
}

TEST(Normalised, LeavesConstantFeaturesUnchanged) {
  const std::vector<double> constants{1.0, 0.0, -3.0, 0.1, 1e300};
  std::vector<double> entries;
  for (int i = 0; i < 1000; ++i) entries.insert(entries.end(), constants.begin(), constants.end());
  const Scaling scaling = fit_scaling(Dense(entries, constants.size()));
  EXPECT_THAT(scaling.shift, ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(scaling.scale, ElementsAre(1, 1, 1, 1, 1));
}

TEST(Normalised, DistinguishesAConstantFeatureFromOneThatVariesLittle) {
  // Differences of half and of twice the tolerance, relative to the larger value.
  const Scaling below = fit_scaling(Dense({1.0, 1.0 + 0.5 * constant_tolerance}, 1));
  EXPECT_EQ(below.scale[0], 1.0);
  const Scaling above = fit_scaling(Dense({1.0, 1.0 + 2.0 * constant_tolerance}, 1));
  // Two values 2t apart have deviation t; they are themselves rounded to units of ε.
  EXPECT_NEAR(above.scale[0], constant_tolerance, 2.0 * unit);
  const Scaling near_zero = fit_scaling(Dense({-1e-200, 1e-200}, 1));
  EXPECT_NEAR(near_zero.scale[0] / 1e-200, 1.0, 4.0 * unit);
}

/// With an intercept, shifting and scaling changes the basis and not the span.
TEST(Normalised, SpansTheSameFunctionsAsBefore) {
  std::vector<std::vector<double>> states;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) states.push_back({double(i), double(j)});
  }
  const Polynomial raw({.variables = 2, .degree = 2});
  const auto map = Normalised<Polynomial>::fit(raw, states);
  const Eigen::MatrixXd phi = Dense::of(map, states).matrix();
  const std::vector<double> uniform(states.size(), 1.0 / 36.0);
  const theory::Projection onto(phi, uniform);
  const Eigen::MatrixXd before = Dense::of(raw, states).matrix();
  for (Eigen::Index j = 0; j < before.cols(); ++j) {
    // Condition below 100, features up to 25: a projection is exact to some 1e4 ε.
    EXPECT_LT((onto(before.col(j)) - before.col(j)).cwiseAbs().maxCoeff(), 1e4 * unit);
  }
  EXPECT_LT(onto.condition(), 100.0);
}

TEST(Normalised, DoesNotOverflowOnLargeFeatures) {
  const Scaling scaling = fit_scaling(Dense({-1e200, 1e200, -1e200, 1e200}, 1));
  EXPECT_NEAR(scaling.scale[0] / 1e200, 1.0, 4.0 * unit);
}

TEST(Normalised, RejectsScalingsOfTheWrongSize) {
  const Dense phi({1, 2, 3, 4}, 2);
  const auto make = [&](Scaling scaling) { Normalised<Dense>(phi, std::move(scaling)); };
  EXPECT_THAT(
      [&] {
        make({{0.0}, {1.0}});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("1 shifts and 1 scales; accepted: one of each "
                                            "for 2 features")));
  EXPECT_THAT(
      [&] {
        make({{0.0, 0.0}, {1.0, 0.0}});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("the scale of feature 2 is 0")));
  EXPECT_THAT(
      [&] {
        make({{std::nan(""), 0.0}, {1.0, 1.0}});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("the shift of feature 1 is nan")));
  EXPECT_THAT([] { fit_scaling(Dense({}, 2)); },
              ThrowsMessage<InvalidInput>(HasSubstr("a sample of 0 rows")));
}

TEST(Normalised, RejectsAFeatureThatOverflowsWhenScaled) {
  const Normalised<Dense> map(Dense({1e300}, 1), {{0.0}, {1e-300}});
  std::vector<double> phi(1);
  EXPECT_THAT([&] { map.write(StateIndex{0}, phi); },
              ThrowsMessage<InvalidInput>(HasSubstr("feature 1 is inf")));
}

}  // namespace
}  // namespace shortfall::features
