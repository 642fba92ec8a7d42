#include "shortfall/inventory/simulate/episode.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"
#include "tests/inventory/train/training_for_tests.hpp"

namespace shortfall::inventory::episodes {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Model model_with_shelf_life(std::size_t shelf_life) {
  std::vector<double> shares(shelf_life, 1.0 / static_cast<double>(shelf_life));
  return testing::model_of(Arrival::shares(shares), 5, {poisson_demand(2.2, 6)});
}

/// Σ γᵗ c_t, summed as simulate() does.
double discounted_cost(Episode& episode, const Policy& orders, const SimulationOptions& options) {
  double sum = 0.0;
  double discount = 1.0;
  for (std::size_t t = 0; t < options.periods; ++t) {
    sum += discount * episode.step(static_cast<std::size_t>(orders[episode.state()])).total;
    discount *= options.gamma;
  }
  return sum;
}

void expect_replications(const Model& model) {
  const Policy orders = base_stock_policy(model, 4);
  const SimulationOptions options{.periods = 60, .replications = 5, .gamma = 0.9, .seed = 11};
  const SimulationResult simulated = simulate(model, orders, options);
  Episode episode(model);
  for (std::size_t r = 0; r < options.replications; ++r) {
    episode.start({.seed = options.seed, .replication = r});
    EXPECT_EQ(discounted_cost(episode, orders, options), simulated.discounted_cost[r]);
  }
}

TEST(Episode, IsAReplicationOfTheSimulationForEveryShelfLife) {
  for (std::size_t shelf_life = 1; shelf_life <= longest_shelf_life; ++shelf_life) {
    SCOPED_TRACE(shelf_life);
    expect_replications(model_with_shelf_life(shelf_life));
  }
}

TEST(Episode, IsAReplicationOfTheSimulationInAWeek) {
  expect_replications(testing::week_of(Arrival::fresh(3), 5));
}

/// The units and costs of a period, from the equations of model.hpp.
TEST(Episode, AddsUpInUnitsAndInMoney) {
  pcg64 generator(3);
  for (int n = 0; n < 60; ++n) {
    const Model model = testing::random_model(generator);
    const std::size_t stocks = model.stocks().size();
    const auto total_of = [&](std::size_t state) {
      std::vector<std::uint8_t> stock(model.stocks().length());
      model.stocks().unrank(static_cast<std::uint32_t>(state % stocks), stock);
      return std::accumulate(stock.begin(), stock.end(), std::size_t{0});
    };
    Episode episode(model);
    episode.start({.state = draw_index(generator, static_cast<std::uint32_t>(model.states()))});
    for (int t = 0; t < 30; ++t) {
      const auto orders = static_cast<std::uint32_t>(episode.largest_order() + 1);
      const std::size_t before = episode.state();
      const EpisodePeriod now = episode.step(draw_index(generator, orders));
      ASSERT_EQ(now.state, before);
      ASSERT_EQ(now.next, episode.state());
      ASSERT_EQ(now.next / stocks, (before / stocks + 1) % model.days());
      ASSERT_EQ(total_of(before) + now.order + now.lost, now.demand + now.left);
      ASSERT_TRUE(now.left == 0 || now.lost == 0);
      ASSERT_EQ(total_of(now.next) + now.expired, now.left);
      const Costs& paid = now.cost;
      ASSERT_DOUBLE_EQ(paid.order + paid.unit, model.order_cost(before / stocks, now.order));
      ASSERT_DOUBLE_EQ(paid.order + paid.unit + paid.holding + paid.shortage + paid.wastage,
                       now.total);
      const Costs& price = model.cost(before / stocks);
      ASSERT_DOUBLE_EQ(paid.holding, price.holding * static_cast<double>(now.left));
      ASSERT_DOUBLE_EQ(paid.shortage, price.shortage * static_cast<double>(now.lost));
      ASSERT_DOUBLE_EQ(paid.wastage, price.wastage * static_cast<double>(now.expired));
    }
  }
}

TEST(Episode, IsContinuedFromItsStateAndGenerator) {
  const Model model = testing::week_of(Arrival::shares({0.25, 0.25, 0.5}), 5);
  Episode episode(model);
  episode.start({.seed = 4, .replication = 2});
  for (int t = 0; t < 10; ++t) episode.step(episode.largest_order());
  Episode twin(model);
  twin.resume(episode.state(), episode.bits());
  for (int t = 0; t < 50; ++t) {
    const EpisodePeriod expected = episode.step(episode.largest_order() / 2);
    const EpisodePeriod found = twin.step(twin.largest_order() / 2);
    ASSERT_EQ(found.next, expected.next);
    ASSERT_EQ(found.total, expected.total);
  }
  EXPECT_THAT([&] { twin.resume(model.states(), episode.bits()); },
              ThrowsMessage<InvalidInput>(HasSubstr("accepted: 0 to")));
}

TEST(Episode, RefusesWhatTheModelDoesNotHaveAndIsThenAsBefore) {
  const Model model = testing::week_of(Arrival::fresh(2), 4);
  Episode episode(model);
  EXPECT_THAT([&] { episode.start({.state = model.states()}); },
              ThrowsMessage<InvalidInput>(HasSubstr("state 35; accepted: 0 to 34")));
  const std::size_t tuesday_with_three = model.stocks().size() + 3;
  episode.start({.state = tuesday_with_three, .seed = 9});
  EXPECT_EQ(episode.largest_order(), 1);
  EXPECT_THAT([&] { episode.step(2); },
              ThrowsMessage<InvalidInput>(HasSubstr(
                  "order 2 in state 8, with 3 units in stock on day 1; accepted: 0 to 1")));
  EXPECT_EQ(episode.state(), tuesday_with_three);
  Episode other(model);
  other.start({.state = tuesday_with_three, .seed = 9});
  EXPECT_EQ(episode.step(1).demand, other.step(1).demand);  // nothing was drawn
}

}  // namespace
}  // namespace shortfall::inventory::episodes
