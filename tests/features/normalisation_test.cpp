#include "shortfall/features/normalisation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "shortfall/errors/error.hpp"

namespace shortfall::features::normalisations {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(LargestValues, DivideAndKeepZeros) {
  const Scaling scaling = fit_largest(Dense({1.0, -8.0, 0.0, 1.0, 4.0, 0.0}, 3));
  EXPECT_THAT(scaling.scale, ElementsAre(1.0, 8.0, 1.0));
  EXPECT_THAT(scaling.shift, ElementsAre(0.0, 0.0, 0.0));
}

TEST(Normalisation, HasTheValueOfTheHeader) {
  const Normalisation change({{0.0, 2.0}, {1.0, 4.0}}, {1.0, 0.0});
  EXPECT_THAT(change.to_normalised(std::vector{3.0, 8.0}), ElementsAre(19.0, 32.0));
  EXPECT_THAT(change.from_normalised(std::vector{19.0, 32.0}), ElementsAre(3.0, 8.0));
}

/// Two constants that share the states, as weekdays do, and three shifted features. A value is a
/// sum of five products of numbers up to 100 with shifts of as many: 1e-11 is a hundred roundings.
TEST(Normalisation, WritesTheSameFunctionInBothFeatures) {
  std::mt19937 bits(5);
  std::uniform_real_distribution<double> draw(-3.0, 3.0);
  const Scaling scaling{{0.0, 0.0, 1.5, -2.0, 0.25}, {1.0, 1.0, 0.5, 4.0, 30.0}};
  const Normalisation change(scaling, {1.0, 1.0, 0.0, 0.0, 0.0});
  std::vector<double> theta(5);
  for (double& weight : theta) weight = draw(bits);
  const std::vector<double> changed = change.to_normalised(theta);
  const std::vector<double> back = change.from_normalised(changed);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(back[j], theta[j], 1e-12);
  for (int n = 0; n < 20; ++n) {
    std::vector<double> phi{n % 2 == 0 ? 1.0 : 0.0, n % 2 == 0 ? 0.0 : 1.0, draw(bits), draw(bits),
                            draw(bits)};
    double given = 0.0;
    double normalised = 0.0;
    for (std::size_t j = 0; j < 5; ++j) {
      given += phi[j] * theta[j];
      normalised += (phi[j] - scaling.shift[j]) / scaling.scale[j] * changed[j];
    }
    EXPECT_NEAR(normalised, given, 1e-11);
  }
}

TEST(Normalisation, NeedsAConstantOnlyForShifts) {
  EXPECT_THAT(Normalisation({{0.0, 0.0}, {2.0, 4.0}}).to_normalised(std::vector{3.0, 5.0}),
              ElementsAre(6.0, 20.0));
  const auto make = [](Scaling scaling, std::vector<double> constant) {
    return [=] { (void)Normalisation(scaling, constant); };
  };
  EXPECT_THAT(make({{0.0, 1.0}, {1.0, 1.0}}, {}),
              ThrowsMessage<InvalidInput>(HasSubstr("0 weights of the constant for 2 shifted")));
  EXPECT_THAT(make({{0.0, 1.0}, {1.0, 1.0}}, {0.0, 1.0}),
              ThrowsMessage<InvalidInput>(HasSubstr("feature 2 is part of the constant")));
  EXPECT_THAT(make({{0.0, 0.0}, {1.0, 0.0}}, {}),
              ThrowsMessage<InvalidInput>(HasSubstr("the scale of feature 2 is 0")));
}

}  // namespace
}  // namespace shortfall::features::normalisations
