#include "shortfall/mdp/mdp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "shortfall/numbers/infinity.hpp"
#include "tests/mdp/row_blamed.hpp"

namespace shortfall {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// States 0 and 1 with two actions and one, state 2 terminal; probabilities are exact in binary.
TransitionTable small_table() {
  TransitionTable table;
  table.add(0, 0, 1, Probability(0.25), 1.0);
  table.add(0, 0, 2, Probability(0.75), 2.0);
  table.add(0, 1, 0, Probability(1.0), 3.0);
  table.add(1, 0, 0, Probability(0.5), 4.0);
  table.add(1, 0, 2, Probability(0.5), 5.0);
  return table;
}

template <class Table>
concept TakesACostForAProbability = requires(Table table) {
  table.add(0u, 0, 0u, 1.0, Probability(0.5));
}
|| requires(Table table) {
  table.add(0u, 0, 0u, 0.5, 1.0);
};
static_assert(!TakesACostForAProbability<TransitionTable>);

TransitionTable reordered(const TransitionTable& table, const std::vector<std::size_t>& order) {
  TransitionTable result;
  for (const std::size_t i : order) {
    result.add(table.from[i], table.action[i], table.to[i], Probability(table.probability[i]),
               table.cost[i]);
  }
  return result;
}

TEST(MdpBuild, GroupsOutcomesByStateAndAction) {
  const Mdp model = Mdp::build(small_table());
  EXPECT_EQ(model.states(), 3);
  EXPECT_THAT(model.state_begin(), ElementsAre(0, 2, 3, 3));
  EXPECT_THAT(model.outcomes().row_begin, ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(model.law(0).probability, ElementsAre(0.25, 0.75));
  EXPECT_THAT(model.law(0).cost, ElementsAre(1.0, 2.0));
  EXPECT_THAT(model.law(0).next, ElementsAre(1, 2));
  EXPECT_EQ(model.find_row(0, 1), 1);
  EXPECT_EQ(model.find_row(1, 1), std::nullopt);
}

TEST(MdpBuild, TreatsAStateWithoutRowsAsTerminal) {
  const Mdp model = Mdp::build(small_table());
  EXPECT_TRUE(model.has_terminal_states());
  EXPECT_FALSE(model.is_terminal(1));
  EXPECT_TRUE(model.is_terminal(2));
}

TEST(MdpBuild, GivesTheSameModelForEveryOrderOfTheTable) {
  const TransitionTable table = small_table();
  const Mdp sorted = Mdp::build(table);
  std::vector<std::size_t> order(table.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  int orders = 0;
  do {
    const Mdp model = Mdp::build(reordered(table, order));
    ASSERT_EQ(model.state_begin(), sorted.state_begin());
    ASSERT_EQ(model.outcomes().row_begin, sorted.outcomes().row_begin);
    ASSERT_EQ(model.outcomes().probability, sorted.outcomes().probability);
    ASSERT_EQ(model.outcomes().cost, sorted.outcomes().cost);
    ASSERT_EQ(model.outcomes().next, sorted.outcomes().next);
    for (std::size_t r = 0; r < 3; ++r) ASSERT_EQ(model.action_of_row(r), sorted.action_of_row(r));
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 120);
}

TEST(MdpBuild, LeavesOutOutcomesOfProbabilityZero) {
  TransitionTable table = small_table();
  table.add(0, 1, 2, Probability(0.0), 100.0);
  const Mdp model = Mdp::build(table);
  EXPECT_EQ(model.outcomes().size(), 5);
  EXPECT_THAT(model.law(1).next, ElementsAre(0));
}

TEST(MdpBuild, KeepsAStateThatIsNamedOnlyWithProbabilityZero) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(1.0), 0.0);
  table.add(0, 0, 1, Probability(0.0), 0.0);
  const Mdp model = Mdp::build(table);
  EXPECT_EQ(model.states(), 2);
  EXPECT_TRUE(model.is_terminal(1));
}

TEST(MdpBuild, KeepsOutcomesWithTheSameSuccessorAndDifferentCostsSeparate) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(0.5), 1.0);
  table.add(0, 0, 0, Probability(0.5), 9.0);
  const Mdp model = Mdp::build(table);
  EXPECT_THAT(model.law(0).cost, ElementsAre(1.0, 9.0));
  EXPECT_THAT(model.law(0).probability, ElementsAre(0.5, 0.5));
}

TEST(MdpBuild, RescalesProbabilitiesThatSumToOneWithinTheTolerance) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(0.5 + 4e-7), 0.0);
  table.add(0, 0, 1, Probability(0.5 + 4e-7), 0.0);
  const Mdp model = Mdp::build(table);
  EXPECT_THAT(model.law(0).probability, ElementsAre(0.5, 0.5));
}

/// One state with a choice of costs, all of which lead back to it.
Mdp lottery(std::span<const double> probabilities) {
  TransitionTable table;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    table.add(0, 0, 0, Probability(probabilities[k]), static_cast<double>(k));
  }
  return Mdp::build(table);
}

TEST(MdpBuild, KeepsTheBitsOfProbabilitiesThatItHasRescaledBefore) {
  std::mt19937_64 bits(1);
  for (int k = 0; k < 300; ++k) {
    std::vector<double> weights(2 + bits() % 7);
    for (double& weight : weights) weight = static_cast<double>(bits() >> 11);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
    const Mdp once = lottery(weights);
    const Mdp twice = lottery(once.law(0).probability);
    EXPECT_THAT(twice.law(0).probability, ElementsAreArray(once.law(0).probability));
  }
}

TEST(MdpBuild, RescalesFromTwiceTheRoundingOfASumOn) {
  const double kept = 0.5 + rescaled_tolerance;  // the sum is off by the tolerance itself
  EXPECT_THAT(lottery(std::vector{0.5, kept}).law(0).probability, ElementsAre(0.5, kept));
  const double rescaled = 0.5 + 2.0 * rescaled_tolerance;
  EXPECT_LT(lottery(std::vector{0.5, rescaled}).law(0).probability[0], 0.5);
}

TEST(MdpBuild, NamesStateActionAndSumIfProbabilitiesDoNotSumToOne) {
  for (const double excess : {-0x1.0p-18, 0x1.0p-18}) {
    TransitionTable table = small_table();
    table.state_base = 1;
    table.action_base = 1;
    table.probability[3] += excess;
    EXPECT_THAT(
        [&] { Mdp::build(table); },
        ThrowsMessage<InvalidModel>(AllOf(HasSubstr("state 2, action 1"),
                                          HasSubstr(excess > 0 ? "1.0000038" : "0.9999961"))));
  }
  TransitionTable within = small_table();
  within.probability[3] += 0.9e-6;
  EXPECT_NO_THROW(Mdp::build(within));
}

TEST(MdpBuild, ReportsTheFirstTableRowOfABadPairEvenIfUnsorted) {
  const TransitionTable table = reordered(small_table(), {3, 0, 2, 4, 1});
  TransitionTable missing_mass = table;
  missing_mass.probability[4] = 0.5;  // state 0, action 0, whose first row is row 1
  EXPECT_EQ(testing::row_blamed(missing_mass), 1);
  TransitionTable negative = table;
  negative.probability[3] = -0.5;
  EXPECT_EQ(testing::row_blamed(negative), 3);
}

TEST(MdpBuild, RejectsInvalidProbabilitiesAndCosts) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double p : {-0.25, 1.25, nan, infinity}) {
    TransitionTable table = small_table();
    table.probability[1] = p;
    EXPECT_THAT([&] { Mdp::build(table); },
                ThrowsMessage<InvalidModel>(
                    AllOf(HasSubstr("state 0, action 0"), HasSubstr("to state 2"))));
  }
  for (const double cost : {nan, infinity, -infinity}) {
    TransitionTable table = small_table();
    table.cost[2] = cost;
    EXPECT_THAT(
        [&] { Mdp::build(table); },
        ThrowsMessage<InvalidModel>(AllOf(HasSubstr("state 0, action 1"), HasSubstr("finite"))));
  }
}

TEST(MdpBuild, RejectsAGapInTheStateIds) {
  TransitionTable table = small_table();
  table.to[1] = 4;
  table.to[4] = 4;
  table.state_base = 1;
  EXPECT_THAT([&] { Mdp::build(table); },
              ThrowsMessage<InvalidModel>(AllOf(HasSubstr("state ids are not consecutive"),
                                                HasSubstr("5 appears but 3 does not"))));
  table.to[1] = std::numeric_limits<StateIndex>::max();  // no memory of that size is requested
  EXPECT_EQ(testing::row_blamed(table), 1);
}

TEST(MdpBuild, RejectsAGapInTheActionIds) {
  TransitionTable table = small_table();
  table.action[2] = 2;
  EXPECT_THAT([&] { Mdp::build(table); },
              ThrowsMessage<InvalidModel>(AllOf(HasSubstr("action ids are not consecutive"),
                                                HasSubstr("2 appears but 1 does not"))));
  table.action[2] = -1;
  EXPECT_THAT([&] { Mdp::build(table); }, ThrowsMessage<InvalidModel>(HasSubstr("action")));
}

TEST(MdpBuild, RejectsAnEmptyTable) {
  EXPECT_THAT([] { Mdp::build(TransitionTable()); },
              ThrowsMessage<InvalidModel>(HasSubstr("no transitions")));
}

TEST(MdpBuild, LetsStatesHaveDifferentActions) {
  TransitionTable table;
  table.add(0, 1, 1, Probability(1.0), 0.0);
  table.add(1, 0, 0, Probability(1.0), 0.0);
  table.add(1, 2, 0, Probability(1.0), 0.0);
  const Mdp model = Mdp::build(table);
  EXPECT_EQ(model.action_count(0), 1);
  EXPECT_EQ(model.find_row(0, 1), 0);
  EXPECT_EQ(model.find_row(1, 2), 2);
}

TEST(CheckPolicy, AcceptsOnlyActionsThatStatesHave) {
  TransitionTable table = small_table();
  table.state_base = 1;
  table.action_base = 1;
  const Mdp model = Mdp::build(table);
  EXPECT_NO_THROW(model.check_policy({1, 0, no_action}));
  EXPECT_THAT(
      [&] {
        model.check_policy({1, 1, no_action});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("state 2 action 2; accepted: 1")));
  EXPECT_THAT(
      [&] {
        model.check_policy({no_action, 0, no_action});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("state 1 no action; accepted: 1, 2")));
  EXPECT_THAT(
      [&] {
        model.check_policy({0, 0, 0});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("terminal state 3")));
  EXPECT_THAT(
      [&] {
        model.check_policy({0, 0});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("2 entries")));
}

}  // namespace
}  // namespace shortfall
