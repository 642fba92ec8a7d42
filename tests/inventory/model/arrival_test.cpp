#include "shortfall/inventory/model/arrival.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

void expect_near(const std::vector<double>& p, const std::vector<double>& known) {
  ASSERT_EQ(p.size(), known.size());
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], known[i], rounding) << i;
}

/// c0 = (1, 0.5), c1 = (-0.2, -0.1). An order of 5 makes all logits 0; those of 0 and 10 are
/// (0, 1, 0.5) and (0, -1, -0.5), with the same probabilities in another order.
TEST(Arrival, HasTheProbabilitiesOfThePublishedModelOfShelfLifeThree) {
  const Arrival arrival = studies::platelets_arrival(3);
  EXPECT_EQ(arrival.shelf_life(), 3);
  EXPECT_FALSE(arrival.is_fresh());
  const double low = 0.18632372322584757702;
  const double high = 0.50648039105565402590;
  const double middle = 0.30719588571849839707;
  expect_near(arrival.probabilities(0), {low, high, middle});
  expect_near(arrival.probabilities(5), {1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect_near(arrival.probabilities(10), {high, low, middle});
}

/// All published slopes are negative, and that of one period left is 0.
TEST(Arrival, OfLargerPublishedOrdersHasMoreUnitsWithOnePeriodLeft) {
  for (const std::size_t m : {3U, 5U, 8U}) {
    const Arrival arrival = studies::platelets_arrival(m);
    for (std::size_t z = 0; z < 20; ++z) {
      EXPECT_LT(arrival.probabilities(z)[0], arrival.probabilities(z + 1)[0]);
    }
  }
}

TEST(Arrival, WithHugeLogitsDoesNotOverflow) {
  const Arrival up = Arrival::logit(3, {1e300, -1e300}, {0.0, 0.0});
  EXPECT_THAT(up.probabilities(7), ElementsAre(0.0, 1.0, 0.0));
  const Arrival down = Arrival::logit(3, {-1e6, -2e6}, {0.0, 0.0});
  EXPECT_THAT(down.probabilities(7), ElementsAre(1.0, 0.0, 0.0));
  const Arrival steep = Arrival::logit(3, {0.0, 0.0}, {800.0, 800.0});
  EXPECT_THAT(steep.probabilities(250), ElementsAre(0.0, 0.5, 0.5));
}

TEST(Arrival, ReturnsItsParameters) {
  const std::vector<double> shares = {0.2, 0.3, 0.5 + 1e-8};
  EXPECT_EQ(Arrival::shares(shares).parameters().shares, shares);  // as given, not rescaled
  const auto logit = Arrival::logit(3, {0.5, 1.0}, {-0.1, -0.2}).parameters();
  EXPECT_TRUE(logit.shares.empty());
  EXPECT_EQ(logit.c0, (std::vector<double>{0.5, 1.0}));
  EXPECT_EQ(logit.c1, (std::vector<double>{-0.1, -0.2}));
  const auto fresh = Arrival::fresh(3).parameters();
  EXPECT_TRUE(fresh.shares.empty() && fresh.c0.empty() && fresh.c1.empty());
}

TEST(Arrival, OfFreshUnitsHasTheFullShelfLife) {
  EXPECT_THAT(Arrival::fresh(4).probabilities(3), ElementsAre(0.0, 0.0, 0.0, 1.0));
  EXPECT_TRUE(Arrival::fresh(4).is_fresh());
  EXPECT_THAT(Arrival::fresh(1).probabilities(3), ElementsAre(1.0));
}

TEST(Arrival, OfOnePeriodLeavesNoChoice) {
  const Arrival arrival = Arrival::logit(1, {}, {});
  EXPECT_TRUE(arrival.is_fresh());
  EXPECT_THAT(arrival.probabilities(2), ElementsAre(1.0));
}

TEST(Arrival, OfSharesHasThemWhateverTheOrder) {
  const Arrival arrival = Arrival::shares({0.25, 0.0, 0.75});
  EXPECT_EQ(arrival.shelf_life(), 3);
  EXPECT_FALSE(arrival.is_fresh());
  EXPECT_FALSE(arrival.depends_on_order());
  EXPECT_EQ(arrival.possible_ages(), 2);
  for (const std::size_t z : {0U, 1U, 250U}) {
    EXPECT_THAT(arrival.probabilities(z), ElementsAre(0.25, 0.0, 0.75));
  }
  const Arrival::Extended extended = arrival.extended_probabilities(7);
  EXPECT_EQ(extended.least_log, std::log(0.25));  // of those that are possible
  EXPECT_LT(extended.relative_error, 1e-18);
  expect_near(Arrival::shares({0.3, 0.7000005}).probabilities(1),
              {0.3 / 1.0000005, 0.7000005 / 1.0000005});
}

TEST(Arrival, OfSharesOfFreshUnitsAloneIsFresh) {
  EXPECT_EQ(Arrival::shares({0.0, 0.0, 1.0}), Arrival::fresh(3));
  EXPECT_EQ(Arrival::shares({1.0}), Arrival::fresh(1));
  EXPECT_NE(Arrival::shares({0.0, 1.0, 0.0}), Arrival::fresh(3));
  EXPECT_NE(Arrival::shares({0.5, 0.5}), Arrival::shares({0.25, 0.75}));
  EXPECT_NE(Arrival::shares({0.5, 0.5}), Arrival::logit(2, {0.0}, {0.0}));
}

TEST(Arrival, RejectsSharesThatAreNoDistribution) {
  const auto refuses = [](std::vector<double> p, const char* message) {
    EXPECT_THAT([&] { Arrival::shares(p); }, ThrowsMessage<InvalidInput>(HasSubstr(message)));
  };
  refuses({}, "no shares on arrival; accepted: one for each number of periods left");
  refuses({0.5, 0.4}, "shares on arrival sum to 0.9; accepted: 1 within 1e-06");
  refuses({1.25, -0.25},
          "share of units with 2 periods left = -0.25; accepted: a number, at least");
  refuses({std::nan(""), 1.0}, "share of units with 1 periods left = nan; accepted");
  refuses({std::numeric_limits<double>::infinity(), 0.0}, "sum to inf; accepted");
}

TEST(Arrival, RejectsTheWrongNumberOfParametersForTheShelfLife) {
  const auto refuses = [](std::size_t m, std::vector<double> c0, std::vector<double> c1,
                          const char* message) {
    EXPECT_THAT([&] { Arrival::logit(m, c0, c1); },
                ThrowsMessage<InvalidInput>(HasSubstr(message)));
  };
  refuses(3, {1.0}, {1.0, 1.0}, "c0 has 1 entries; accepted: 2, for 2 to 3 periods left");
  refuses(3, {1.0, 1.0}, {1.0, 1.0, 1.0}, "c1 has 3 entries; accepted: 2, for 2 to 3 periods");
  refuses(1, {1.0}, {}, "c0 has 1 entries; accepted: 0");
  refuses(2, {std::nan("")}, {1.0}, "c0 is not finite");
  refuses(2, {1.0}, {std::numeric_limits<double>::infinity()}, "c1 is not finite");
  refuses(0, {}, {}, "shelf life = 0; accepted: at least 1");
}

}  // namespace
}  // namespace shortfall::inventory
