#include "shortfall/features/polynomial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <pcg_random.hpp>
#include <set>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::features {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

static_assert(FeatureMap<Polynomial, std::vector<double>>);
static_assert(FeatureMap<Polynomial, std::array<std::uint8_t, 4>>);
static_assert(FeatureMap<Polynomial, std::span<const int>>);
static_assert(!FeatureMap<Polynomial, double>);

template <class State>
std::vector<double> features_of(const Polynomial& map, const State& x) {
  std::vector<double> phi(map.dimension());
  map.write(x, phi);
  return phi;
}

TEST(Polynomial, HasTheSquareFeaturesInTheDocumentedOrder) {
  const Polynomial map({.variables = 3, .degree = 2});
  EXPECT_THAT(features_of(map, std::vector{2.0, 3.0, 5.0}),
              ElementsAre(1, 2, 3, 5, 4, 6, 10, 9, 15, 25));
  EXPECT_THAT(map.names(), ElementsAre("1", "x1", "x2", "x3", "x1^2", "x1 x2", "x1 x3", "x2^2",
                                       "x2 x3", "x3^2"));
}

TEST(Polynomial, WithoutTheInterceptHasAllFeaturesButTheFirst) {
  const Polynomial map({.variables = 2, .degree = 3, .intercept = Intercept::without});
  EXPECT_THAT(features_of(map, std::array<int, 2>{2, 3}),
              ElementsAre(2, 3, 4, 6, 9, 8, 12, 18, 27));
  EXPECT_THAT(map.names(), ElementsAre("x1", "x2", "x1^2", "x1 x2", "x2^2", "x1^3", "x1^2 x2",
                                       "x1 x2^2", "x2^3"));
}

TEST(Polynomial, OfDegreeOneIsTheStateItself) {
  const Polynomial map({.variables = 2, .degree = 1, .intercept = Intercept::without});
  EXPECT_THAT(features_of(map, std::vector{-7.0, 0.5}), ElementsAre(-7.0, 0.5));
}

/// The second method: exponents are all tuples of sum ≤ p, sorted by degree and then, at the first
/// difference, larger exponents first.
TEST(Polynomial, AgreesWithAllTuplesOfExponentsForManyShapes) {
  pcg64 bits(1);
  for (std::size_t v = 1; v <= 4; ++v) {
    for (std::size_t p = 1; p <= 4; ++p) {
      std::set<std::vector<int>> sorted;  // of (degree, minus the exponents)
      std::vector<int> tuple(v, 0);
      while (true) {
        const int sum = std::accumulate(tuple.begin(), tuple.end(), 0);
        if (sum <= static_cast<int>(p)) {
          std::vector<int> key{sum};
          for (const int e : tuple) key.push_back(-e);
          sorted.insert(key);
        }
        std::size_t i = 0;
        while (i < v && tuple[i] == static_cast<int>(p)) tuple[i++] = 0;
        if (i == v) break;
        ++tuple[i];
      }
      std::vector<double> x(v);
      for (double& entry : x) entry = 2.0 * draw_uniform(bits) - 1.0;
      const Polynomial map({.variables = v, .degree = p});
      const std::vector<double> phi = features_of(map, x);
      ASSERT_EQ(phi.size(), sorted.size());
      std::size_t k = 0;
      for (const auto& key : sorted) {
        double expected = 1.0;
        for (std::size_t i = 0; i < v; ++i) expected *= std::pow(x[i], -key[i + 1]);
        // At most p + v products, each rounded once on both sides, of numbers of size at most 1.
        EXPECT_NEAR(phi[k], expected, 16.0 * std::numeric_limits<double>::epsilon())
            << map.names()[k];
        ++k;
      }
    }
  }
}

TEST(Polynomial, CountsMonomialsAsTheBinomialCoefficientDoes) {
  EXPECT_EQ(Polynomial({.variables = 7, .degree = 2}).dimension(), 36);
  EXPECT_EQ(Polynomial({.variables = 4, .degree = 5}).dimension(), 126);
  EXPECT_EQ(Polynomial({.variables = 1, .degree = 99'999}).dimension(), 100'000);
}

TEST(Polynomial, RejectsShapesThatAreEmptyOrTooLarge) {
  EXPECT_THAT([] { Polynomial({.variables = 0}); },
              ThrowsMessage<InvalidInput>(HasSubstr("0 variables")));
  EXPECT_THAT([] { Polynomial({.variables = 2, .degree = 0}); },
              ThrowsMessage<InvalidInput>(HasSubstr("degree 0; accepted: 1 or more")));
  EXPECT_THAT([] { Polynomial({.variables = 1, .degree = 100'000}); },
              ThrowsMessage<InvalidInput>(HasSubstr("more than 100000 monomials")));
  EXPECT_THAT([] { Polynomial({.variables = ~std::size_t{0} / 2, .degree = 3}); },
              ThrowsMessage<InvalidInput>(HasSubstr("more than 100000 monomials")));
}

TEST(Polynomial, RejectsStatesOfAnotherLengthAndValuesThatOverflow) {
  const Polynomial map({.variables = 2, .degree = 2});
  EXPECT_THAT(
      [&] {
        features_of(map, std::vector{1.0, 2.0, 3.0});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("a state of 3 numbers; accepted: 2")));
  EXPECT_THAT(
      [&] {
        features_of(map, std::vector{1.0, 1e200});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("feature 6 is inf; accepted: a finite")));
  EXPECT_THAT(
      [&] {
        features_of(map, std::vector{std::nan(""), 1.0});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("feature 2 is nan")));
  EXPECT_THAT(features_of(map, std::vector{0.0, 1e154}), ElementsAre(1, 0, 1e154, 0, 0, 1e308));
}

}  // namespace
}  // namespace shortfall::features
