#include "shortfall/inventory/train/stock_hats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "shortfall/inventory/kernel/solve.hpp"
#include "tests/inventory/train/training_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::inventory::hats {
namespace {

using learn::Algorithm;
using namespace shortfall::testing;

Model hats_model(std::size_t shelf_life, std::size_t days, std::size_t capacity) {
  return testing::model_of(Arrival::fresh(shelf_life), capacity,
                           std::vector<std::vector<double>>(days, poisson_demand(2.0, capacity)));
}

std::vector<double> written(const StockHats& map, std::size_t day,
                            const std::vector<std::uint8_t>& stock) {
  std::vector<double> phi(map.dimension(), -1.0);
  map.write({day, stock}, phi);
  features::ActiveFeatures active(map.max_active());
  map.write_active({day, stock}, active);
  features::check_averager(active);
  std::vector<double> scattered(map.dimension());
  features::write_dense(active, scattered);
  EXPECT_EQ(scattered, phi);
  EXPECT_NEAR(std::accumulate(phi.begin(), phi.end(), 0.0), 1.0, 1e-14);
  return phi;
}

TEST(StockHats, AreAsManyAsTheHeaderSays) {
  const auto dimension = [](std::size_t shelf_life, std::size_t days, std::size_t capacity) {
    const Model model = hats_model(shelf_life, days, capacity);
    const std::vector<std::vector<double>> values(days, std::vector<double>(capacity + 1));
    return StockHats(model, values).dimension();
  };
  EXPECT_EQ(dimension(1, 1, 20), 11u);
  EXPECT_EQ(dimension(2, 1, 20), 11u);
  EXPECT_EQ(dimension(3, 1, 20), 55u);
  EXPECT_EQ(dimension(5, 1, 20), 275u);
  EXPECT_EQ(dimension(8, 1, 20), 275u);
  EXPECT_EQ(dimension(3, 7, 20), 385u);
  EXPECT_EQ(dimension(3, 1, 4), 25u);  // one per number of units
}

/// Capacity 8: totals at 0, 1, .., 8, and the units that perish next at 0, 2, .., 8.
TEST(StockHats, OfAStockAgreeWithAHandComputation) {
  const Model model = hats_model(3, 1, 8);
  std::vector<std::vector<double>> values(1);
  for (int total = 0; total <= 8; ++total) values[0].push_back(100.0 - total * total);
  const StockHats map(model, values);
  ASSERT_EQ(map.dimension(), 45u);
  const std::vector<double> phi = written(map, 0, {3, 2});  // s = (3, 5)
  EXPECT_EQ(phi[5 * 5 + 1], 0.5);
  EXPECT_EQ(phi[5 * 5 + 2], 0.5);
  EXPECT_EQ(written(map, 0, {0, 0})[0], 1.0);
  EXPECT_EQ(map.initial_guess()[5 * 5 + 4], 75.0);
  // The initial guess is the value of the total.
  EXPECT_NEAR(std::inner_product(phi.begin(), phi.end(), map.initial_guess().begin(), 0.0), 75.0,
              1e-12);
}

TEST(StockHats, OfSevenDaysAreThoseOfTheDay) {
  const Model model = hats_model(2, 7, 4);
  std::vector<std::vector<double>> values;
  for (int day = 0; day < 7; ++day) values.emplace_back(5, 10.0 * day);
  const StockHats map(model, values);
  ASSERT_EQ(map.dimension(), 35u);
  EXPECT_EQ(written(map, 6, {4})[34], 1.0);
  EXPECT_EQ(map.initial_guess()[34], 60.0);
}

/// A training from the myopic orders with hats: the gap of the best orders in percent, for the
/// published platelets of shelf life 3. The myopic orders are 5 % and more too expensive.
double gap_with(Algorithm algorithm, const Criterion& criterion, int iterations) {
  const Model model = paper_model(3);
  TrainingOptions options{.algorithm = algorithm};
  if (is_sanitized()) options.samples = 20'000;
  if (is_sanitized()) options.trajectories = 4;
  Training training(model, criterion, options);
  for (int k = 0; k < iterations; ++k) EXPECT_TRUE(training.iterate());
  EXPECT_EQ(training.state().theta.size(), 55u);
  EXPECT_EQ(training.state().trace.back().used, options.trajectories);
  const double optimum = solve(model, criterion).values[0];
  return 100.0 * (training.best().value_at_empty - optimum) / optimum;
}

TEST(StockHats, TrainOrdersNearTheOptimum) {
  for (const double tau : {0.1, 0.9}) {
    if (is_sanitized() && tau < 0.5) continue;
    EXPECT_LT(gap_with(Algorithm::averager_newton, expectile(tau), 2), 1.0) << tau;
    EXPECT_LT(gap_with(Algorithm::averager_td, expectile(tau), 3), 1.0) << tau;
  }
}

}  // namespace
}  // namespace shortfall::inventory::hats
