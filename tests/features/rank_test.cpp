#include "shortfall/features/rank.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/polynomial.hpp"

namespace shortfall::features {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

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
