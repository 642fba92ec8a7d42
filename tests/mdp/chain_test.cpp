#include "shortfall/mdp/chain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pcg_random.hpp>

#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/ergodicity.hpp"
#include "shortfall/mdp/random_bits.hpp"
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

using testing::graph_of;

using Graph = std::vector<std::vector<StateIndex>>;

Graph random_graph(StateIndex states, double density, pcg64& bits) {
  Graph graph(states);
  for (auto& successors : graph) {
    for (StateIndex y = 0; y < states; ++y) {
      if (draw_uniform(bits) < density) successors.push_back(y);
    }
  }
  return graph;
}

/// walks[k][x][y]: whether some walk of k + 1 steps leads from x to y.
std::vector<std::vector<std::vector<bool>>> walks_up_to(const Graph& graph, std::size_t steps) {
  const std::size_t n = graph.size();
  std::vector walks(steps, std::vector(n, std::vector<bool>(n, false)));
  for (std::size_t k = 0; k < steps; ++k) {
    for (std::size_t x = 0; x < n; ++x) {
      for (const StateIndex y : graph[x]) {
        if (k == 0) walks[k][x][y] = true;
        if (k == 0) continue;
        for (std::size_t z = 0; z < n; ++z) {
          if (walks[k - 1][y][z]) walks[k][x][z] = true;
        }
      }
    }
  }
  return walks;
}

TEST(Ergodicity, AgreesWithTheDefinitionsOnRandomGraphs) {
  pcg64 bits(20240701);
  int irreducible = 0;
  int periodic = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const StateIndex n = 1 + draw_index(bits, 7);
    const Graph graph = random_graph(n, 0.15 + 0.35 * draw_uniform(bits), bits);
    const Chain chain = graph_of(graph);
    const auto walks = walks_up_to(graph, n);
    std::vector reaches(n, std::vector<bool>(n, false));
    std::size_t period = 0;
    for (StateIndex x = 0; x < n; ++x) {
      reaches[x][x] = true;
      for (std::size_t k = 0; k < n; ++k) {
        for (StateIndex y = 0; y < n; ++y) reaches[x][y] = reaches[x][y] || walks[k][x][y];
        if (walks[k][x][x]) period = std::gcd(period, k + 1);
      }
    }

    const CommunicatingClasses classes = communicating_classes(chain);
    const Ergodicity found = check_ergodicity(chain);
    bool connected = true;
    for (StateIndex x = 0; x < n; ++x) {
      for (StateIndex y = 0; y < n; ++y) {
        connected = connected && reaches[x][y];
        ASSERT_EQ(classes.class_of[x] == classes.class_of[y], reaches[x][y] && reaches[y][x]);
        if (reaches[x][y]) {
          ASSERT_LE(classes.class_of[y], classes.class_of[x]);
        }
      }
    }
    connected = connected && !chain.has_terminal_states();
    ASSERT_EQ(found.is_irreducible(), connected);
    ASSERT_EQ(found.period, connected ? period : 0);
    irreducible += connected;
    periodic += connected && period > 1;
    std::vector<StateIndex> not_reached;
    std::vector<StateIndex> do_not_return;
    for (StateIndex x = 0; x < n; ++x) {
      if (!reaches[found.reference][x]) not_reached.push_back(x);
      if (!reaches[x][found.reference]) do_not_return.push_back(x);
      if (!connected) continue;
      for (const StateIndex y : graph[x]) {
        ASSERT_EQ(found.cyclic_class[y], (found.cyclic_class[x] + 1) % period);
      }
    }
    ASSERT_EQ(found.not_reached, not_reached);
    ASSERT_EQ(found.do_not_return, do_not_return);
  }
  EXPECT_GT(irreducible, 500);  // so that both answers, and both periods, occurred often
  EXPECT_LT(irreducible, 4500);
  EXPECT_GT(periodic, 20);
}

TEST(Ergodicity, HoldsForAnIrreducibleAperiodicChain) {
  const Ergodicity found = check_ergodicity(graph_of({{0, 1}, {2}, {0}}));
  EXPECT_TRUE(found.is_ergodic());
  EXPECT_EQ(found.message(), "the chain is irreducible and aperiodic");
}

TEST(Ergodicity, NamesATransientState) {
  const Ergodicity found = check_ergodicity(graph_of({{1}, {1, 2}, {1}}));
  EXPECT_FALSE(found.is_irreducible());
  EXPECT_EQ(found.reference, 1);
  EXPECT_THAT(found.not_reached, ElementsAre(0));
  EXPECT_THAT(found.do_not_return, IsEmpty());
  EXPECT_EQ(found.message(1),
            "the chain is not irreducible: state 1 cannot be reached from state 2");
}

TEST(Ergodicity, NamesTheStatesOfASecondClosedClass) {
  const Ergodicity found = check_ergodicity(graph_of({{1}, {0, 1}, {2, 3}, {2}}));
  EXPECT_EQ(found.reference, 0);
  EXPECT_THAT(found.not_reached, ElementsAre(2, 3));
  EXPECT_THAT(found.do_not_return, ElementsAre(2, 3));
  EXPECT_THAT(found.message(), HasSubstr("states 2, 3 cannot be reached from state 0; states 2, 3 "
                                         "cannot reach state 0"));
}

TEST(Ergodicity, NamesTerminalStates) {
  const Ergodicity found = check_ergodicity(graph_of({{1, 2}, {0}, {}}));
  EXPECT_FALSE(found.is_irreducible());
  EXPECT_THAT(found.terminal, ElementsAre(2));
  EXPECT_EQ(found.message(),
            "the chain is not irreducible: state 2 cannot reach state 0; state 2 is terminal");
}

TEST(Ergodicity, OfOneStateRequiresALoop) {
  EXPECT_TRUE(check_ergodicity(graph_of({{0}})).is_ergodic());
  const Ergodicity terminal = check_ergodicity(graph_of({{}}));
  EXPECT_FALSE(terminal.is_irreducible());
  EXPECT_EQ(terminal.message(5), "the chain is not irreducible: state 5 is terminal");
}

TEST(Ergodicity, FindsThePeriodAndTheCyclicClasses) {
  const Ergodicity found = check_ergodicity(graph_of({{1, 4}, {2}, {0, 3}, {1, 4}, {2}}));
  EXPECT_TRUE(found.is_irreducible());
  EXPECT_FALSE(found.is_ergodic());
  EXPECT_EQ(found.period, 3);
  EXPECT_THAT(found.cyclic_class, ElementsAre(0, 1, 2, 0, 1));
  EXPECT_THAT(found.message(1), HasSubstr("multiples of 3 steps, moving in turn through {1, 4} "
                                          "{2, 5} {3}"));
}

TEST(Ergodicity, TruncatesLongLists) {
  Graph graph(20);
  for (auto& successors : graph) successors = {19};
  EXPECT_THAT(check_ergodicity(graph_of(graph)).message(),
              HasSubstr("1, 2, 3, 4, 5, 6, 7, 8, .. (19 in all)"));
}

/// A million states in a row: a recursive search would overflow the stack.
TEST(Ergodicity, HandlesVeryLongChains) {
  constexpr StateIndex n = 1'000'000;
  Graph graph(n);
  for (StateIndex x = 0; x < n; ++x) graph[x] = {(x + 1) % n};
  EXPECT_EQ(check_ergodicity(graph_of(graph)).period, n);
  graph[n - 1] = {n - 1};
  EXPECT_EQ(communicating_classes(graph_of(graph)).count(), n);
}

}  // namespace
}  // namespace shortfall
