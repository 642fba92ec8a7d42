#include <gmock/gmock.h>
#include <gtest/gtest.h>
// after gtest.h, which it does not include itself
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/mdp.hpp"

/// A model that is stored and restored keeps every bit.
namespace shortfall::restored {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

GroupedTable stored(const Mdp& model) {
  return {.state_begin = model.state_begin(),
          .action = model.actions_of_rows(),
          .outcomes = model.outcomes(),
          .state_base = model.state_base(),
          .action_base = model.action_base()};
}

void expect_same(const Mdp& a, const Mdp& b) {
  EXPECT_EQ(a.state_begin(), b.state_begin());
  EXPECT_EQ(a.actions_of_rows(), b.actions_of_rows());
  EXPECT_EQ(a.outcomes().row_begin, b.outcomes().row_begin);
  EXPECT_EQ(a.outcomes().probability, b.outcomes().probability);
  EXPECT_EQ(a.outcomes().cost, b.outcomes().cost);
  EXPECT_EQ(a.outcomes().next, b.outcomes().next);
  EXPECT_EQ(a.outcomes().probability_error, b.outcomes().probability_error);
  EXPECT_EQ(a.row_costs().expected, b.row_costs().expected);
  EXPECT_EQ(a.has_terminal_states(), b.has_terminal_states());
  EXPECT_EQ(a.state_base(), b.state_base());
  EXPECT_EQ(a.action_base(), b.action_base());
}

TEST(RestoredTable, OfEveryLibraryModelIsThatModel) {
  for (const auto& [name, model] : library::small_models()) {
    SCOPED_TRACE(name);
    expect_same(Mdp::restore(stored(model)), model);
  }
}

/// Rows whose probabilities sum to one only up to the tolerance of build(), which rescales them.
RC_GTEST_PROP(RestoredTable, IsAcceptedWhateverBuildHadToRescale, ()) {
  TransitionTable table;
  const auto count = *rc::gen::inRange(1u, 200u);
  std::vector<double> weights(count);
  double sum = 0.0;
  for (double& w : weights) sum += w = std::pow(10.0, -*rc::gen::inRange(0, 1200) / 100.0);
  const double off = 1.0 + *rc::gen::inRange(-900, 900) * 1e-9;
  for (StateIndex x = 0; x < count; ++x)
    table.add(0, 0, x, Probability(weights[x] / sum * off), 1.0 * x);
  const Mdp model = Mdp::build(table);
  const Mdp restored = Mdp::restore(stored(model));
  RC_ASSERT(restored.outcomes().probability == model.outcomes().probability);
}

/// State 0 has actions 0 and 2, state 1 has action 1, state 2 none.
GroupedTable sound_table() {
  return {.state_begin = {0, 2, 3, 3},
          .action = {0, 2, 1},
          .outcomes = {.row_begin = {0, 2, 3, 5},
                       .probability = {0.5, 0.5, 1.0, 0.25, 0.75},
                       .cost = {1.0, 2.0, 3.0, 4.0, 5.0},
                       .next = {0, 1, 2, 0, 1}}};
}

void expect_unsound(const std::function<void(GroupedTable&)>& change, const std::string& part) {
  GroupedTable table = sound_table();
  EXPECT_NO_THROW(Mdp::restore(table));
  change(table);
  EXPECT_THAT([&] { Mdp::restore(table); }, ThrowsMessage<InvalidModel>(HasSubstr(part)));
}

TEST(RestoredTable, IsRejectedWhereBuildWouldHaveLeftSomethingElse) {
  const double infinity = std::numeric_limits<double>::infinity();
  expect_unsound([](auto& t) { t.outcomes.probability[2] = 0.0; },
                 "state 0, action 2: probability 0 to state 2; accepted: a number in (0, 1]");
  expect_unsound([](auto& t) { t.outcomes.probability[4] = -0.75; }, "probability -0.75");
  expect_unsound([](auto& t) { t.outcomes.probability[4] = std::nan(""); }, "probability nan");
  expect_unsound([](auto& t) { t.outcomes.probability[2] = std::nextafter(1.0, 2.0); },
                 "probability 1.0000000000000002");
  expect_unsound([=](auto& t) { t.outcomes.cost[3] = infinity; },
                 "state 1, action 1: cost inf to state 0; accepted: a finite number");
  expect_unsound([](auto& t) { t.outcomes.next[2] = 3; }, "leads to state 3; accepted: 0 to 2");
  expect_unsound([](auto& t) { std::swap(t.outcomes.next[3], t.outcomes.next[4]); },
                 "state 0 after state 1; accepted: next states in increasing order");
  expect_unsound([](auto& t) { std::swap(t.action[0], t.action[1]); }, "out of order");
  expect_unsound([](auto& t) { t.action[2] = -1; }, "below 0");
  expect_unsound([](auto& t) { t.action[2] = std::numeric_limits<ActionIndex>::max(); },
                 "too large");
  expect_unsound([](auto& t) { t.state_begin = {0, 3, 2, 3}; }, "inconsistent");
  expect_unsound([](auto& t) { t.outcomes.row_begin = {0, 2, 2, 5}; }, "sum to 0; accepted: 1");
}

TEST(RestoredTable, MaySumToOneWithinTheToleranceButNotBeyond) {
  // Below 1, numbers are multiples of ε/2: the last sums differ from one by exactly these amounts.
  const double epsilon = std::numeric_limits<double>::epsilon();
  GroupedTable table = sound_table();
  table.outcomes.probability[1] = 0.5 - rescaled_tolerance;
  EXPECT_NO_THROW(Mdp::restore(table));
  table.outcomes.probability[1] = 0.5 - rescaled_tolerance - epsilon / 2;
  EXPECT_THAT([&] { Mdp::restore(table); },
              ThrowsMessage<InvalidModel>(HasSubstr("accepted: 1 within 8.9e-16")));
}

/// One row, long enough to be looked at in lanes of a vector: 37 outcomes of states 0 to 36.
GroupedTable long_row() {
  constexpr std::size_t count = 37;
  GroupedTable table{.state_begin = std::vector<std::size_t>(count + 1, 1),
                     .action = {0},
                     .outcomes = {.row_begin = {0, count},
                                  .probability = std::vector<double>(count, 0x1p-6),
                                  .cost = std::vector<double>(count, 2.0),
                                  .next = {}}};
  table.state_begin[0] = 0;
  table.outcomes.probability[5] = 28 * 0x1p-6;
  for (StateIndex x = 0; x < count; ++x) table.outcomes.next.push_back(x);
  return table;
}

void expect_unsound_everywhere(const std::function<void(Outcomes&, std::size_t)>& change,
                               const std::string& part) {
  for (std::size_t i = 0; i < 37; ++i) {
    GroupedTable table = long_row();
    change(table.outcomes, i);
    EXPECT_THAT([&] { Mdp::restore(table); }, ThrowsMessage<InvalidModel>(HasSubstr(part))) << i;
  }
}

TEST(RestoredTable, IsRejectedForAnyOutcomeOfALongRow) {
  EXPECT_NO_THROW(Mdp::restore(long_row()));
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double c : {infinity, -infinity, std::nan("")}) {
    expect_unsound_everywhere([=](Outcomes& o, std::size_t i) { o.cost[i] = c; }, "cost ");
  }
  for (const double p : {0.0, -0.0, -0.5, 1.5, infinity, std::nan("")}) {
    expect_unsound_everywhere([=](Outcomes& o, std::size_t i) { o.probability[i] = p; },
                              "probability ");
  }
  expect_unsound_everywhere([](Outcomes& o, std::size_t i) { o.next[i] = 37; },
                            "leads to state 37");
  expect_unsound_everywhere(
      [](Outcomes& o, std::size_t i) { std::swap(o.next[i], o.next[(i + 1) % 37]); },
      " after state ");
  // One that is too large by the last bit, in a row whose sum is one up to the tolerance.
  expect_unsound_everywhere(
      [](Outcomes& o, std::size_t i) {
        o.probability.assign(37, 1e-30);
        o.probability[i] = std::nextafter(1.0, 2.0);
      },
      "probability 1.0000000000000002");
}

TEST(RestoredTable, IsAcceptedWithLongRowsWhoseCostsAreFarApart) {
  GroupedTable table = long_row();
  table.outcomes.cost[3] = std::numeric_limits<double>::max();
  table.outcomes.cost[4] = -std::numeric_limits<double>::max();
  EXPECT_NO_THROW(Mdp::restore(table));
}

TEST(RestoredTable, MayHaveLongRowsThatSumToOneWithinTheToleranceButNotBeyond) {
  const double unit = std::numeric_limits<double>::epsilon() / 2;
  for (int units = -20; units <= 20; ++units) {
    // Of 2^-6 and 28 * 2^-6 all multiples of u near them are numbers, so that the sum is exact.
    GroupedTable table = long_row();
    table.outcomes.probability[5] += units * unit;
    const double sum = 1.0 + units * unit;
    if (std::abs(sum - 1.0) <= rescaled_tolerance) {
      EXPECT_NO_THROW(Mdp::restore(table)) << units;
    } else {
      EXPECT_THROW(Mdp::restore(table), InvalidModel) << units;
    }
  }
}

}  // namespace
}  // namespace shortfall::restored
