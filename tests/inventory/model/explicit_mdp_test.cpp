#include "shortfall/inventory/model/explicit_mdp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <pcg_random.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "shortfall/dp/solve.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::ElementsAre;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The law of (next state, cost) of one row, with equal outcomes merged.
using Law = std::map<std::pair<StateIndex, double>, double>;

Law law_of(const Mdp& mdp, std::size_t row) {
  Law law;
  const Outcomes::Row outcomes = mdp.law(row);
  for (std::size_t i = 0; i < outcomes.next.size(); ++i) {
    law[{outcomes.next[i], outcomes.cost[i]}] += outcomes.probability[i];
  }
  return law;
}

void expect_same(const Law& law, const Law& known) {
  ASSERT_EQ(law.size(), known.size());
  for (const auto& [outcome, p] : known) {
    ASSERT_TRUE(law.contains(outcome)) << "next " << outcome.first << " cost " << outcome.second;
    EXPECT_NEAR(law.at(outcome), p, 100 * epsilon);
  }
}

/// m = 2, capacity 1, a unit is old or new and demanded or not with probability 1/2 each. State 1
/// holds one unit, which has one period left.
TEST(ExplicitMdp, HasTheOutcomesOfTheSmallestModelByHand) {
  const Model model({.capacity = 1,
                     .max_order = {1},
                     .arrival = {Arrival::logit(2, {0.0}, {0.0})},
                     .demand = {{0.5, 0.5}},
                     .cost = {{.order = 3.0, .holding = 1.0, .shortage = 10.0, .wastage = 5.0}}});
  const Mdp mdp = explicit_mdp(model);
  ASSERT_EQ(mdp.states(), 2);
  EXPECT_EQ(mdp.action_count(0), 2);
  EXPECT_EQ(mdp.action_count(1), 1);
  EXPECT_EQ(mdp.outcomes().size(), 2 + 4 + 2);
  expect_same(law_of(mdp, 0), {{{0, 0.0}, 0.5}, {{0, 10.0}, 0.5}});
  // Sold, whichever it was; old and expired; new and kept.
  expect_same(law_of(mdp, 1), {{{0, 3.0}, 0.5}, {{0, 9.0}, 0.25}, {{1, 4.0}, 0.25}});
  expect_same(law_of(mdp, 2), {{{0, 6.0}, 0.5}, {{0, 0.0}, 0.5}});
}

/// The second method: each of the z units of a delivery is enumerated, mᶻ ways, and stock
/// ages by age().
Law unit_by_unit(const Model& model, std::size_t state, std::size_t z) {
  const std::size_t day = state / model.stocks().size();
  const std::size_t next_day = (day + 1) % model.days();
  const std::size_t m = model.shelf_life();
  const std::vector<double> p = model.arrival(day).probabilities(z);
  std::vector<std::uint8_t> x(m);
  model.stocks().unrank(static_cast<std::uint32_t>(state % model.stocks().size()),
                        std::span(x).first(m - 1));
  std::size_t ways = 1;
  for (std::size_t unit = 0; unit < z; ++unit) ways *= m;
  Law law;
  for (std::size_t way = 0; way < ways; ++way) {
    std::vector<std::uint8_t> w = x;
    double probability = 1.0;
    for (std::size_t unit = 0, rest = way; unit < z; ++unit, rest /= m) {
      ++w[rest % m];
      probability *= p[rest % m];
    }
    std::size_t total = 0;
    for (const std::uint8_t units : w) total += units;
    std::vector<std::uint8_t> next(m - 1);
    for (std::size_t d = 0; d < model.demand(day).size(); ++d) {
      const double joint = probability * model.demand(day)[d];
      if (joint == 0.0) continue;
      age(w, d, next);
      const std::size_t to = next_day * model.stocks().size() + model.stocks().rank(next);
      const Costs& of = model.cost(day);
      const double cost = (z > 0 ? of.order : 0.0) + of.unit * static_cast<double>(z) +
                          model.period_cost(day, {total, w[0]}, d);
      law[{static_cast<StateIndex>(to), cost}] += joint;
    }
  }
  return law;
}

TEST(ExplicitMdp, HasTheLawOfUnitsDrawnOneByOne) {
  pcg64 generator(3);
  for (int trial = 0; trial < 60; ++trial) {
    const Model model = testing::random_model(generator);
    const Mdp mdp = explicit_mdp(model);
    ASSERT_EQ(mdp.states(), model.states());
    for (int probe = 0; probe < 10; ++probe) {
      const std::size_t x = draw_index(generator, static_cast<std::uint32_t>(mdp.states()));
      const std::size_t z = draw_index(generator, static_cast<std::uint32_t>(mdp.action_count(x)));
      const std::size_t row = mdp.state_begin()[x] + z;
      ASSERT_EQ(mdp.action_of_row(row), static_cast<ActionIndex>(z));
      expect_same(law_of(mdp, row), unit_by_unit(model, x, z));
    }
  }
}

TEST(ExplicitMdp, HasAnActionForEveryFeasibleOrder) {
  pcg64 generator(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = testing::random_model(generator);
    const Mdp mdp = explicit_mdp(model);
    for (std::size_t x = 0; x < mdp.states(); ++x) {
      std::size_t total = 0;
      while (model.stocks().layer_begin(total + 1) <= x % model.stocks().size()) ++total;
      EXPECT_EQ(mdp.action_count(x), model.largest_order(x / model.stocks().size(), total) + 1);
    }
  }
}

/// Pairs (x, Y) are the vectors of 2 + 3 entries with total ≤ 20: binomial(25, 5), times 21.
TEST(ExplicitMdp, CountsTheOutcomesOfThePublishedModelOfShelfLifeThree) {
  EXPECT_EQ(explicit_mdp(testing::paper_model(3)).outcomes().size(), 53130 * 21);
}

/// Shelf life 1 is the newsvendor. Demand uniform on 0..9; a surplus unit costs 0.5 + 0.5, a
/// missing one 4: the order is the smallest z with P(D ≤ z) ≥ 4/5, which is 7 (8 costs the same),
/// at 28/10 + 4 · 3/10 = 4 per period.
TEST(ExplicitMdp, OfShelfLifeOneIsTheNewsvendor) {
  const Model model({.capacity = 9,
                     .max_order = {9},
                     .arrival = {Arrival::fresh(1)},
                     .demand = {std::vector<double>(10, 0.1)},
                     .cost = {{.holding = 0.5, .shortage = 4.0, .wastage = 0.5}}});
  const Mdp mdp = explicit_mdp(model);
  ASSERT_EQ(mdp.states(), 1);
  const Solution solution = policy_iteration(mdp, {Mean(), 0.75}, {.tolerance = 1e-10});
  EXPECT_NEAR(solution.values[0], 16.0, 1e-10);
  EXPECT_THAT(solution.policy, ElementsAre(7));
}

/// The one-period risk of each order, computed separately, over 1 - γ.
TEST(ExplicitMdp, OfShelfLifeOneHasTheValueOfTheSmallestOnePeriodRisk) {
  const std::vector<double> law = negative_binomial_demand(2.0, 5.0, 15);
  const Model model({.capacity = 12,
                     .max_order = {12},
                     .arrival = {Arrival::fresh(1)},
                     .demand = {law},
                     .cost = {testing::paper_costs}});
  const AnyLoss loss = Expectile(0.8);
  double smallest = std::numeric_limits<double>::infinity();
  ActionIndex best = 0;
  for (ActionIndex z = 0; z <= 12; ++z) {
    std::vector<double> costs;
    for (int d = 0; d <= 15; ++d) {
      costs.push_back((z > 0 ? 10.0 : 0.0) + (z > d ? 6.0 * (z - d) : 20.0 * (d - z)));
    }
    const double risk = shortfall_risk(loss, {costs, law});
    if (risk < smallest) std::tie(smallest, best) = std::pair(risk, z);
  }
  const Solution solution = policy_iteration(explicit_mdp(model), {loss, 0.6});
  EXPECT_NEAR(solution.values[0], smallest / 0.4, 1e-6);
  EXPECT_THAT(solution.policy, ElementsAre(best));
}

/// One unit is demanded per period, and two may be kept. Ordering two every other period costs
/// 3 + holding + γ · 0, ordering one each period 3.
TEST(ExplicitMdp, WithKnownDemandOrdersForTwoPeriodsIfHoldingIsCheap) {
  const auto solved = [](double holding, std::size_t shelf_life) {
    const Model model({.capacity = 2,
                       .max_order = {2},
                       .arrival = {Arrival::fresh(shelf_life)},
                       .demand = {{0.0, 1.0}},
                       .cost = {{.order = 3.0, .holding = holding, .shortage = 50.0}}});
    return policy_iteration(explicit_mdp(model), {Expectile(0.9), 0.5}, {.tolerance = 1e-10});
  };
  const Solution cheap = solved(1.0, 2);  // states: 0, 1 and 2 old units
  EXPECT_EQ(cheap.policy[0], 2);
  EXPECT_EQ(cheap.policy[1], 0);
  EXPECT_NEAR(cheap.values[0], 4.0 / 0.75, 1e-10);
  EXPECT_NEAR(cheap.values[1], 0.5 * 4.0 / 0.75, 1e-10);
  const Solution expensive = solved(2.0, 2);
  EXPECT_EQ(expensive.policy[0], 1);
  EXPECT_NEAR(expensive.values[0], 3.0 / 0.5, 1e-10);
  EXPECT_EQ(solved(1.0, 1).policy[0], 1);  // units not sold today expire
}

TEST(ExplicitMdp, GoesThroughTheWeek) {
  ModelParts parts{.capacity = 2,
                   .max_order = {2},
                   .arrival = {Arrival::fresh(2)},
                   .demand = std::vector<std::vector<double>>(7, {0.0, 1.0}),
                   .cost = {{.order = 1.0, .shortage = 7.0}}};
  parts.demand[6] = {0.0, 0.0, 1.0};
  const Model model(parts);
  const Mdp mdp = explicit_mdp(model);
  ASSERT_EQ(mdp.states(), 21);
  for (std::size_t x = 0; x < 21; ++x) {
    for (std::size_t row = mdp.state_begin()[x]; row < mdp.state_begin()[x + 1]; ++row) {
      for (const StateIndex next : mdp.law(row).next) EXPECT_EQ(next / 3, (x / 3 + 1) % 7);
    }
  }
  // Nothing in stock and nothing ordered: the day's demand is lost.
  for (std::size_t day = 0; day < 7; ++day) {
    EXPECT_THAT(mdp.law(mdp.state_begin()[3 * day]).cost, ElementsAre(day == 6 ? 14.0 : 7.0));
  }
}

TEST(ExplicitMdp, OfSevenEqualDaysHasTheSameValueAsOfOne) {
  Model one = testing::paper_model(3, testing::paper_costs, 6);
  const std::vector<double> law(one.demand(0).begin(), one.demand(0).end());
  const Model seven({.capacity = 6,
                     .max_order = {6},
                     .arrival = {one.arrival(0)},
                     .demand = std::vector<std::vector<double>>(7, law),
                     .cost = {one.cost(0)}});
  const Criterion criterion{Expectile(0.7), 0.9};
  const Solution of_one = policy_iteration(explicit_mdp(one), criterion);
  const Solution of_seven = policy_iteration(explicit_mdp(seven), criterion);
  for (std::size_t x = 0; x < seven.states(); ++x) {
    EXPECT_NEAR(of_seven.values[x], of_one.values[x % one.states()],
                of_one.error_bound + of_seven.error_bound);
  }
}

/// At the empty stock: converged values to the digits given, and those of Wang and Delage's table
/// for costs (10, 1, 20, 5), who stop at a change below 0.01, hence within 0.01/(1 - γ), and
/// round to 0.01.
TEST(ExplicitMdp, HasTheOptimumOfThePublishedModelOfShelfLifeThree) {
  struct Known {
    double tau, converged, digits, published;
  };
  const Mdp mdp = explicit_mdp(testing::paper_model(3));
  for (const auto& [tau, converged, digits, published] :
       {Known{0.1, 34.5022, 5e-5, 34.49}, Known{0.5, 54.84898, 5e-6, 54.83},
        Known{0.9, 93.55288, 5e-6, 93.54}}) {
    const Solution solution = policy_iteration(mdp, {Expectile(tau), 0.6});
    ASSERT_EQ(solution.status, Status::converged);
    EXPECT_NEAR(solution.values[0], converged, digits + 1e-6) << tau;
    EXPECT_NEAR(solution.values[0], published, 0.01 / 0.4 + 0.005) << tau;
  }
}

}  // namespace
}  // namespace shortfall::inventory
