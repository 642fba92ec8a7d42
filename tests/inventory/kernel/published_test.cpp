#include <gtest/gtest.h>

#include <cmath>

#include "published/platelets.hpp"
#include "published/tables.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"

namespace shortfall::inventory {
namespace {

using namespace shortfall::studies;

struct Matches {
  int optimal = 0;
  int of_static = 0;
  int myopic = 0;
  int risk_neutral = 0;
};

Matches compare(const PublishedTable& table) {
  Matches matches;
  const SolverOptions options{.tolerance = table.tolerance};
  for (std::size_t c = 0; c < published_costs.size(); ++c) {
    const Model model = platelets(table.shelf_life, {.cost = published_costs[c]});
    const Policy neutral = solve(model, {Mean(), 0.6}).policy;
    for (std::size_t level = 0; level < published_levels.size(); ++level) {
      const Criterion criterion{Expectile(published_levels[level]), 0.6};
      const auto count = [&](int& matched, const char* name, double value, double published) {
        matched += prints_as(value, published);
        EXPECT_TRUE(prints_as(value, published) || name == std::string("RN"))
            << name << " at level " << published_levels[level] << ", costs " << c << ": " << value
            << ", published " << published;
      };
      const auto value = [&](const Policy& orders) {
        return evaluate_as_published(model, criterion, orders, options).values[0];
      };
      count(matches.optimal, "Optimal", solve_as_published(model, criterion, options).values[0],
            table.optimal.value[level][c]);
      count(matches.of_static, "Static",
            value(static_policy(model, solve_non_perishable(model, criterion))),
            table.static_policy.value[level][c]);
      count(matches.myopic, "Myopic", value(myopic_policy(model, criterion)),
            table.myopic.value[level][c]);
      if (published_levels[level] != 0.5) {
        count(matches.risk_neutral, "RN", value(neutral), table.risk_neutral.value[level][c]);
      }
    }
  }
  return matches;
}

TEST(Published, EveryExactCellOfShelfLifeThreeIsThePrintedOne) {
  const Matches matches = compare(published_shelf_life_3);
  EXPECT_EQ(matches.optimal, 35);
  EXPECT_EQ(matches.of_static, 35);
  EXPECT_EQ(matches.myopic, 35);
  EXPECT_EQ(matches.risk_neutral, 28);
}

TEST(Published, EveryExactCellOfShelfLifeFiveIsThePrintedOne) {
  const Matches matches = compare(published_shelf_life_5);
  EXPECT_EQ(matches.optimal, 35);
  EXPECT_EQ(matches.of_static, 35);
  EXPECT_EQ(matches.myopic, 35);
  // The published risk-neutral policy of shelf life 5 is not the one that this rule finds: 19 of 28
  // cells agree.
  EXPECT_EQ(matches.risk_neutral, 19);
}

TEST(Published, ErrorBoundsHold) {
  const Model model = platelets(3);
  const Criterion criterion{Expectile(0.9), 0.6};
  const Solution exact = solve(model, criterion, {.tolerance = 1e-9});
  const Solution published = solve_as_published(model, criterion, {.tolerance = 0.1});
  EXPECT_GT(published.error_bound, 0.1);
  const Solution policy_value =
      evaluate_as_published(model, criterion, exact.policy, {.tolerance = 0.1});
  for (std::size_t x = 0; x < model.states(); ++x) {
    ASSERT_LE(std::abs(published.values[x] - exact.values[x]), published.error_bound + 1e-9);
    ASSERT_LE(std::abs(policy_value.values[x] - exact.values[x]), policy_value.error_bound + 1e-9);
  }
}

}  // namespace
}  // namespace shortfall::inventory
