#include "shortfall/mdp/ergodicity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall {
namespace {

using ::testing::ElementsAre;
using testing::graph_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
