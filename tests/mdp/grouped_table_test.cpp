#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// State 0 has actions 0 and 2, state 1 has action 1, state 2 none.
GroupedTable small_table() {
  return {.state_begin = {0, 2, 3, 3},
          .action = {0, 2, 1},
          .outcomes = {.row_begin = {0, 2, 3, 5},
                       .probability = {0.5, 0.5, 1.0, 0.25, 0.75},
                       .cost = {1.0, 2.0, 3.0, 4.0, 5.0},
                       .next = {1, 0, 2, 0, 1}}};
}

GroupedTable grouped(const Mdp& model) {
  GroupedTable table{
      .state_begin = model.state_begin(), .action = {}, .outcomes = model.outcomes()};
  for (std::size_t r = 0; r < model.outcomes().rows(); ++r) {
    table.action.push_back(model.action_of_row(r));
  }
  return table;
}

TEST(GroupedTable, OfAModelIsThatModel) {
  for (const auto& [name, model] : library::small_models()) {
    const Mdp again = Mdp::build(grouped(model));
    EXPECT_EQ(again.state_begin(), model.state_begin()) << name;
    EXPECT_EQ(again.outcomes().row_begin, model.outcomes().row_begin) << name;
    EXPECT_EQ(again.outcomes().cost, model.outcomes().cost) << name;
    EXPECT_EQ(again.outcomes().next, model.outcomes().next) << name;
    EXPECT_EQ(again.has_terminal_states(), model.has_terminal_states()) << name;
    // Probabilities that sum to one up to rounding are rescaled once more.
    const double rounding = static_cast<double>(model.outcomes().longest_row()) *
                            std::numeric_limits<double>::epsilon();
    for (std::size_t i = 0; i < model.outcomes().size(); ++i) {
      const double p = model.outcomes().probability[i];
      EXPECT_NEAR(again.outcomes().probability[i], p, rounding * p) << name;
    }
  }
}

TEST(GroupedTable, IsSortedBySuccessorAndKeepsTheActionsOfEachState) {
  const Mdp model = Mdp::build(small_table());
  EXPECT_EQ(model.states(), 3);
  EXPECT_TRUE(model.is_terminal(2));
  EXPECT_TRUE(model.has_terminal_states());
  EXPECT_EQ(model.action_of_row(1), 2);
  EXPECT_THAT(model.law(0).next, ElementsAre(0, 1));
  EXPECT_THAT(model.law(0).cost, ElementsAre(2.0, 1.0));
}

TEST(GroupedTable, IsRescaledToSumToOneAndDropsImpossibleOutcomes) {
  GroupedTable table = small_table();
  table.outcomes.probability = {1.0 + 5e-7, 0.0, 1.0, 0.25, 0.75};
  const Mdp model = Mdp::build(std::move(table));
  EXPECT_THAT(model.law(0).probability, ElementsAre(1.0));
  EXPECT_THAT(model.law(0).next, ElementsAre(1));
  EXPECT_THAT(model.law(2).cost, ElementsAre(4.0, 5.0));
}

template <class Change>
void expect_rejected(const Change& change, const char* message) {
  GroupedTable table = small_table();
  change(table);
  EXPECT_THAT([&] { Mdp::build(table); }, ThrowsMessage<InvalidModel>(HasSubstr(message)));
}

TEST(GroupedTable, NamesTheFirstInvalidRow) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_rejected([](GroupedTable& t) { t.outcomes.probability[1] = 0.4; },
                  "state 0, action 0: probabilities sum to 0.9; accepted: 1 within 1e-06");
  expect_rejected(
      [](GroupedTable& t) {
        t.outcomes.probability = {1.5, -0.5, 1.0, 0.25, 0.75};
      },
      "state 0, action 0: probability 1.5 to state 1; accepted: a number in [0, 1]");
  expect_rejected(
      [](GroupedTable& t) {
        t.outcomes.probability = {0.9, -0.1, 1.0, 0.25, 0.75};
      },
      "state 0, action 0: probability -0.1 to state 0");
  expect_rejected([nan](GroupedTable& t) { t.outcomes.probability[2] = nan; },
                  "state 0, action 2: probability nan");
  expect_rejected([nan](GroupedTable& t) { t.outcomes.cost[4] = nan; },
                  "state 1, action 1: cost nan to state 1; accepted: a finite number");
  expect_rejected([](GroupedTable& t) { t.outcomes.next[2] = 3; },
                  "state 0, action 2: leads to state 3; accepted: 0 to 2");
}

TEST(GroupedTable, RequiresActionsInIncreasingOrder) {
  expect_rejected([](GroupedTable& t) { t.action[1] = 0; },
                  "state 0, action 0: out of order; accepted: the actions of a state in");
  expect_rejected([](GroupedTable& t) { t.action[2] = -1; }, "the action is below 0");
}

TEST(GroupedTable, RequiresConsistentParts) {
  const char* message = "are inconsistent";
  expect_rejected([](GroupedTable& t) { t.state_begin = {}; }, message);
  expect_rejected([](GroupedTable& t) { t.state_begin = {0, 3, 2, 3}; }, message);
  expect_rejected([](GroupedTable& t) { t.state_begin.back() = 4; }, message);
  expect_rejected([](GroupedTable& t) { t.action.pop_back(); }, message);
  expect_rejected([](GroupedTable& t) { t.outcomes.row_begin.back() = 6; }, message);
  expect_rejected([](GroupedTable& t) { t.outcomes.cost.pop_back(); }, message);
  expect_rejected([](GroupedTable& t) { t.outcomes.next.pop_back(); }, message);
  expect_rejected([](GroupedTable& t) { t = {}; }, "the model has no transitions");
}

}  // namespace
}  // namespace shortfall
