#include "shortfall/mdp/alias_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pcg_random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "tests/mdp/chains_for_tests.hpp"
#include "tests/mdp/chi_square.hpp"

namespace shortfall {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

static_assert(RandomBits<pcg64>);
static_assert(RandomBits<std::mt19937_64>);
static_assert(!RandomBits<pcg32>);
static_assert(!RandomBits<std::minstd_rand>);

std::vector<double> normalised(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w /= sum;
  return weights;
}

/// Uniform, increasing, decreasing by halves, one heavy, with zeros, and random ones.
std::vector<std::vector<double>> laws() {
  std::vector<std::vector<double>> result = {{1.0}, {0.25, 0.75}, {0.0, 1.0}, {0.0, 0.5, 0.0, 0.5}};
  for (const std::size_t n : {3U, 7U, 10U, 64U, 1000U}) {
    std::vector<double> weights(n, 1.0);
    result.push_back(normalised(weights));
    std::iota(weights.begin(), weights.end(), 0.0);
    result.push_back(normalised(weights));
    for (std::size_t i = 0; i < n; ++i) weights[i] = std::ldexp(1.0, -static_cast<int>(i));
    result.push_back(normalised(weights));
    weights.assign(n, 1e-6);
    weights[n / 2] = 1.0;
    result.push_back(normalised(weights));
    pcg64 bits(n);
    for (double& w : weights) w = std::pow(draw_uniform(bits), 3);
    result.push_back(normalised(weights));
  }
  return result;
}

std::vector<std::size_t> counts_of(const AliasTable& table, int draws, pcg64& bits) {
  std::vector<std::size_t> counts(table.size(), 0);
  for (int i = 0; i < draws; ++i) ++counts[table(bits)];
  return counts;
}

TEST(SplitDraw, IsTheIntegerAndFractionalPartOfCountTimesBits) {
  EXPECT_EQ(split_draw(0, 5).index, 0);
  EXPECT_EQ(split_draw(0, 5).fraction, 0.0);
  const auto half = std::uint64_t{1} << 63;
  EXPECT_EQ(split_draw(half, 3).index, 1);  // 1.5
  EXPECT_EQ(split_draw(half, 3).fraction, 0.5);
  const auto last = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(split_draw(last, 7).index, 6);
  EXPECT_EQ(split_draw(last, 7).fraction, 1.0 - 0x1.0p-53);
  constexpr auto most = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(split_draw(last, most).index, most - 1);
  // 0x9e3779b97f4a7c15 / 2^64 = 0.6180339887498948..., times 1000.
  EXPECT_EQ(split_draw(0x9e3779b97f4a7c15U, 1000).index, 618);
  EXPECT_NEAR(split_draw(0x9e3779b97f4a7c15U, 1000).fraction, 0.0339887498948482, 1e-13);
}

TEST(AliasTable, OfAQuarterAndThreeQuartersHasTheCellsOfItsDefinition) {
  const AliasTable table(std::vector{0.25, 0.75});
  EXPECT_EQ(table.cells()[0].threshold, 0.5);
  EXPECT_EQ(table.cells()[0].alias, 1);
  EXPECT_EQ(table.cells()[1].threshold, 1.0);
}

/// A cell's share is rounded once for each other cell it fills, by ε/2 of at most n·max p + 1, and
/// is an n-th part of that law; the error of the last cells is the sum of these roundings.
TEST(AliasTable, ImpliesExactlyTheLawItWasBuiltFrom) {
  for (const std::vector<double>& law : laws()) {
    const std::vector<double> implied = AliasTable(law).implied_probabilities();
    const double n = static_cast<double>(law.size());
    const double bound = 2.0 * epsilon * (n * *std::max_element(law.begin(), law.end()) + 2.0);
    for (std::size_t i = 0; i < law.size(); ++i) {
      ASSERT_NEAR(implied[i], law[i], bound) << i << " of " << law.size();
      if (law[i] == 0.0) {
        ASSERT_EQ(implied[i], 0.0);
      }
    }
  }
}

TEST(AliasTable, RescalesALawThatSumsToOneWithinTheTolerance) {
  const AliasTable table(std::vector{0.25 + 2e-7, 0.75 + 6e-7});
  EXPECT_THAT(table.implied_probabilities(), ElementsAre(::testing::DoubleNear(0.25, 8 * epsilon),
                                                         ::testing::DoubleNear(0.75, 8 * epsilon)));
}

TEST(AliasTable, RejectsInvalidLaws) {
  EXPECT_THAT([] { AliasTable(std::vector<double>{}); },
              ThrowsMessage<InvalidInput>(HasSubstr("at least one")));
  EXPECT_THAT(
      [] {
        AliasTable(std::vector{0.5, 0.25});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("0.75")));
  EXPECT_THAT(
      [] {
        AliasTable(std::vector{1.5, -0.5});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("1.5")));
}

TEST(AliasTable, DrawsFromItsLaw) {
  pcg64 bits(42);
  for (const std::vector<double>& law : laws()) {
    if (law.size() < 2) continue;
    // Pearson's approximation needs about five expected draws per cell; rarer ones are merged.
    constexpr int draws = 200'000;
    const std::vector<std::size_t> counts = counts_of(AliasTable(law), draws, bits);
    std::vector<double> merged_law(1, 0.0);
    std::vector<std::size_t> merged_counts(1, 0);
    for (std::size_t i = 0; i < law.size(); ++i) {
      if (law[i] == 0.0) {
        ASSERT_EQ(counts[i], 0);
      }
      if (law[i] * draws < 5.0) {
        merged_law[0] += law[i];
        merged_counts[0] += counts[i];
      } else {
        merged_law.push_back(law[i]);
        merged_counts.push_back(counts[i]);
      }
    }
    const auto [statistic, threshold] = testing::chi_square(merged_counts, merged_law);
    EXPECT_LT(statistic, threshold) << law.size();
  }
}

TEST(AliasTable, FailsTheSameTestForAnotherLaw) {
  pcg64 bits(42);
  const auto counts = counts_of(AliasTable(std::vector{0.24, 0.26, 0.25, 0.25}), 200'000, bits);
  const auto [statistic, threshold] = testing::chi_square(counts, {0.25, 0.25, 0.25, 0.25});
  EXPECT_GT(statistic, threshold);
}

TEST(DrawNormal, HasTheMomentsOfTheNormalLaw) {
  pcg64 bits(3);
  constexpr int draws = 400'000;
  std::vector<double> moments(5, 0.0);
  for (int i = 0; i < draws; ++i) {
    const double z = draw_normal(bits);
    for (std::size_t k = 1; k <= 4; ++k) moments[k] += std::pow(z, k) / draws;
  }
  // Standard errors √(Var z^k / draws) with Var z, z², z³, z⁴ = 1, 2, 15, 96; six of them.
  EXPECT_NEAR(moments[1], 0.0, 6.0 * std::sqrt(1.0 / draws));
  EXPECT_NEAR(moments[2], 1.0, 6.0 * std::sqrt(2.0 / draws));
  EXPECT_NEAR(moments[3], 0.0, 6.0 * std::sqrt(15.0 / draws));
  EXPECT_NEAR(moments[4], 3.0, 6.0 * std::sqrt(96.0 / draws));
}

TEST(DrawNormal, IsFiniteForEveryDraw) {
  struct Constant {
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() { return value; }
    result_type value;
  };
  Constant all_zeros{0};
  Constant all_ones{Constant::max()};
  EXPECT_EQ(draw_normal(all_zeros), 0.0);
  EXPECT_NEAR(draw_normal(all_ones), std::sqrt(2.0 * 53.0 * std::log(2.0)), 1e-12);
}

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
