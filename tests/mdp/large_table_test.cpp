#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "parallel/threads.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "tests/mdp/row_blamed.hpp"

/// Tables large enough to be checked and grouped in several blocks.
namespace shortfall {
namespace {

constexpr StateIndex states = 5000;

/// One to three actions of each state, 1 to 16 equally likely outcomes of each, so that sums are
/// exact. Every seventh state is terminal, with the first and the last.
TransitionTable large_table() {
  std::mt19937_64 random(1);
  TransitionTable table;
  for (StateIndex x = 0; x < states; ++x) {
    if (x % 7 == 0 || x == states - 1) continue;
    for (ActionIndex a = 0; a < 3; ++a) {
      if (a > 0 && random() % 3 == 0) continue;
      const std::size_t outcomes = std::size_t{1} << (1 + random() % 4);
      for (std::size_t k = 0; k < outcomes; ++k) {
        table.add(x, a, static_cast<StateIndex>(random() % states),
                  Probability(1.0 / static_cast<double>(outcomes)),
                  static_cast<double>(random() % 1000));
      }
    }
  }
  table.to[7] = 0;
  table.to[70000] = states - 1;
  return table;
}

TransitionTable shuffled(const TransitionTable& table) {
  std::vector<std::size_t> order(table.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(2));
  TransitionTable result;
  for (const std::size_t i : order) {
    result.add(table.from[i], table.action[i], table.to[i], Probability(table.probability[i]),
               table.cost[i]);
  }
  return result;
}

/// Compares a model with a map from pairs to outcomes, filled row by row.
void expect_model_of(const TransitionTable& table, const Mdp& model) {
  std::map<std::pair<StateIndex, ActionIndex>, std::vector<std::tuple<StateIndex, double, double>>>
      pairs;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    pairs[{table.from[i], table.action[i]}].emplace_back(table.to[i], table.probability[i],
                                                         table.cost[i]);
  }
  ASSERT_EQ(model.states(), states);
  ASSERT_EQ(model.outcomes().rows(), pairs.size());
  std::vector<std::size_t> state_begin(states + 1);
  std::size_t row = 0;
  for (auto& [pair, outcomes] : pairs) {
    ++state_begin[pair.first + 1];
    ASSERT_EQ(model.action_of_row(row), pair.second);
    std::ranges::stable_sort(outcomes, {}, [](const auto& outcome) { return get<0>(outcome); });
    const Outcomes::Row law = model.law(row++);
    ASSERT_EQ(law.next.size(), outcomes.size());
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      ASSERT_EQ(std::tuple(law.next[k], law.probability[k], law.cost[k]), outcomes[k]);
    }
  }
  std::partial_sum(state_begin.begin(), state_begin.end(), state_begin.begin());
  EXPECT_EQ(model.state_begin(), state_begin);
}

TEST(LargeTable, IsGroupedAsByAMap) {
  const TransitionTable table = large_table();
  ASSERT_GT(table.rows(), 71000u);
  expect_model_of(table, Mdp::build(table));
  const TransitionTable mixed = shuffled(table);
  expect_model_of(mixed, Mdp::build(mixed));
}

TEST(LargeTable, GivesTheSameModelOnOneThread) {
  const TransitionTable table = large_table();
  detail::Workers(1).run([&] { expect_model_of(table, Mdp::build(table)); });
}

TEST(LargeTable, IsRejectedForItsFirstBadRow) {
  TransitionTable table = large_table();
  table.cost[71000] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(testing::row_blamed(table), 71000u);
  table.action[70500] = -1;
  EXPECT_EQ(testing::row_blamed(table), 70500u);
  table.probability[3] = -0.5;
  EXPECT_EQ(testing::row_blamed(table), 3u);
}

TEST(LargeTable, IsRejectedForAMissingIdWithTheRowOfTheLargest) {
  TransitionTable table = large_table();
  table.to[70001] = states + 1;
  EXPECT_EQ(testing::row_blamed(table), 70001u);
  table.to[70001] = 0;
  table.action[70002] = 4;
  EXPECT_EQ(testing::row_blamed(table), 70002u);
}

}  // namespace
}  // namespace shortfall
