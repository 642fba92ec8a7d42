#include "inventory/train/stock_sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "tests/inventory/model/models_for_tests.hpp"
#include "tests/mdp/chi_square.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::inventory::detail {
namespace {

template <std::size_t Ages>
SampledStock<Ages> sampled(const Model& model, std::size_t state) {
  std::vector<std::uint8_t> stock(model.stocks().length());
  model.stocks().unrank(static_cast<std::uint32_t>(state % model.stocks().size()), stock);
  SampledStock<Ages> x;
  x.day = static_cast<std::uint32_t>(state / model.stocks().size());
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < Ages; ++i) x.up_to[i] = i < stock.size() ? sum += stock[i] : sum;
  return x;
}

/// Pearson's test; outcomes with fewer than ten expected counts are merged.
void expect_law(const std::vector<std::size_t>& counts, const std::vector<double>& law,
                const std::string& what) {
  std::size_t draws = 0;
  for (const std::size_t count : counts) draws += count;
  std::vector<std::size_t> kept{0};
  std::vector<double> probability{0.0};
  for (std::size_t i = 0; i < law.size(); ++i) {
    if (law[i] == 0.0) {
      ASSERT_EQ(counts[i], 0) << what << ": outcome " << i << " cannot happen";
    }
    if (law[i] * static_cast<double>(draws) < 10.0) {
      kept[0] += counts[i];
      probability[0] += law[i];
    } else {
      kept.push_back(counts[i]);
      probability.push_back(law[i]);
    }
  }
  const auto [statistic, threshold] = testing::chi_square(kept, probability);
  EXPECT_LT(statistic, threshold) << what;
}

std::string name_of(const Model& model) {
  return "shelf life " + std::to_string(model.shelf_life()) + ", capacity " +
         std::to_string(model.capacity()) + ", days " + std::to_string(model.days());
}

/// Next states by Pearson's test; the mean cost within five standard errors, which one seed in 1.7
/// million exceeds if costs are normal.
template <std::size_t Ages>
void expect_law_of_a_step(const Model& model, std::size_t probes, pcg64& generator) {
  const Mdp mdp = explicit_mdp(model);
  const StockSampler<Ages> sampler(model);
  const std::size_t draws = testing::is_sanitized() ? 2000 : 10000;
  for (std::size_t probe = 0; probe < probes; ++probe) {
    const std::size_t x = draw_index(generator, static_cast<std::uint32_t>(mdp.states()));
    const auto z = static_cast<ActionIndex>(
        draw_index(generator, static_cast<std::uint32_t>(mdp.action_count(x))));
    const Outcomes::Row row = mdp.law(mdp.state_begin()[x] + static_cast<std::size_t>(z));
    std::vector<double> law(mdp.states(), 0.0);
    double mean = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < row.next.size(); ++i) {
      law[row.next[i]] += row.probability[i];
      mean += row.probability[i] * row.cost[i];
      square += row.probability[i] * row.cost[i] * row.cost[i];
    }
    std::vector<std::size_t> counts(mdp.states(), 0);
    double sum = 0.0;
    for (std::size_t n = 0; n < draws; ++n) {
      const auto [cost, next] = sampler.step(sampled<Ages>(model, x), z, generator);
      ++counts.at(sampler.index(next));
      sum += cost;
    }
    const std::string what =
        name_of(model) + ", state " + std::to_string(x) + ", order " + std::to_string(z);
    expect_law(counts, law, what);
    const double n = static_cast<double>(draws);
    const double error = std::sqrt(std::max(square - mean * mean, 0.0) / n);
    EXPECT_NEAR(sum / n, mean, 5.0 * error + 1e-7 * (1.0 + mean)) << what;
  }
}

Model small_model(Arrival arrival, std::size_t capacity, std::size_t max_order,
                  std::size_t days = 1) {
  std::vector<std::vector<double>> demand;
  for (std::size_t day = 0; day < days; ++day) {
    demand.push_back(poisson_demand(0.5 + 0.5 * static_cast<double>(day), capacity + 1));
  }
  return Model({.capacity = capacity,
                .max_order = {max_order},
                .arrival = {std::move(arrival)},
                .demand = std::move(demand),
                .cost = {testing::paper_costs}});
}

/// Every age is likely, and more so for larger orders.
Arrival mixed_arrival(std::size_t shelf_life) {
  return Arrival::logit(shelf_life, std::vector<double>(shelf_life - 1, 0.3),
                        std::vector<double>(shelf_life - 1, 0.1));
}

TEST(StockSampler, DrawsFromTheLawOfTheExplicitModel) {
  pcg64 generator(11);
  int weeks = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const Model model = testing::random_model(generator);
    weeks += model.days() == 7;
    expect_law_of_a_step<4>(model, 3, generator);
  }
  EXPECT_GT(weeks, 5);
}

TEST(StockSampler, DrawsFromThatLawAtLongShelfLives) {
  pcg64 generator(12);
  expect_law_of_a_step<4>(small_model(mixed_arrival(5), 4, 4), 10, generator);
  expect_law_of_a_step<8>(small_model(mixed_arrival(6), 3, 3, 7), 5, generator);
  expect_law_of_a_step<8>(small_model(mixed_arrival(9), 3, 3), 5, generator);
  expect_law_of_a_step<12>(small_model(mixed_arrival(10), 3, 2), 5, generator);
  expect_law_of_a_step<12>(small_model(Arrival::fresh(10), 3, 3), 5, generator);
}

TEST(StockSampler, DoesNotDependOnThePadding) {
  const Model model = testing::paper_model(3);
  const StockSampler<4> narrow(model);
  const StockSampler<12> wide(model);
  pcg64 generator(13);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::size_t x = draw_index(generator, static_cast<std::uint32_t>(model.states()));
    std::uint32_t orders = 0;
    for (const ActionIndex last : narrow.actions(sampled<4>(model, x)))
      orders = static_cast<std::uint32_t>(last) + 1;
    const auto z = static_cast<ActionIndex>(draw_index(generator, orders));
    pcg64 same = generator;
    const auto [cost, next] = narrow.step(sampled<4>(model, x), z, generator);
    const auto [cost_wide, next_wide] = wide.step(sampled<12>(model, x), z, same);
    ASSERT_EQ(cost, cost_wide);
    ASSERT_EQ(narrow.index(next), wide.index(next_wide));
  }
}

template <std::size_t Ages>
void expect_numbering(const Model& model) {
  const StockSampler<Ages> sampler(model);
  for (std::size_t s = 0; s < model.states(); ++s) {
    const SampledStock<Ages> x = sampled<Ages>(model, s);
    ASSERT_EQ(sampler.index(x), s) << name_of(model);
    EXPECT_FALSE(sampler.is_terminal(x));
    std::size_t total = 0;
    while (model.stocks().layer_begin(total + 1) <= s % model.stocks().size()) ++total;
    ActionIndex expected = 0;
    for (const ActionIndex z : sampler.actions(x)) ASSERT_EQ(z, expected++) << name_of(model);
    ASSERT_EQ(expected, static_cast<ActionIndex>(model.largest_order(x.day, total)) + 1);
  }
}

TEST(StockSampler, NumbersStatesAndOffersOrdersAsTheModelDoes) {
  pcg64 generator(14);
  for (int trial = 0; trial < 20; ++trial) expect_numbering<4>(testing::random_model(generator));
  expect_numbering<4>(testing::paper_model(3));
  expect_numbering<4>(small_model(mixed_arrival(5), 6, 4, 7));
  expect_numbering<8>(small_model(mixed_arrival(9), 4, 4));
  expect_numbering<12>(small_model(mixed_arrival(10), 4, 0));
}

TEST(SampledStockFeatures, AreStockFeaturesOfTheSameStock) {
  const Model model = small_model(mixed_arrival(5), 4, 4, 7);
  const StockFeatures features(model, solve_non_perishable(model, {Expectile(0.7), 0.6}));
  const SampledStockFeatures<4> of_sampled(features, model.shelf_life());
  ASSERT_EQ(of_sampled.dimension(), features.dimension());
  std::vector<double> phi(features.dimension());
  std::vector<double> known(features.dimension());
  std::vector<std::uint8_t> stock(4);
  for (std::size_t s = 0; s < model.states(); ++s) {
    model.stocks().unrank(static_cast<std::uint32_t>(s % model.stocks().size()), stock);
    features.write({s / model.stocks().size(), stock}, known);
    of_sampled.write(sampled<4>(model, s), phi);
    ASSERT_EQ(phi, known) << "state " << s;
  }
}

/// The law of a start `periods` after the last open day, if an order may be as large as the
/// capacity, computed independently of its code: in the model without demand, that many periods
/// after each order from empty stock with probability 1/(C + 1), then a geometric number of periods
/// without orders, each with probability 1/8.
std::vector<double> law_of_start(const Model& model, const Arrival& arrival,
                                 std::size_t periods = 1) {
  const Model idle({.capacity = model.capacity(),
                    .max_order = {model.capacity()},
                    .arrival = {arrival},
                    .demand = {{1.0}},
                    .cost = {{}}});
  const Mdp mdp = explicit_mdp(idle);
  std::vector<double> aged(mdp.states(), 0.0);
  for (std::size_t z = 0; z <= model.capacity(); ++z) {
    const Outcomes::Row row = mdp.law(z);
    for (std::size_t i = 0; i < row.next.size(); ++i) {
      aged[row.next[i]] += row.probability[i] / static_cast<double>(model.capacity() + 1);
    }
  }
  const auto age_one_period = [&] {
    std::vector<double> older(mdp.states(), 0.0);
    for (std::size_t x = 0; x < mdp.states(); ++x) {
      older[mdp.law(mdp.state_begin()[x]).next[0]] += aged[x];
    }
    aged.swap(older);
  };
  for (std::size_t k = 1; k < periods; ++k) age_one_period();
  std::vector<double> law(mdp.states(), 0.0);
  double weight = 1.0;
  for (std::size_t age = 1; age <= model.shelf_life(); ++age, weight /= 8.0) {
    const bool is_last = age == model.shelf_life();  // everything has expired, and remains so
    for (std::size_t x = 0; x < mdp.states(); ++x) {
      law[x] += aged[x] * weight * (is_last ? 1.0 : 0.875);
    }
    age_one_period();
  }
  return law;
}

template <std::size_t Ages>
void expect_law_of_start(const Model& model, const std::vector<double>& of_all_days) {
  const StockSampler<Ages> sampler(model);
  const DeliveryStart<Ages> start(sampler);
  pcg64 generator(15);
  std::vector<std::size_t> counts(model.states(), 0);
  const std::size_t draws = (testing::is_sanitized() ? 5000 : 50000) * model.days();
  for (std::size_t n = 0; n < draws; ++n) ++counts.at(sampler.index(start(generator)));
  expect_law(counts, of_all_days, "start of " + name_of(model));
}

template <std::size_t Ages>
void expect_law_of_start(const Model& model) {
  const std::vector<double> law = law_of_start(model, model.arrival(0));
  std::vector<double> of_all_days;
  for (std::size_t day = 0; day < model.days(); ++day) {
    for (const double p : law) of_all_days.push_back(p / static_cast<double>(model.days()));
  }
  expect_law_of_start<Ages>(model, of_all_days);
}

/// Nothing is delivered on Saturdays and Sundays, and deliveries of Fridays are older.
TEST(DeliveryStart, ComesFromTheLastOpenDay) {
  ModelParts parts{.capacity = 4,
                   .max_order = {4, 4, 4, 4, 4, 0, 0},
                   .arrival = std::vector(7, Arrival::shares({0.1, 0.2, 0.3, 0.4})),
                   .demand = {poisson_demand(1.0, 4)},
                   .cost = {testing::paper_costs}};
  parts.arrival[4] = Arrival::shares({0.4, 0.3, 0.3, 0.0});
  parts.arrival[5] = parts.arrival[6] = Arrival::fresh(4);  // never used
  const Model model(parts);
  std::vector<double> of_all_days;
  const auto add_day = [&](std::size_t delivered_on, std::size_t periods) {
    for (const double p : law_of_start(model, model.arrival(delivered_on), periods)) {
      of_all_days.push_back(p / 7.0);
    }
  };
  add_day(4, 3);                                                  // Monday
  for (std::size_t day = 1; day < 6; ++day) add_day(day - 1, 1);  // Tuesday to Saturday
  add_day(4, 2);                                                  // Sunday
  expect_law_of_start<4>(model, of_all_days);
}

TEST(DeliveryStart, HasTheLawOfAModelWithoutDemand) {
  for (const std::size_t m : {1U, 2U, 3U, 4U, 5U}) {
    expect_law_of_start<4>(small_model(Arrival::fresh(m), 5, 5));
    expect_law_of_start<4>(small_model(mixed_arrival(m), 5, 5));
  }
  for (const std::size_t m : {6U, 8U, 9U}) {
    expect_law_of_start<8>(small_model(Arrival::fresh(m), 3, 3));
    expect_law_of_start<8>(small_model(mixed_arrival(m), 3, 3));
  }
  expect_law_of_start<12>(small_model(Arrival::fresh(10), 3, 3));
  expect_law_of_start<12>(small_model(mixed_arrival(10), 3, 3));
  expect_law_of_start<4>(small_model(mixed_arrival(3), 4, 4, 7));
  expect_law_of_start<4>(testing::paper_model(3));
}

/// Fresh units stay for m - 1 periods: the total is the size of the delivery, unless all are too
/// old, with probability 8^-(m-1). A delivery above the largest order arrives in several.
template <std::size_t Ages>
void expect_totals(const Model& model) {
  const StockSampler<Ages> sampler(model);
  const DeliveryStart<Ages> start(sampler);
  const double too_old = std::pow(0.125, static_cast<double>(model.shelf_life()) - 1.0);
  std::vector<double> law(model.capacity() + 1,
                          (1.0 - too_old) / static_cast<double>(model.capacity() + 1));
  law[0] += too_old;
  if (model.max_order() == 0) {
    law.assign(law.size(), 0.0);
    law[0] = 1.0;
  }
  pcg64 generator(16);
  std::vector<std::size_t> counts(law.size(), 0);
  for (int n = 0; n < 20000; ++n) {
    const SampledStock<Ages> x = start(generator);
    for (std::size_t i = 0; i < Ages; ++i) ASSERT_GE(x.up_to[i], i > 0 ? x.up_to[i - 1] : 0);
    ASSERT_LT(sampler.index(x), model.states());
    ++counts.at(static_cast<std::size_t>(x.up_to[Ages - 1]));
  }
  expect_law(counts, law, "total of " + name_of(model));
}

TEST(DeliveryStart, CoversAllTotalsEvenlyIfUnitsArriveFresh) {
  for (const std::size_t max_order : {0U, 1U, 3U, 7U, 10U}) {
    expect_totals<4>(small_model(Arrival::fresh(1), 10, max_order));
    expect_totals<4>(small_model(Arrival::fresh(2), 10, max_order));
    expect_totals<4>(small_model(Arrival::fresh(3), 10, max_order, 7));
    expect_totals<4>(small_model(Arrival::fresh(5), 10, max_order));
    expect_totals<8>(small_model(Arrival::fresh(9), 10, max_order));
    expect_totals<12>(small_model(Arrival::fresh(10), 10, max_order));
  }
}

TEST(DeliveryStart, IsAlwaysAStockOfTheModel) {
  pcg64 generator(17);
  for (int trial = 0; trial < 40; ++trial) {
    const Model model = testing::random_model(generator);
    const StockSampler<4> sampler(model);
    const DeliveryStart<4> start(sampler);
    for (int n = 0; n < 200; ++n) {
      const SampledStock<4> x = start(generator);
      ASSERT_LT(x.day, model.days());
      ASSERT_LE(x.up_to[3], static_cast<std::int32_t>(model.capacity()));
      // The ages encoded by the number are those of the sums: none are hidden in the padding.
      ASSERT_EQ(sampled<4>(model, sampler.index(x)).up_to, x.up_to);
    }
  }
}

}  // namespace
}  // namespace shortfall::inventory::detail
