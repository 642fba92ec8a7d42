#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <pcg_random.hpp>
#include <span>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/random_fourier.hpp"
#include "shortfall/features/random_relu.hpp"
#include "shortfall/features/rank.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::features::random_features {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

static_assert(FeatureMap<RandomRelu, std::vector<double>>);
static_assert(FeatureMap<RandomFourier, std::span<const std::uint8_t>>);
static_assert(!FeatureMap<RandomRelu, double>);

const Scaling plane{{1.0, 4.0}, {2.0, 0.5}};

template <class Map, class State>
std::vector<double> written(const Map& map, const State& x) {
  std::vector<double> phi(map.dimension(), -7.0);
  map.write(x, phi);
  return phi;
}

Scaling unscaled(std::size_t variables) {
  return {std::vector<double>(variables, 0.0), std::vector<double>(variables, 1.0)};
}

/// The numbers are those of NumPy's PCG64 with the state that SplitMix64 gives for seed 1, and of
/// Python's log1p and cos: python/tests/test_random_features.py computes them again.
TEST(RandomRelu, HasTheWeightsOfAnIndependentComputation) {
  const RandomRelu map({.scaling = plane, .count = 3});
  const RandomProjection& drawn = map.projection();
  EXPECT_EQ(drawn.weight(0, 0), 0x1.75e61ap-3);
  EXPECT_EQ(drawn.weight(0, 1), -0x1.38b56cp+0);
  EXPECT_EQ(drawn.offset(0), 0x1.ee847ap-5);
  EXPECT_EQ(drawn.weight(1, 0), 0x1.eb51f8p+0);
  EXPECT_EQ(drawn.weight(2, 1), 0x1.9a4a0cp-2);
  EXPECT_EQ(drawn.offset(2), -0x1.1f5d04p+0);
  EXPECT_THAT(written(map, std::array<int, 2>{3, 5}),
              ElementsAre(1.0, 0.0, 5.284270644187927, 0.0));
}

TEST(RandomFourier, HasTheValuesOfAnIndependentComputation) {
  const RandomFourier map({.features = {.scaling = plane, .count = 3}, .length = 2.0});
  const std::vector<double> phi = written(map, std::array<int, 2>{3, 5});
  EXPECT_EQ(map.projection().weight(1, 0), 0.5686058402061462);
  EXPECT_EQ(map.projection().offset(2), 6.016973313317671);
  ASSERT_EQ(phi.size(), 4);
  EXPECT_EQ(phi[0], 1.0);
  // An error of one unit in the last place of an argument below 8 and of a value below 1.
  const double tolerance = 10.0 * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(phi[1], -0.14213654357732416, tolerance);
  EXPECT_NEAR(phi[2], -0.031491656419676085, tolerance);
  EXPECT_NEAR(phi[3], 0.3880965945234013, tolerance);
}

TEST(RandomRelu, PutsInterceptAndScaledCoordinatesFirst) {
  const std::vector<double> x{3.0, 5.0};
  const RandomRelu all({.scaling = plane, .count = 3, .linear_terms = LinearTerms::with});
  EXPECT_THAT(written(all, x), ElementsAre(1.0, 1.0, 2.0, 0.0, 5.284270644187927, 0.0));
  EXPECT_THAT(all.names(), ElementsAre("1", "x1", "x2", "relu1", "relu2", "relu3"));
  const RandomRelu none({.scaling = plane, .count = 3, .intercept = Intercept::without});
  EXPECT_THAT(written(none, x), ElementsAre(0.0, 5.284270644187927, 0.0));
  const RandomFourier linear({.features = {.scaling = plane,
                                           .count = 1,
                                           .intercept = Intercept::without,
                                           .linear_terms = LinearTerms::with}});
  EXPECT_THAT(linear.names(), ElementsAre("x1", "x2", "cos1"));
}

TEST(RandomFeatures, BeginWithThoseOfASmallerNumberAndDependOnTheSeed) {
  const RandomFeatureOptions few{.scaling = unscaled(3), .count = 5, .seed = 9};
  RandomFeatureOptions many = few;
  many.count = 50;
  RandomFeatureOptions other = few;
  other.seed = 10;
  const std::vector<double> x{0.3, -1.0, 2.0};
  const std::vector<double> phi = written(RandomRelu(few), x);
  std::vector<double> beginning = written(RandomRelu(many), x);
  beginning.resize(phi.size());
  EXPECT_EQ(beginning, phi);
  EXPECT_NE(written(RandomRelu(other), x), phi);
}

/// Points in [-1.5, 1.5]³, as pairs.
std::vector<std::array<double, 3>> points(std::size_t count) {
  pcg64 bits(3);
  std::vector<std::array<double, 3>> drawn(count);
  for (auto& x : drawn) {
    for (double& entry : x) entry = 3.0 * draw_uniform(bits) - 1.5;
  }
  return drawn;
}

constexpr std::size_t many_features = 65'536;

/// Hoeffding: each of the pairs is off by ε with probability at most 2 exp(-Dε²/8), so all are
/// within ε with probability 1 - 1e-9 over seeds.
TEST(RandomFourier, ApproximatesTheGaussianKernelWithinHoeffdingsBound) {
  const auto x = points(12);
  const double pairs = 12.0 * 13.0 / 2.0;
  const double bound = std::sqrt(8.0 * std::log(2.0 * pairs / 1e-9) / double{many_features});
  for (const double length : {0.7, 2.0}) {
    const RandomFourier map({.features = {.scaling = unscaled(3),
                                          .count = many_features,
                                          .intercept = Intercept::without},
                             .length = length});
    std::vector<std::vector<double>> phi;
    for (const auto& each : x) phi.push_back(written(map, each));
    for (std::size_t a = 0; a < x.size(); ++a) {
      for (std::size_t b = a; b < x.size(); ++b) {
        double square = 0.0;
        for (std::size_t i = 0; i < 3; ++i) square += (x[a][i] - x[b][i]) * (x[a][i] - x[b][i]);
        const double kernel = std::exp(-square / (2.0 * length * length));
        const double product =
            std::inner_product(phi[a].begin(), phi[a].end(), phi[b].begin(), 0.0);
        EXPECT_NEAR(product, kernel, bound) << length;
      }
    }
  }
}

/// Six times the bound on the standard deviation: E[r²s²] ≤ E[(gᵀu)²(gᵀv)²]/2 ≤ 3‖u‖²‖v‖²/2 by the
/// symmetry of g and by Cauchy and Schwarz.
TEST(RandomRelu, ApproximatesTheArcCosineKernel) {
  const auto x = points(12);
  const RandomRelu map(
      {.scaling = unscaled(3), .count = many_features, .intercept = Intercept::without});
  const auto inner = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 1.0);  // of (a, 1) and (b, 1)
  };
  std::vector<std::vector<double>> phi;
  for (const auto& each : x) phi.push_back(written(map, each));
  for (std::size_t a = 0; a < x.size(); ++a) {
    for (std::size_t b = a; b < x.size(); ++b) {
      const double norms = std::sqrt(inner(x[a], x[a]) * inner(x[b], x[b]));
      const double angle = std::acos(std::min(1.0, inner(x[a], x[b]) / norms));
      const double kernel = norms *
                            (std::sin(angle) + (std::numbers::pi - angle) * std::cos(angle)) /
                            std::numbers::pi;
      const double product = std::inner_product(phi[a].begin(), phi[a].end(), phi[b].begin(), 0.0);
      EXPECT_NEAR(2.0 * product / double{many_features}, kernel,
                  6.0 * norms * std::sqrt(6.0 / double{many_features}));
    }
  }
}

TEST(RandomFourier, HasTheRootOfTheVariablesAsDefaultLength) {
  EXPECT_EQ(RandomFourier({.features = {.scaling = unscaled(4)}}).length(), 2.0);
  EXPECT_EQ(RandomFourier({.features = {.scaling = unscaled(1)}}).length(), 1.0);
}

TEST(RandomFourier, IsIndependentOnMorePointsThanFeatures) {
  const RandomFourier map(
      {.features = {.scaling = unscaled(3), .count = 20, .linear_terms = LinearTerms::with}});
  const RankCheck check = check_rank(Dense::of(map, points(200)), map.names());
  EXPECT_TRUE(check.is_full()) << check.message;
}

/// Beside intercept and linear terms, a hinge adds something if and only if its kink lies among the
/// points.
TEST(RandomRelu, IsIndependentButForHingesOutsideOfTheData) {
  const auto x = points(200);
  const RandomRelu map({.scaling = unscaled(3), .count = 20, .linear_terms = LinearTerms::with});
  std::size_t outside = 0;
  for (std::size_t j = 0; j < 20; ++j) {
    const auto is_positive = [&](const std::array<double, 3>& each) {
      double z = map.projection().offset(j);
      for (std::size_t i = 0; i < 3; ++i) z += map.projection().weight(j, i) * each[i];
      return z > 0.0;
    };
    const auto positive = std::ranges::count_if(x, is_positive);
    if (positive == 0 || positive == 200) ++outside;
  }
  const RankCheck check = check_rank(Dense::of(map, x), map.names());
  EXPECT_EQ(outside, 2);
  EXPECT_EQ(check.rank(), map.dimension() - outside) << check.message;
}

TEST(RandomFeatures, RejectBadOptions) {
  const auto relu = [](RandomFeatureOptions options) { return [options] { RandomRelu{options}; }; };
  EXPECT_THAT(relu({.scaling = {}}), ThrowsMessage<InvalidInput>(HasSubstr("0 variables")));
  EXPECT_THAT(relu({.scaling = {{0.0}, {}}}),
              ThrowsMessage<InvalidInput>(HasSubstr("1 shifts and 0 scales")));
  EXPECT_THAT(relu({.scaling = {{0.0}, {0.0}}}),
              ThrowsMessage<InvalidInput>(HasSubstr("the scale of feature 1 is 0")));
  EXPECT_THAT(relu({.scaling = unscaled(1), .count = 0}),
              ThrowsMessage<InvalidInput>(HasSubstr("0 random features of 1 variables")));
  EXPECT_THAT(relu({.scaling = unscaled(1), .count = ~std::size_t{0}}),
              ThrowsMessage<InvalidInput>(HasSubstr("at most 100000")));
  EXPECT_THAT(relu({.scaling = unscaled(1), .count = 99'999}),
              ThrowsMessage<InvalidInput>(HasSubstr("at most 100000")));
  EXPECT_EQ(RandomRelu({.scaling = unscaled(1), .count = 99'998, .linear_terms = LinearTerms::with})
                .dimension(),
            100'000);
  for (const double length : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT([&] { RandomFourier({.features = {.scaling = unscaled(1)}, .length = length}); },
                ThrowsMessage<InvalidInput>(HasSubstr("accepted: a number > 0")));
  }
}

TEST(RandomFeatures, RejectPointsOfAnotherLengthAndValuesThatAreNotFinite) {
  const RandomRelu relu({.scaling = unscaled(2), .count = 4});
  const RandomFourier fourier({.features = {.scaling = unscaled(2), .count = 4}});
  const auto hinges = [&](std::vector<double> x) { return [&relu, x] { written(relu, x); }; };
  const auto waves = [&](std::vector<double> x) { return [&fourier, x] { written(fourier, x); }; };
  EXPECT_THAT(hinges({1.0}), ThrowsMessage<InvalidInput>(HasSubstr("1 numbers; accepted: 2")));
  EXPECT_THAT(waves({1.0, 2.0, 3.0}), ThrowsMessage<InvalidInput>(HasSubstr("3 numbers")));
  EXPECT_THAT(hinges({std::nan(""), 0.0}), ThrowsMessage<InvalidInput>(HasSubstr("is nan")));
  EXPECT_THAT(waves({0.0, std::numeric_limits<double>::infinity()}),
              ThrowsMessage<InvalidInput>(HasSubstr("accepted: a finite")));
}

}  // namespace
}  // namespace shortfall::features::random_features
