#include "shortfall/inventory/train/stock_features.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "shortfall/features/rank.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::ElementsAre;

const Criterion criterion{Expectile(0.7), 0.6};

Model model_of(std::size_t shelf_life, std::size_t days, std::size_t capacity = 4) {
  std::vector<std::vector<double>> demand;
  for (std::size_t day = 0; day < days; ++day) {
    demand.push_back(poisson_demand(1.0 + static_cast<double>(day), capacity + 2));
  }
  return Model({.capacity = capacity,
                .max_order = {capacity},
                .arrival = {Arrival::fresh(shelf_life)},
                .demand = std::move(demand),
                .cost = {testing::paper_costs}});
}

StockFeatures features_of(const Model& model) {
  return {model, solve_non_perishable(model, criterion)};
}

std::vector<double> written(const StockFeatures& features, std::size_t day,
                            std::vector<std::uint8_t> stock) {
  std::vector<double> out(features.dimension(), -1.0);
  features.write({day, stock}, out);
  return out;
}

/// For a model of one day and capacity 4.
NonPerishable known_values() {
  NonPerishable known;
  known.value = {{50.0, 40.0, 31.0, 23.0, 16.0}};
  return known;
}

/// 1 + 1 + (m-1) + (m-1)m/2 and, with seven days, six more constants.
TEST(StockFeatures, AreAsManyAsPublished) {
  for (const auto& [shelf_life, dimension] :
       {std::pair{1U, 2U}, {2U, 4U}, {3U, 7U}, {5U, 16U}, {8U, 37U}, {10U, 56U}}) {
    EXPECT_EQ(features_of(model_of(shelf_life, 1)).dimension(), dimension);
    EXPECT_EQ(features_of(model_of(shelf_life, 7)).dimension(), dimension + 6);
  }
}

TEST(StockFeatures, OfAStockAgreeWithAHandComputation) {
  const Model model = model_of(3, 1);
  const StockFeatures features(model, known_values());
  EXPECT_THAT(written(features, 0, {1, 2}), ElementsAre(1, 23, 1, 2, 1, 2, 4));
  EXPECT_THAT(written(features, 0, {3, 1}), ElementsAre(1, 16, 3, 1, 9, 3, 1));
  EXPECT_THAT(written(features, 0, {0, 0}), ElementsAre(1, 50, 0, 0, 0, 0, 0));
}

TEST(StockFeatures, OfSevenDaysHaveTheConstantAndTheValueOfTheDay) {
  const Model model = model_of(2, 7, 1);
  NonPerishable known;
  for (int day = 0; day < 7; ++day) known.value.push_back({10.0 * day, 10.0 * day - 1.0});
  const StockFeatures features(model, known);
  EXPECT_THAT(written(features, 0, {1}), ElementsAre(1, 0, 0, 0, 0, 0, 0, -1, 1, 1));
  EXPECT_THAT(written(features, 6, {0}), ElementsAre(0, 0, 0, 0, 0, 0, 1, 60, 0, 0));
}

TEST(StockFeatures, OfShelfLifeOneAreAConstantAndAValue) {
  const Model model = model_of(1, 1);
  const StockFeatures features(model, known_values());
  EXPECT_THAT(written(features, 0, {}), ElementsAre(1, 50));
}

TEST(StockFeatures, AreNamedInTheOrderInWhichTheyAreWritten) {
  EXPECT_THAT(features_of(model_of(3, 1)).names(),
              ElementsAre("1", "V", "x1", "x2", "x1 x1", "x1 x2", "x2 x2"));
  EXPECT_THAT(features_of(model_of(2, 7)).names(),
              ElementsAre("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "V", "x1", "x1 x1"));
}

TEST(StockFeatures, StartFromTheNonPerishableValue) {
  for (const std::size_t days : {1U, 7U}) {
    const Model model = model_of(3, days);
    const NonPerishable non_perishable = solve_non_perishable(model, criterion);
    const StockFeatures features(model, non_perishable);
    const std::vector<double> theta = features.initial_guess();
    ASSERT_EQ(theta.size(), features.dimension());
    std::vector<std::uint8_t> stock(2);
    for (std::size_t s = 0; s < model.states(); ++s) {
      const std::size_t day = s / model.stocks().size();
      model.stocks().unrank(static_cast<std::uint32_t>(s % model.stocks().size()), stock);
      const std::vector<double> phi = written(features, day, stock);
      double value = 0.0;
      for (std::size_t j = 0; j < phi.size(); ++j) value += theta[j] * phi[j];
      EXPECT_EQ(value, non_perishable.value[day][stock[0] + std::size_t{stock[1]}]);
    }
  }
}

features::RankCheck rank_on_all_states(const Model& model) {
  const StockFeatures features = features_of(model);
  std::vector<double> rows;
  std::vector<std::uint8_t> stock(model.stocks().length());
  for (std::size_t s = 0; s < model.states(); ++s) {
    model.stocks().unrank(static_cast<std::uint32_t>(s % model.stocks().size()), stock);
    const std::vector<double> phi = written(features, s / model.stocks().size(), stock);
    rows.insert(rows.end(), phi.begin(), phi.end());
  }
  return features::check_rank({std::move(rows), features.dimension()}, features.names());
}

TEST(StockFeatures, OfShelfLifeThreeAreIndependentOnAllStates) {
  for (const std::size_t days : {1U, 7U}) {
    const features::RankCheck check = rank_on_all_states(model_of(3, days, 20));
    EXPECT_TRUE(check.is_full()) << check.message;
  }
  const features::RankCheck published = rank_on_all_states(testing::paper_model(3));
  EXPECT_EQ(published.rank(), 7) << published.message;
}

/// With capacity 1 a stock is empty or one unit: x² = x, and V̂ is a line through two points.
TEST(StockFeatures, AreDependentIfTheCapacityIsOne) {
  const features::RankCheck check = rank_on_all_states(model_of(2, 1, 1));
  EXPECT_EQ(check.rank(), 2) << check.message;
}

}  // namespace
}  // namespace shortfall::inventory
