#include "shortfall/mdp/sampler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <pcg_random.hpp>
#include <utility>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"
#include "tests/mdp/chains_for_tests.hpp"
#include "tests/mdp/chi_square.hpp"

namespace shortfall {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

static_assert(GenerativeChain<ChainSampler, pcg64>);
static_assert(GenerativeModel<MdpSampler, pcg64>);
static_assert(!GenerativeModel<ChainSampler, pcg64>);
static_assert(sizeof(OutcomeSampler::Cell) == 32, "two cells to a cache line");

using Outcome = std::pair<double, StateIndex>;

std::map<Outcome, double> law_of(const Outcomes::Row& row) {
  std::map<Outcome, double> law;
  for (std::size_t i = 0; i < row.next.size(); ++i) {
    law[{row.cost[i], row.next[i]}] += row.probability[i];
  }
  return law;
}

std::map<Outcome, double> law_of(std::span<const OutcomeSampler::Cell> cells) {
  std::map<Outcome, double> law;
  const double unit = 1.0 / static_cast<double>(cells.size());
  for (const auto& [threshold, cost, next] : cells) {
    law[{cost[0], next[0]}] += threshold * unit;
    if (threshold < 1.0) law[{cost[1], next[1]}] += (1.0 - threshold) * unit;
  }
  return law;
}

/// One state; two outcomes lead to the same successor at different costs.
Chain lottery() {
  return testing::chain_of(
      {{{0.125, 1, 8.0}, {0.25, 1, -1.0}, {0.5, 0, 2.0}, {0.125, 2, 8.0}}, {{1.0, 0, 0.5}}, {}});
}

TEST(OutcomeSampler, HasExactlyTheLawOfEveryRowOfEveryLibraryModel) {
  for (const auto& [name, model] : library::small_models()) {
    const OutcomeSampler sampler(model.outcomes());
    ASSERT_EQ(sampler.rows(), model.outcomes().rows());
    for (std::size_t r = 0; r < sampler.rows(); ++r) {
      const auto expected = law_of(model.law(r));
      const auto found = law_of(sampler.cells(r));
      ASSERT_EQ(found.size(), expected.size()) << name;
      for (const auto& [outcome, probability] : expected) {
        // The bound of the alias tables, for rows of up to 50 outcomes.
        ASSERT_NEAR(found.at(outcome), probability, 104.0 * std::numeric_limits<double>::epsilon());
      }
    }
  }
}

TEST(ChainSampler, DrawsCostAndSuccessorTogether) {
  const Chain chain = lottery();
  const ChainSampler sampler(chain);
  pcg64 bits(11);
  std::map<Outcome, std::size_t> counts;
  for (int i = 0; i < 100'000; ++i) {
    const auto [cost, next] = sampler.step(0, bits);
    ++counts[{cost, next}];
  }
  std::vector<double> law;
  std::vector<std::size_t> observed;
  for (const auto& [outcome, probability] : law_of(chain.law(0))) {
    law.push_back(probability);
    observed.push_back(counts[outcome]);
  }
  EXPECT_EQ(counts.size(), 4);
  const auto [statistic, threshold] = testing::chi_square(observed, law);
  EXPECT_LT(statistic, threshold);
}

TEST(ChainSampler, ReportsTerminalStates) {
  const ChainSampler sampler(lottery());
  EXPECT_EQ(sampler.states(), 3);
  EXPECT_FALSE(sampler.is_terminal(1));
  EXPECT_TRUE(sampler.is_terminal(2));
}

TEST(ChainSampler, TakesOneDrawPerStepSoThatEqualSeedsGiveEqualPaths) {
  const ChainSampler sampler(lottery());
  pcg64 bits(5);
  pcg64 same(5);
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(sampler.step(0, bits));
    same();
  }
  EXPECT_EQ(bits(), same());
}

/// Starting from state 0, the chain of RiverSwim under `right` is in state x after 200 steps with
/// the probability given by the 200th power of its kernel.
TEST(ChainSampler, FollowsTheKernelOverManySteps) {
  const Chain chain = under_policy(library::river_swim(), Policy(6, 1));
  std::vector<double> law{1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (int step = 0; step < 200; ++step) {
    std::vector<double> moved(6, 0.0);
    for (std::size_t x = 0; x < 6; ++x) {
      const Outcomes::Row row = chain.law(x);
      for (std::size_t i = 0; i < row.next.size(); ++i) {
        moved[row.next[i]] += law[x] * row.probability[i];
      }
    }
    law = moved;
  }
  const ChainSampler sampler(chain);
  pcg64 bits(99);
  std::vector<std::size_t> counts(6, 0);
  for (int path = 0; path < 5'000; ++path) {
    StateIndex x = 0;
    for (int step = 0; step < 200; ++step) x = sampler.step(x, bits).next;
    ++counts[x];
  }
  const auto [statistic, threshold] = testing::chi_square(counts, law);
  EXPECT_LT(statistic, threshold);
}

TEST(MdpSampler, StepsWithTheLawOfTheActionTaken) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(1.0), 1.0);
  table.add(0, 2, 1, Probability(1.0), 2.0);
  table.add(1, 1, 2, Probability(1.0), 3.0);
  table.state_base = 1;
  table.action_base = 1;
  const MdpSampler sampler(Mdp::build(std::move(table)));
  pcg64 bits(1);
  EXPECT_EQ(sampler.states(), 3);
  EXPECT_THAT(sampler.actions(0), ElementsAre(0, 2));
  EXPECT_TRUE(sampler.is_terminal(2));
  const auto stay = sampler.step(0, 0, bits);
  EXPECT_EQ(stay.cost, 1.0);
  EXPECT_EQ(stay.next, 0);
  const auto move = sampler.step(0, 2, bits);
  EXPECT_EQ(move.cost, 2.0);
  EXPECT_EQ(move.next, 1);
  EXPECT_THAT([&] { static_cast<void>(sampler.step(0, 1, bits)); },
              ThrowsMessage<InvalidInput>(HasSubstr("state 1 has no action 2")));
  EXPECT_THAT([&] { static_cast<void>(sampler.step(2, 0, bits)); },
              ThrowsMessage<InvalidInput>(HasSubstr("state 3 has no action 1")));
}

}  // namespace
}  // namespace shortfall
