#include "studies/figure_policies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "studies/stock_setting.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using ::testing::ElementsAre;

/// Orders up to S if the total is at most s, minus `aged` for each unit that expires soon.
struct Rule {
  int reorder_at;
  int up_to;
  int aged = 0;
};

Orders orders_by(const StockSetting& setting, const Rule& rule) {
  Orders orders{.cost = cost_text(setting.cost), .tau = setting.tau};
  for (int x1 = 0; x1 <= 20; ++x1) {
    for (int x2 = 0; x1 + x2 <= 20; ++x2) {
      const int order = std::max(1, rule.up_to - x1 - x2 - rule.aged * x1);
      orders.all.push_back({x1, x2, x1 + x2 <= rule.reorder_at ? order : 0});
    }
  }
  return orders;
}

/// One rule per setting, by costs.
std::vector<Orders> by(const std::vector<Rule>& rules) {
  std::vector<Orders> parts;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    parts.push_back(orders_by(pictured_settings()[i], rules[i]));
  }
  return parts;
}

TEST(FigurePolicies, ConfirmsWhatItShouldShow) {
  const Results results = conclude_orders(by({{4, 10, 1},
                                              {7, 11, 1},
                                              {9, 12, 1},  //
                                              {2, 13, 1},
                                              {4, 14, 1},
                                              {6, 15, 1},  //
                                              {2, 7, 1},
                                              {3, 8, 1},
                                              {4, 9, 1}}));
  for (const Finding& finding : results.findings) {
    EXPECT_EQ(finding.verdict, Verdict::confirmed) << finding.claim << ": " << finding.found;
  }
}

TEST(FigurePolicies, RefutesWhatItDoesNot) {
  const Results results = conclude_orders(by({{9, 10},
                                              {5, 11},
                                              {4, 12},  //
                                              {10, 9},
                                              {11, 9},
                                              {12, 9},  //
                                              {10, 20},
                                              {12, 18},
                                              {14, 15}}));
  for (const Finding& finding : results.findings) {
    EXPECT_EQ(finding.verdict, Verdict::refuted) << finding.claim << ": " << finding.found;
  }
}

TEST(FigurePolicies, RecognizesOrdersUpToALevel) {
  const Results results = conclude_orders(by({{4, 10},
                                              {4, 10, 1},
                                              {4, 11},  //
                                              {4, 10},
                                              {4, 10},
                                              {4, 10},  //
                                              {4, 10},
                                              {4, 10},
                                              {4, 10}}));
  const Json& regions = results.tables["regions"];
  EXPECT_EQ(regions[0]["is_order_up_to"], true);
  EXPECT_EQ(regions[1]["is_order_up_to"], false);
  EXPECT_EQ(regions[2]["is_order_up_to"], true);
  EXPECT_EQ(regions[0]["states_ordering"], 15);  // 1 + 2 + 3 + 4 + 5
  EXPECT_EQ(regions[0]["largest_stock_ordered_at"], 4);
  EXPECT_EQ(regions[0]["order_at_empty"], 10);
  // (1·10 + 2·9 + 3·8 + 4·7 + 5·6) / 15
  EXPECT_DOUBLE_EQ(regions[0]["mean_order"].get<double>(), 110.0 / 15.0);
}

/// Orders at the empty stock are known from the exact solver's own tests and examples.
TEST(FigurePolicies, IsCompleteInItsQuickForm) {
  const Study study = figure_policies({.scale = Scale::quick});
  std::vector<Orders> parts;
  for (const Part& part : study.parts) parts.push_back(computed<Orders>(part));
  const Results results = conclude(study, parts);
  EXPECT_EQ(results.tables["orders"].size(), 9U * 231U);
  EXPECT_THAT(columns_of(results.tables["orders"]),
              ElementsAre("cost", "tau", "x1", "x2", "order"));
  EXPECT_EQ(results.tables["regions"].size(), 9U);
  EXPECT_THAT(columns_of(results.tables["regions"]),
              ElementsAre("cost", "tau", "states_ordering", "largest_stock_ordered_at",
                          "order_at_empty", "mean_order", "is_order_up_to"));
  EXPECT_EQ(verdict_on(results, "No optimal policy has the classical"), Verdict::confirmed);
  EXPECT_EQ(verdict_on(results, "As tau grows"), Verdict::confirmed);
}

}  // namespace
}  // namespace shortfall::studies
