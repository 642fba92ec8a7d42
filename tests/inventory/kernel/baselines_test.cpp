#include "shortfall/inventory/kernel/baselines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "tests/inventory/kernel/losses_for_tests.hpp"
#include "tests/inventory/model/models_for_tests.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// ρ(c + γ V((total + z - D)⁺)) with nothing expiring, from the definition.
double backup(const Model& model, const Criterion& criterion, const NonPerishable& solved,
              std::size_t day, std::size_t total, std::size_t z) {
  std::vector<double> targets;
  const std::vector<double>& next = solved.value[(day + 1) % model.days()];
  for (std::size_t d = 0; d < model.demand(day).size(); ++d) {
    const double left = static_cast<double>(total + z) - static_cast<double>(d);
    const Costs& of = model.cost(day);
    const double cost = (z > 0 ? of.order : 0.0) + of.unit * static_cast<double>(z) +
                        (left > 0 ? of.holding * left : -of.shortage * left);
    targets.push_back(cost + criterion.gamma * next[left > 0 ? total + z - d : 0]);
  }
  return shortfall_risk(criterion.loss, {targets, model.demand(day)});
}

TEST(NonPerishable, SatisfiesTheBellmanEquationForEveryLoss) {
  pcg64 generator(5);
  for (const AnyLoss& loss : testing::all_losses()) {
    for (int trial = 0; trial < 6; ++trial) {
      const Model model = testing::random_model(generator);
      const Criterion criterion{loss, 0.8};
      const NonPerishable solved = solve_non_perishable(model, criterion);
      double scale = 0.0;
      for (const Costs& cost : model.parts().cost) {
        scale = std::max(scale, cost.order + 20.0 * (cost.unit + cost.holding + cost.shortage));
      }
      EXPECT_LE(solved.error_bound, 1e-9 * (1.0 + scale));
      // The backup contracts errors of the values, and adds some rounding.
      const double bound = 2.0 * solved.error_bound + 1e-12 * scale / (1.0 - criterion.gamma);
      ASSERT_EQ(solved.order.size(), model.days());
      for (std::size_t day = 0; day < model.days(); ++day) {
        ASSERT_EQ(solved.order[day].size(), model.capacity() + 1);
        for (std::size_t t = 0; t <= model.capacity(); ++t) {
          double smallest = std::numeric_limits<double>::infinity();
          for (std::size_t z = 0; z <= model.largest_order(day, t); ++z) {
            smallest = std::min(smallest, backup(model, criterion, solved, day, t, z));
          }
          const std::size_t z = solved.order[day][t];
          ASSERT_LE(z, model.largest_order(day, t));
          EXPECT_NEAR(solved.value[day][t], smallest, bound) << loss.to_string();
          EXPECT_NEAR(backup(model, criterion, solved, day, t, z), smallest, bound)
              << loss.to_string();
        }
      }
    }
  }
}

/// If at least one unit is demanded each period, four fresh units of shelf life 4 never expire.
TEST(NonPerishable, IsThePerishableModelIfNothingCanExpire) {
  const Model model({.capacity = 4,
                     .max_order = {4},
                     .arrival = {Arrival::fresh(4)},
                     .demand = {{0.0, 0.5, 0.25, 0.125, 0.125}},
                     .cost = {{.order = 4.0, .holding = 1.0, .shortage = 9.0, .wastage = 100.0}}});
  for (const AnyLoss& loss : testing::all_losses()) {
    const Criterion criterion{loss, 0.7};
    const Solution perishable = policy_iteration(explicit_mdp(model), criterion);
    const NonPerishable solved = solve_non_perishable(model, criterion);
    const Policy orders = static_policy(model, solved);
    for (std::size_t t = 0; t <= 4; ++t) {
      for (std::size_t x = model.stocks().layer_begin(t); x < model.stocks().layer_begin(t + 1);
           ++x) {
        // Stocks with more than i units that expire within i periods cannot occur here.
        std::vector<std::uint8_t> stock(3);
        model.stocks().unrank(static_cast<std::uint32_t>(x), stock);
        if (stock[0] > 1 || stock[0] + stock[1] > 2 || t > 3) continue;
        EXPECT_NEAR(perishable.values[x], solved.value[0][t],
                    perishable.error_bound + solved.error_bound)
            << loss.to_string();
        EXPECT_EQ(perishable.policy[x], orders[x]) << loss.to_string();
      }
    }
  }
}

TEST(NonPerishable, DependsOnEveryCostExceptWastage) {
  const Criterion criterion{Expectile(0.7), 0.6};
  const auto value = [&](const Costs& costs) {
    return solve_non_perishable(testing::paper_model(3, costs), criterion).value[0][0];
  };
  const double base = value(studies::published_cost(10.0, 1.0, 20.0, 5.0));
  EXPECT_EQ(value(studies::published_cost(10.0, 1.0, 20.0, 80.0)), base);
  EXPECT_GT(value(studies::published_cost(11.0, 1.0, 20.0, 5.0)),
            base + 1.0);  // the first order is certain to be placed
  EXPECT_GT(value(studies::published_cost(10.0, 1.1, 20.0, 5.0)), base);
  EXPECT_GT(value(studies::published_cost(10.0, 1.0, 21.0, 5.0)), base);
}

/// All (s, S) of the risk-neutral model, each evaluated by plain sweeps.
TEST(NonPerishable, HasTheBestReorderLevelsForThePublishedCosts) {
  constexpr double gamma = 0.6;
  for (const double order_cost : {10.0, 20.0, 50.0, 80.0}) {
    const Model model =
        testing::paper_model(3, studies::published_cost(order_cost, 1.0, 20.0, 5.0));
    const auto law = model.demand(0);
    double smallest = std::numeric_limits<double>::infinity();
    ReorderLevels best{};
    for (std::size_t s = 0; s < 20; ++s) {
      for (std::size_t up_to = s + 1; up_to <= 20; ++up_to) {
        std::vector<double> value(21, 0.0);
        for (int sweep = 0; sweep < 60; ++sweep) {  // 0.6⁶⁰ · 1000 < 1e-10
          std::vector<double> swept(21, 0.0);
          for (std::size_t t = 0; t <= 20; ++t) {
            const std::size_t stock = t <= s ? up_to : t;
            if (t <= s) swept[t] = order_cost;
            for (std::size_t d = 0; d <= 20; ++d) {
              const std::size_t left = stock > d ? stock - d : 0;
              swept[t] += law[d] * (model.period_cost(0, {stock, 0}, d) + gamma * value[left]);
            }
          }
          value = swept;
        }
        if (value[0] < smallest - 1e-9) {
          smallest = value[0];
          best = {.reorder_at = s, .order_up_to = up_to};
        }
      }
    }
    const NonPerishable solved = solve_non_perishable(model, {Mean(), gamma});
    ASSERT_TRUE(solved.shape[0].has_value());
    EXPECT_EQ(solved.shape[0]->order_up_to, best.order_up_to) << order_cost;
    EXPECT_EQ(solved.shape[0]->reorder_at, best.reorder_at) << order_cost;
    EXPECT_NEAR(solved.value[0][0], smallest, 1e-9);
  }
}

/// A risk-averse planner: the more shortage hurts, the earlier and the more it orders.
TEST(NonPerishable, OrdersEarlierAndMoreAsTheRiskLevelGrows) {
  std::optional<ReorderLevels> before;
  for (const double tau : {0.1, 0.4, 0.5, 0.6, 0.9}) {
    const auto shape =
        solve_non_perishable(testing::paper_model(3), {Expectile(tau), 0.6}).shape[0];
    ASSERT_TRUE(shape.has_value());
    if (before) {
      EXPECT_GE(shape->reorder_at, before->reorder_at);
      EXPECT_GE(shape->order_up_to, before->order_up_to);
    }
    before = shape;
  }
}

/// Checks all (s, S): the reported shape gives the orders and has the smallest S of those that do;
/// if none is reported, none gives them.
TEST(NonPerishable, ReportsItsShapeIfAndOnlyIfItHasOne) {
  pcg64 generator(6);
  int shaped = 0;
  int cut = 0;
  int shapeless = 0;
  int never = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Model model = testing::random_model(generator);
    const NonPerishable solved = solve_non_perishable(model, {Expectile(0.6), 0.8});
    ASSERT_EQ(solved.shape.size(), model.days());
    for (std::size_t day = 0; day < model.days(); ++day) {
      const std::vector<std::size_t>& order = solved.order[day];
      std::vector<ReorderLevels> fitting;  // by increasing S
      for (std::size_t up_to = 1; up_to <= model.capacity(); ++up_to) {
        for (std::size_t s = 0; s < up_to; ++s) {
          bool fits = true;
          bool orders = false;
          for (std::size_t t = 0; t < order.size(); ++t) {
            const std::size_t z = t <= s ? std::min(up_to - t, model.largest_order(day, t)) : 0;
            fits &= order[t] == z;
            orders |= z > 0;
          }
          if (fits && orders) fitting.push_back({.reorder_at = s, .order_up_to = up_to});
        }
      }
      ASSERT_EQ(solved.shape[day].has_value(), !fitting.empty());
      if (!fitting.empty()) {
        EXPECT_EQ(solved.shape[day]->order_up_to, fitting.front().order_up_to);
        EXPECT_EQ(solved.shape[day]->reorder_at, fitting.front().reorder_at);
      }
      shaped += fitting.size() == 1 ? 1 : 0;
      cut += fitting.size() > 1 ? 1 : 0;
      shapeless += fitting.empty() && order[0] > 0 ? 1 : 0;
      never += fitting.empty() && order[0] == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(shaped, 100);
  EXPECT_GT(cut, 5);
  EXPECT_GT(shapeless, 0);
  EXPECT_GT(never, 5);
}

TEST(NonPerishable, NeverOrdersIfNothingIsGained) {
  const Model free({.capacity = 3,
                    .max_order = {3},
                    .arrival = {Arrival::fresh(2)},
                    .demand = {{0.5, 0.5}},
                    .cost = {{}}});
  const NonPerishable solved = solve_non_perishable(free, {Expectile(0.9), 0.9});
  EXPECT_THAT(solved.order[0], Each(0U));
  EXPECT_THAT(solved.value[0], Each(0.0));
  EXPECT_FALSE(solved.shape[0].has_value());
}

TEST(NonPerishable, RejectsADiscountOfOneAndCostsThatOverflow) {
  EXPECT_THAT(
      [] {
        solve_non_perishable(testing::paper_model(3), {Mean(), 1.0});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("gamma = 1; accepted")));
  EXPECT_THAT(
      [] {
        solve_non_perishable(testing::paper_model(3, {.order = 1e6, .shortage = 1e6}),
                             {CustomLoss(testing::Steep()), 0.99});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("costs so large")));
}

/// At the empty stock: converged values to the digits given, and those of Wang and Delage's table,
/// who stop at a change below 0.01, hence within 0.01/(1 - γ), and round to 0.01.
TEST(StaticPolicy, HasThePublishedValueForShelfLifeThree) {
  struct Known {
    double tau, converged, published;
  };
  const Model model = testing::paper_model(3);
  const Mdp mdp = explicit_mdp(model);
  for (const auto& [tau, converged, published] :
       {Known{0.1, 36.5334, 36.52}, Known{0.5, 72.9541, 72.94}, Known{0.9, 148.1521, 148.14}}) {
    const Criterion criterion{Expectile(tau), 0.6};
    const Policy orders = static_policy(model, solve_non_perishable(model, criterion));
    const Solution solution = evaluate_by_newton(under_policy(mdp, orders), criterion);
    EXPECT_NEAR(solution.values[0], converged, 5e-5 + 1e-6) << tau;
    EXPECT_NEAR(solution.values[0], published, 0.01 / 0.4 + 0.005) << tau;
  }
}

/// Capacity 3, shelf life 3: states by total are 1, 2, 3 and 4 stock vectors.
Model week_of_small_stock() {
  return Model({.capacity = 3,
                .max_order = {2},
                .arrival = {Arrival::fresh(3)},
                .demand = std::vector<std::vector<double>>(7, {0.5, 0.5}),
                .cost = {testing::paper_costs}});
}

TEST(StaticPolicy, LooksOrdersUpByDayAndTotalAndCapsThem) {
  const Model model = week_of_small_stock();
  NonPerishable given;
  for (std::size_t day = 0; day < 7; ++day) given.order.push_back({3, day % 2, 1, 1});
  const Policy orders = static_policy(model, given);
  model.check_orders(orders);
  ASSERT_EQ(orders.size(), 70);
  for (std::size_t day = 0; day < 7; ++day) {
    const auto odd = static_cast<ActionIndex>(day % 2);
    EXPECT_THAT(Policy(orders.begin() + static_cast<std::ptrdiff_t>(10 * day),
                       orders.begin() + static_cast<std::ptrdiff_t>(10 * day + 10)),
                ElementsAre(2, odd, odd, 1, 1, 1, 0, 0, 0, 0));
  }
}

TEST(StaticPolicy, RejectsOrdersOfAnotherModel) {
  const Model model = week_of_small_stock();
  NonPerishable given;
  given.order.assign(1, {0, 0, 0, 0});
  const auto refuses = [&] {
    EXPECT_THAT([&] { static_policy(model, given); },
                ThrowsMessage<InvalidInput>(HasSubstr("accepted: 7 days, stock 0 to 3")));
  };
  refuses();
  given.order.assign(7, {0, 0, 0, 0});
  EXPECT_THAT(static_policy(model, given), Each(0));
  given.order[6].pop_back();
  refuses();
}

TEST(StaticValues, AreLookedUpByDayAndTotal) {
  const Model model = week_of_small_stock();
  NonPerishable given;
  for (int day = 0; day < 7; ++day) given.value.push_back({day + 0.5, 1.0, 2.0, 3.0});
  const std::vector<double> values = static_values(model, given);
  ASSERT_EQ(values.size(), 70);
  EXPECT_THAT(std::vector<double>(values.begin() + 60, values.end()),
              ElementsAre(6.5, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0));
  given.value[6].pop_back();
  EXPECT_THAT([&] { static_values(model, given); },
              ThrowsMessage<InvalidInput>(HasSubstr("accepted: 7 days, stock 0 to 3")));
}

TEST(ReorderPolicy, OrdersUpToItsLevelIfStockIsLow) {
  const Model model = testing::paper_model(3, testing::paper_costs, 4);
  EXPECT_THAT(reorder_policy(model, {.reorder_at = 1, .order_up_to = 3}),
              ElementsAre(3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(base_stock_policy(model, 3),
              ElementsAre(3, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  for (std::size_t level = 1; level <= 4; ++level) {
    EXPECT_EQ(base_stock_policy(model, level),
              reorder_policy(model, {.reorder_at = level - 1, .order_up_to = level}));
  }
}

TEST(ReorderPolicy, OrdersAtMostTheLargestOrder) {
  const Policy orders = reorder_policy(week_of_small_stock(), {.reorder_at = 1, .order_up_to = 3});
  ASSERT_EQ(orders.size(), 70);
  for (std::size_t x = 0; x < 70; ++x) EXPECT_EQ(orders[x], x % 10 < 3 ? 2 : 0);
}

TEST(ReorderPolicy, RejectsLevelsOutOfOrderOrBeyondTheCapacity) {
  const Model model = week_of_small_stock();
  const auto refuses = [&](const ReorderLevels& levels, const char* message) {
    EXPECT_THAT([&] { reorder_policy(model, levels); },
                ThrowsMessage<InvalidInput>(HasSubstr(message)));
  };
  refuses({.reorder_at = 2, .order_up_to = 2}, "reorder at 2 up to 2; accepted: s < S, at most 3");
  refuses({.reorder_at = 1, .order_up_to = 4}, "reorder at 1 up to 4; accepted: s < S, at most 3");
  refuses({.reorder_at = 0, .order_up_to = 0}, "reorder at 0 up to 0");
  EXPECT_THAT([&] { base_stock_policy(model, 0); },
              ThrowsMessage<InvalidInput>(HasSubstr("base stock level = 0; accepted: 1 to 3")));
  EXPECT_THAT([&] { base_stock_policy(model, 4); },
              ThrowsMessage<InvalidInput>(HasSubstr("base stock level = 4; accepted: 1 to 3")));
}

}  // namespace
}  // namespace shortfall::inventory
