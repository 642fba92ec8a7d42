#include "shortfall/features/dense.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/tabular.hpp"
#include "shortfall/mdp/library/boyan.hpp"

namespace shortfall::features {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

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

}  // namespace
}  // namespace shortfall::features
