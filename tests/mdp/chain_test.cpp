#include "shortfall/mdp/chain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "shortfall/errors/error.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

/// State 0: action 0 costs 2 or 6 (mean 4), action 1 costs 12. State 1 has one action; 2 is
/// terminal.
Mdp small_model() {
  TransitionTable table;
  table.add(0, 0, 0, Probability(0.5), 2.0);
  table.add(0, 0, 1, Probability(0.5), 6.0);
  table.add(0, 1, 2, Probability(1.0), 12.0);
  table.add(1, 0, 2, Probability(1.0), 1.0);
  return Mdp::build(std::move(table));
}

TEST(Chain, ReportsItsTerminalStates) {
  const Chain with = testing::chain_of({{{1.0, 1}}, {}});
  EXPECT_TRUE(with.has_terminal_states());
  EXPECT_FALSE(with.is_terminal(0));
  EXPECT_TRUE(with.is_terminal(1));
  EXPECT_FALSE(testing::chain_of({{{1.0, 0}}}).has_terminal_states());
}

TEST(Chain, UnderADeterministicPolicyHasTheRowsOfItsActions) {
  const Chain chain = under_policy(small_model(), Policy{1, 0, no_action});
  EXPECT_EQ(chain.states(), 3);
  EXPECT_THAT(chain.law(0).cost, ElementsAre(12.0));
  EXPECT_THAT(chain.law(0).next, ElementsAre(2));
  EXPECT_THAT(chain.law(1).probability, ElementsAre(1.0));
  EXPECT_THAT(chain.law(2).next, IsEmpty());
  EXPECT_TRUE(chain.is_terminal(2));
}

TEST(Chain, IsUniqueIfNoStateHasAChoice) {
  EXPECT_EQ(unique_policy(small_model()), std::nullopt);
  TransitionTable table;
  table.add(0, 1, 1, Probability(1.0), 1.0);
  table.add(1, 0, 2, Probability(1.0), 1.0);
  EXPECT_EQ(unique_policy(Mdp::build(std::move(table))), (Policy{1, 0, no_action}));
}

TEST(Chain, UniformPolicyHasTheSameWeightForAllActionsOfAState) {
  EXPECT_THAT(uniform_policy(small_model()).weight, ElementsAre(0.5, 0.5, 1.0));
}

TEST(Chain, UnderADeterministicPolicyRequiresExistingActions) {
  EXPECT_THAT(
      [] {
        static_cast<void>(under_policy(small_model(), Policy{2, 0, no_action}));
      },
      ThrowsMessage<InvalidInput>(HasSubstr("state 0 action 2")));
}

TEST(Chain, UnderARandomisedPolicyMixesTheKernel) {
  const RandomisedPolicy policy{{0.75, 0.25, 1.0}};
  for (const InducedCost kind : {InducedCost::averaged, InducedCost::mixture}) {
    const Chain chain = under_policy(small_model(), policy, kind);
    EXPECT_THAT(chain.law(0).next, ElementsAre(0, 1, 2));
    EXPECT_THAT(chain.law(0).probability, ElementsAre(0.375, 0.375, 0.25));
    EXPECT_TRUE(chain.is_terminal(2));
  }
}

TEST(Chain, OfAMixtureKeepsTheCostsOfOutcomes) {
  const Chain chain =
      under_policy(small_model(), RandomisedPolicy{{0.75, 0.25, 1.0}}, InducedCost::mixture);
  EXPECT_THAT(chain.law(0).cost, ElementsAre(2.0, 6.0, 12.0));
}

/// c^π(0) = 0.75 · 4 + 0.25 · 12 = 6: action 0 is shifted by 2, action 1 by -6.
TEST(Chain, OfAveragedCostsShiftsEachActionToThePolicysMean) {
  const Chain chain =
      under_policy(small_model(), RandomisedPolicy{{0.75, 0.25, 1.0}}, InducedCost::averaged);
  EXPECT_THAT(chain.law(0).cost, ElementsAre(4.0, 8.0, 6.0));
  EXPECT_THAT(chain.law(1).cost, ElementsAre(1.0));
}

TEST(Chain, UnderADegenerateRandomisedPolicyIsTheDeterministicOne) {
  const Chain plain = under_policy(small_model(), Policy{0, 0, no_action});
  for (const InducedCost kind : {InducedCost::averaged, InducedCost::mixture}) {
    const Chain chain = under_policy(small_model(), RandomisedPolicy{{1.0, 0.0, 1.0}}, kind);
    EXPECT_EQ(chain.outcomes().row_begin, plain.outcomes().row_begin);
    EXPECT_EQ(chain.outcomes().probability, plain.outcomes().probability);
    EXPECT_EQ(chain.outcomes().cost, plain.outcomes().cost);
    EXPECT_EQ(chain.outcomes().next, plain.outcomes().next);
  }
}

TEST(Chain, BoundsTheErrorOfAveragedCosts) {
  // The mean of c_1 and c_2 with weights 0.7 and 0.3 cancels to a thousandth of them.
  TransitionTable table;
  table.add(0, 0, 1, Probability(1.0), 87103494.13);
  table.add(0, 1, 1, Probability(1.0), -203241486.305333);
  const Mdp model = Mdp::build(std::move(table));
  const RandomisedPolicy policy{{0.7, 0.30000000000000004}};
  const Chain averaged = under_policy(model, policy, InducedCost::averaged);
  const long double sum = static_cast<long double>(0.7) + 0.30000000000000004;
  const long double exact = (0.7 * static_cast<long double>(87103494.13) +
                             0.30000000000000004 * static_cast<long double>(-203241486.305333)) /
                            sum;
  EXPECT_GT(averaged.outcomes().cost_error, 0.0);
  EXPECT_LT(averaged.outcomes().cost_error, 1e-6);
  for (const double cost : averaged.law(0).cost) {
    EXPECT_NEAR(cost, static_cast<double>(exact), averaged.outcomes().cost_error);
  }
  EXPECT_EQ(under_policy(model, policy, InducedCost::mixture).outcomes().cost_error, 0.0);
  const Chain certain = under_policy(model, RandomisedPolicy{{1.0, 0.0}}, InducedCost::averaged);
  EXPECT_EQ(certain.outcomes().cost_error, 0.0);
  EXPECT_THAT(certain.law(0).cost, ElementsAre(87103494.13));
}

TEST(Chain, KeepsOutcomesWhoseProbabilityUnderflows) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(1e-200), 1.0);
  table.add(0, 0, 1, Probability(1.0), 1.0);
  table.add(0, 1, 1, Probability(1.0), 1.0);
  const Chain chain = under_policy(Mdp::build(std::move(table)), RandomisedPolicy{{1e-200, 1.0}},
                                   InducedCost::mixture);
  EXPECT_THAT(chain.law(0).probability,
              ElementsAre(std::numeric_limits<double>::denorm_min(), 1e-200, 1.0));
}

TEST(Chain, RejectsInvalidPolicyWeights) {
  const auto chain_with = [](std::vector<double> weight) {
    static_cast<void>(
        under_policy(small_model(), RandomisedPolicy{std::move(weight)}, InducedCost::mixture));
  };
  EXPECT_THAT([&] { chain_with({0.5, 0.5}); }, ThrowsMessage<InvalidInput>(HasSubstr("2 weights")));
  EXPECT_THAT(
      [&] {
        chain_with({1.5, -0.5, 1.0});
      },
      ThrowsMessage<InvalidInput>(AllOf(HasSubstr("state 0, action 1"), HasSubstr("-0.5"))));
  EXPECT_THAT(
      [&] {
        chain_with({0.5, 0.25, 1.0});
      },
      ThrowsMessage<InvalidInput>(AllOf(HasSubstr("state 0"), HasSubstr("0.75"))));
}

TEST(Chain, RescalesWeightsThatSumToOneWithinTheTolerance) {
  const Chain chain = under_policy(small_model(), RandomisedPolicy{{0.5 + 4e-7, 0.5 + 4e-7, 1.0}},
                                   InducedCost::mixture);
  EXPECT_THAT(chain.law(0).probability, ElementsAre(0.25, 0.25, 0.5));
}

}  // namespace
}  // namespace shortfall
