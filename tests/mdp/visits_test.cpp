#include "shortfall/mdp/visits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::visits {
namespace {

using ::testing::AllOf;
using testing::chain_of;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::graph_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using ::testing::ThrowsMessage;

constexpr double rounding = 1e-14;

TEST(Visits, AreTheStationaryLawOfAnErgodicChain) {
  pcg64 bits(4);
  const library::RandomMdp drawn = library::random_mdp({.states = 7, .features = 2}, bits);
  const Chain chain = under_policy(drawn.model, drawn.policy);
  const Visits found = long_run_visits(chain, restarts_at(chain, 3));
  EXPECT_EQ(found.q, stationary_law(chain).probability);  // the same numbers, bit for bit
  EXPECT_THAT(found.not_visited, IsEmpty());
  EXPECT_TRUE(found.ergodicity.is_ergodic());
}

TEST(Visits, AreSharedByTheStatesOfAnEpisode) {
  const Chain straight = graph_of({{1}, {2}, {}});
  const Visits found = long_run_visits(straight, restarts_at(straight, 0));
  EXPECT_THAT(found.q, ElementsAre(0.5, 0.5, 0.0));
  EXPECT_EQ(found.ergodicity.period, 2u);
  EXPECT_THAT(found.ergodicity.message(1), HasSubstr("{1} {2}"));  // not the terminal state 3

  const Visits late = long_run_visits(straight, restarts_at(straight, 1));
  EXPECT_THAT(late.q, ElementsAre(0.0, 1.0, 0.0));
  EXPECT_THAT(late.not_visited, ElementsAre(0));

  const Visits anywhere = long_run_visits(straight, uniform_restarts(straight));
  // From 0 two visits, from 1 one: 0 has 1/3 of them.
  EXPECT_THAT(anywhere.q, Pointwise(DoubleNear(rounding), {1.0 / 3.0, 2.0 / 3.0, 0.0}));
  EXPECT_TRUE(anywhere.ergodicity.is_ergodic());
}

/// Twenty thousand steps of Boyan's chain, in which each state's share has a deviation below 0.004.
TEST(Visits, AgreeWithAPath) {
  const Mdp model = library::boyan_chain();
  const Chain chain = under_policy(model, *unique_policy(model));
  Restarts restarts = restarts_at(chain, 0);
  restarts.probability = 0.1;
  const Visits found = long_run_visits(chain, restarts);
  const ChainSampler sampler(chain);
  pcg64 bits(2);
  std::vector<double> share(chain.states(), 0.0);
  constexpr int steps = 20000;
  StateIndex x = 0;
  for (int n = 0; n < steps; ++n) {
    share[x] += 1.0 / steps;
    x = sampler.step(x, bits).next;
    if (chain.is_terminal(x) || draw_uniform(bits) < 0.1) x = 0;
  }
  EXPECT_THAT(share, Pointwise(DoubleNear(0.02), found.q));
  EXPECT_GT(found.q[0], long_run_visits(chain, restarts_at(chain, 0)).q[0]);  // restarts lead there
}

/// How far q is from q P' for P' as the header defines it, in any state.
double imbalance(const Chain& chain, const Restarts& restarts, const std::vector<double>& q) {
  std::vector<double> after(chain.states(), 0.0);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    const Outcomes::Row law = chain.law(x);
    double ends = 0.0;
    for (std::size_t i = 0; i < law.next.size(); ++i) {
      if (chain.is_terminal(law.next[i])) {
        ends += law.probability[i];
      } else {
        after[law.next[i]] += q[x] * (1.0 - restarts.probability) * law.probability[i];
      }
    }
    if (chain.is_terminal(x)) continue;
    const double again = ends + restarts.probability * (1.0 - ends);
    for (std::size_t y = 0; y < chain.states(); ++y) after[y] += q[x] * again * restarts.start[y];
  }
  double largest = 0.0;
  for (std::size_t x = 0; x < q.size(); ++x) {
    largest = std::max(largest, std::abs(after[x] - q[x]));
  }
  return largest;
}

TEST(Visits, SolveTheirEquationForEveryLawOfStarts) {
  const Mdp model = library::boyan_chain();
  const Chain chain = under_policy(model, *unique_policy(model));
  std::vector<double> spread(chain.states(), 0.0);
  spread[0] = 0.5, spread[4] = 0.3, spread[9] = 0.2;
  for (const std::vector<double>& start :
       {spread, uniform_restarts(chain).start, restarts_at(chain, 2).start}) {
    for (const double probability : {0.0, 0.3}) {
      const Restarts restarts{start, probability};
      const std::vector<double> q = long_run_visits(chain, restarts).q;
      EXPECT_LE(imbalance(chain, restarts, q), rounding);
      EXPECT_NEAR(std::accumulate(q.begin(), q.end(), 0.0), 1.0, rounding);
    }
  }
}

TEST(Visits, HaveThePeriodOfAPathWhoseRestartsTakeNoTime) {
  const Chain chain = graph_of({{2}, {2}, {3}, {}});  // from 0 or 1 to 2, and to the end
  const Visits two = long_run_visits(chain, {.start = {0.5, 0.5, 0.0, 0.0}});
  EXPECT_EQ(two.ergodicity.period, 2u);
  EXPECT_THAT(two.ergodicity.message(), HasSubstr("{0, 1} {2}"));
  EXPECT_THAT(two.q, Pointwise(DoubleNear(rounding), {0.25, 0.25, 0.5, 0.0}));
  EXPECT_TRUE(long_run_visits(chain, uniform_restarts(chain)).ergodicity.is_ergodic());
  // 0 leads to the states 3 and 4 for ever, and is never visited again.
  const Chain trap = graph_of({{1, 3}, {2}, {}, {4}, {3}});
  const Visits caught = long_run_visits(trap, {.start = {0.5, 0.5, 0.0, 0.0, 0.0}});
  EXPECT_THAT(caught.q, Pointwise(DoubleNear(rounding), {0.0, 0.0, 0.0, 0.5, 0.5}));
  EXPECT_THAT(caught.ergodicity.message(), HasSubstr("states 3, 4 cannot reach state 0"));
}

/// On a ring, restarts anywhere visit all states equally often. One outcome for each pair of states
/// would take 160 GB.
TEST(Visits, AreFoundForAHundredThousandStatesWithRestartsAnywhere) {
  constexpr std::size_t states = 100'000;
  std::vector<std::vector<StateIndex>> next(states);
  for (std::size_t x = 0; x < states; ++x) next[x] = {static_cast<StateIndex>((x + 1) % states)};
  const Chain ring = graph_of(next);
  Restarts restarts = uniform_restarts(ring);
  restarts.probability = 0.1;
  const Visits found = long_run_visits(ring, restarts);
  // The iteration stops at a residual of 1e-13, and a path forgets within ten steps.
  EXPECT_THAT(found.q, Each(DoubleNear(1e-5, 1e-5 * 1e-12)));
  EXPECT_TRUE(found.ergodicity.is_ergodic());
}

TEST(Visits, DoNotFollowOutcomesOfProbabilityZero) {
  const Chain chain = chain_of({{{1.0, 0}, {0.0, 1}}, {{1.0, 1}}});
  EXPECT_THAT(long_run_visits(chain, restarts_at(chain, 0)).q, ElementsAre(1.0, 0.0));
}

TEST(Visits, LeaveOutTransientStates) {
  const Chain chain = graph_of({{1}, {2}, {1, 2}, {0}});
  const Visits found = long_run_visits(chain, restarts_at(chain, 0));
  EXPECT_THAT(found.q, Pointwise(DoubleNear(rounding), {0.0, 1.0 / 3.0, 2.0 / 3.0, 0.0}));
  EXPECT_THAT(found.not_visited, ElementsAre(0, 3));
  EXPECT_FALSE(found.ergodicity.is_irreducible());
}

TEST(Visits, AreRefusedIfTheyDependOnChance) {
  const Chain fork = graph_of({{1, 2}, {1}, {2}});
  EXPECT_THAT([&] { (void)long_run_visits(fork, restarts_at(fork, 0), 1); },
              ThrowsMessage<InvalidInput>(
                  AllOf(HasSubstr("around 2"), HasSubstr("around 3"), HasSubstr("accepted"))));
  EXPECT_THAT(long_run_visits(fork, restarts_at(fork, 2)).q, ElementsAre(0.0, 0.0, 1.0));
  Restarts again = restarts_at(fork, 0);
  again.probability = 0.5;
  // Half of the steps lead to 0; the rest is shared by symmetry.
  EXPECT_THAT(long_run_visits(fork, again).q, Pointwise(DoubleNear(rounding), {0.5, 0.25, 0.25}));
}

TEST(Visits, RefuseStartsThatDoNotFit) {
  const Chain chain = graph_of({{1}, {}});
  EXPECT_THROW((void)restarts_at(chain, 1), InvalidInput);
  EXPECT_THROW((void)restarts_at(chain, 2), InvalidInput);
  EXPECT_THROW((void)long_run_visits(chain, {.start = {1.0}}), InvalidInput);
  EXPECT_THROW((void)long_run_visits(chain, {.start = {0.5, 0.5}}), InvalidInput);
  EXPECT_THROW((void)long_run_visits(chain, {.start = {0.9, 0.0}}), InvalidInput);
  EXPECT_THROW((void)long_run_visits(chain, {.start = {1.0, 0.0}, .probability = 1.0}),
               InvalidInput);
  EXPECT_THROW((void)uniform_restarts(graph_of({{}})), InvalidInput);
}

}  // namespace
}  // namespace shortfall::visits
