#include "shortfall/features/polynomial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pcg_random.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/dense.hpp"
#include "shortfall/features/rank.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/mdp/library.hpp"
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

static_assert(FeatureMap<Dense, StateIndex>);
static_assert(FeatureMap<Tabular, StateIndex>);
static_assert(!FeatureMap<Tabular, std::vector<double>>);

TEST(Tabular, OverwritesTheOutputWithOneInItsStateAndZeroElsewhere) {
  const Tabular map(4);
  std::vector<double> phi(4, 7.0);
  map.write(2, phi);
  EXPECT_THAT(phi, ElementsAre(0, 0, 1, 0));
  EXPECT_EQ(map.dimension(), 4);
}

TEST(Tabular, HasTheIdentityAsItsMatrix) {
  const Dense all = Dense::of(Tabular(5), std::vector<StateIndex>{0, 1, 2, 3, 4});
  EXPECT_EQ(all.matrix(), Eigen::MatrixXd::Identity(5, 5));
}

TEST(Dense, StoresTheGivenRowsContiguously) {
  const Dense map({1, 2, 3, 4, 5, 6}, 3);
  EXPECT_EQ(map.states(), 2);
  EXPECT_EQ(map.dimension(), 3);
  EXPECT_THAT(map.row(1), ElementsAre(4, 5, 6));
  std::vector<double> phi(3);
  map.write(0, phi);
  EXPECT_THAT(phi, ElementsAre(1, 2, 3));
}

TEST(Dense, ConvertsFromAndToAnEigenMatrix) {
  const Eigen::MatrixXd phi = library::boyan_features();
  const Dense map(phi);
  EXPECT_EQ(map.matrix(), phi);
  EXPECT_THAT(map.row(1), ElementsAre(0.75, 0.25, 0, 0));
}

TEST(Dense, TakesASampleOfStatesInItsOrder) {
  const Dense map({1, 2, 3, 4, 5, 6}, 2);
  const Dense sample = Dense::of(map, std::vector<StateIndex>{2, 0, 2});
  EXPECT_EQ(sample.states(), 3);
  EXPECT_THAT(sample.row(0), ElementsAre(5, 6));
  EXPECT_THAT(sample.row(1), ElementsAre(1, 2));
  EXPECT_THAT(sample.row(2), ElementsAre(5, 6));
}

TEST(Dense, RejectsAnythingButAMatrixOfFiniteNumbers) {
  EXPECT_THAT([] { Dense({}, 0); }, ThrowsMessage<InvalidInput>(HasSubstr("no features")));
  EXPECT_THAT(
      [] {
        Dense({1, 2, 3}, 2);
      },
      ThrowsMessage<InvalidInput>(HasSubstr("3 entries do not fill whole rows")));
  EXPECT_THAT(
      [] {
        Dense({1, 2, 3, std::numeric_limits<double>::infinity()}, 2);
      },
      ThrowsMessage<InvalidInput>(HasSubstr("feature 2 is inf in state 1")));
}

using ::testing::SizeIs;

/// All pairs (i, j) with i, j in 0..n-1.
std::vector<std::vector<double>> grid(int n) {
  std::vector<std::vector<double>> states;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) states.push_back({double(i), double(j)});
  }
  return states;
}

TEST(Rank, IsFullForSquaresOnAGridOfThreeButNotOfTwo) {
  const Polynomial map({.variables = 2, .degree = 2});
  const RankCheck three = check_rank(Dense::of(map, grid(3)), map.names());
  EXPECT_TRUE(three.is_full());
  EXPECT_EQ(three.rank(), 6);
  EXPECT_EQ(three.message, "6 linearly independent features on a sample of 9");

  // On {0, 1}, x² is x; and 4 points are too few for 6 features.
  const RankCheck two = check_rank(Dense::of(map, grid(2)));
  EXPECT_EQ(two.rank(), 4);
  EXPECT_EQ(two.message, "a sample of 4 is too small for 6 features");
}

TEST(Rank, NamesTheFeatureThatDependsAndThoseItDependsOn) {
  const Polynomial map({.variables = 2, .degree = 2});
  std::vector<std::vector<double>> states;  // x2 in {0, 1}: x2² is x2
  for (int i = 0; i < 4; ++i) {
    states.push_back({double(i), 0.0});
    states.push_back({double(i), 1.0});
  }
  const RankCheck check = check_rank(Dense::of(map, states), map.names());
  EXPECT_FALSE(check.is_full());
  EXPECT_EQ(check.rank(), 5);
  ASSERT_THAT(check.dependent, SizeIs(1));
  EXPECT_EQ(check.dependent[0].feature, 5);
  EXPECT_THAT(check.dependent[0].on, ElementsAre(2));
  EXPECT_EQ(check.message, "on a sample of 8: feature 6 (x2^2) is a combination of feature 3 (x2)");
}

/// The third column is the first minus twice the second; the fourth is zero.
TEST(Rank, CountsFromOneWithoutNames) {
  const Dense sample({1, 0, 1, 0, 0, 1, -2, 0, 1, 1, -1, 0, 2, 5, -8, 0}, 4);
  const RankCheck check = check_rank(sample);
  EXPECT_EQ(check.rank(), 2);
  EXPECT_THAT(check.message, HasSubstr("feature 3 is a combination of features 1, 2"));
  EXPECT_THAT(check.message, HasSubstr("feature 4 is zero"));
}

TEST(Rank, DoesNotDependOnTheScaleOfFeatures) {
  const Dense sample({1e-100, 1e100, 2e-100, 3e100, 5e-100, 1e100}, 2);
  EXPECT_TRUE(check_rank(sample).is_full());
}

TEST(Rank, IsFoundForAMillionRows) {
  std::vector<double> entries;
  for (int i = 0; i < 1'000'000; ++i) {
    entries.push_back(1.0);
    entries.push_back(i == 7 ? 1.0 : 0.0);  // far from the intercept: their angle is near 90°
  }
  EXPECT_TRUE(check_rank(Dense(std::move(entries), 2)).is_full());
}

TEST(Rank, RejectsAnEmptySampleAndTheWrongNumberOfNames) {
  EXPECT_THAT([] { (void)check_rank(Dense({}, 2)); },
              ThrowsMessage<InvalidInput>(HasSubstr("a sample of 0 rows")));
  const std::vector<std::string> names{"only one"};
  EXPECT_THAT(
      [&] {
        (void)check_rank(Dense({1, 2}, 2), names);
      },
      ThrowsMessage<InvalidInput>(HasSubstr("1 names of features; accepted: none, or 2")));
}

}  // namespace
}  // namespace shortfall::features
