#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "inventory/train/order_table.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "shortfall/learn/scenarios.hpp"
#include "tests/inventory/train/training_for_tests.hpp"
#include "tests/mdp/chi_square.hpp"

/// Training as published, and what is left open.
namespace shortfall::inventory::published_evaluation {
namespace {

using learn::Algorithm;
using ::testing::ElementsAre;
using ::testing::Pair;
using namespace shortfall::testing;
using detail::SampledStock;
using detail::SampledStockFeatures;
using detail::StockSampler;

/// The features of all states, one row each.
features::Dense all_features(const Model& model, const StockFeatures& features) {
  std::vector<double> rows;
  std::vector<double> phi(features.dimension());
  std::vector<std::uint8_t> stock(model.stocks().length());
  for (std::size_t s = 0; s < model.states(); ++s) {
    model.stocks().unrank(static_cast<std::uint32_t>(s % model.stocks().size()), stock);
    features.write({s / model.stocks().size(), stock}, phi);
    rows.insert(rows.end(), phi.begin(), phi.end());
  }
  return features::Dense(std::move(rows), features.dimension());
}

/// Sums of up to 1e5 terms: 1e-10 is a hundred times their rounding.
TEST(StockNormalisation, CountsEveryStockOnce) {
  for (const Model& model :
       {paper_model(3), paper_model(5, paper_costs, 9), week_of(studies::platelets_arrival(3), 6),
        model_of(Arrival::fresh(2), 7, {poisson_demand(2.0, 8)}),
        model_of(Arrival::fresh(1), 5, {poisson_demand(2.0, 8)})}) {
    const StockFeatures features(model, solve_non_perishable(model, expectile(0.7)));
    const features::Dense all = all_features(model, features);
    const features::Scaling largest = features.normalisation(StockNormalisation::largest).scaling();
    const features::Scaling standard =
        features.normalisation(StockNormalisation::standard).scaling();
    const std::vector<double> by_largest = features::fit_largest(all).scale;
    const features::Scaling by_moments = features::fit_scaling(all);
    for (std::size_t j = 0; j < features.dimension(); ++j) {
      EXPECT_EQ(largest.shift[j], 0.0);
      EXPECT_EQ(largest.scale[j], by_largest[j]);
      const bool is_day = j < model.days();
      EXPECT_NEAR(standard.shift[j], is_day ? 0.0 : by_moments.shift[j], 1e-10 * by_largest[j]);
      EXPECT_NEAR(standard.scale[j], is_day ? 1.0 : by_moments.scale[j], 1e-10 * by_largest[j]);
    }
  }
}

TEST(UniformStart, IsAnyStockAndDay) {
  const Model model = week_of(studies::platelets_arrival(3), 3);
  const StockSampler<4> sampler(model);
  const detail::StockStart<4> start(sampler, PathStart::uniform);
  pcg64 bits(7);
  std::vector<std::size_t> counts(model.states(), 0);
  for (int n = 0; n < 100'000; ++n) ++counts[sampler.index(start(bits))];
  const auto [statistic, threshold] =
      chi_square(counts, std::vector<double>(counts.size(), 1.0 / 70.0));
  EXPECT_EQ(model.states(), 70);
  EXPECT_LT(statistic, threshold);
}

/// One path from the empty stock, cut into four; TD in features divided by their largest values,
/// with the paper's steps, from weights of 0.
std::vector<double> plain_td(const Model& model, const Criterion& criterion, const Policy& orders,
                             const TrainingOptions& options, std::uint64_t seed) {
  const StockFeatures features(model, solve_non_perishable(model, criterion));
  const std::vector<double> scale = features::fit_largest(all_features(model, features)).scale;
  const StockSampler<4> sampler(model);
  const SampledStockFeatures<4> map(features, model.shelf_life());
  const std::size_t d = map.dimension();
  std::vector<double> mean(d, 0.0);
  std::vector<double> phi(d);
  std::vector<double> phi_next(d);
  pcg64 bits = stream_generator(seed, 0);
  SampledStock<4> x;
  for (std::size_t r = 0; r < options.trajectories; ++r) {
    std::vector<double> theta(d, 0.0);
    for (std::size_t n = 0; n < options.samples / options.trajectories; ++n) {
      const auto [cost, next] = sampler.step(x, orders[sampler.index(x)], bits);
      map.write(x, phi);
      map.write(next, phi_next);
      double error = cost;
      for (std::size_t j = 0; j < d; ++j) {
        error += theta[j] * (criterion.gamma * phi_next[j] - phi[j]) / scale[j];
      }
      const double moved = 2.0 / std::pow(static_cast<double>(n) + 100.0, 2.0 / 3.0) *
                           criterion.loss.at(error).value;
      for (std::size_t j = 0; j < d; ++j) theta[j] += moved * phi[j] / scale[j];
      x = next;
    }
    for (std::size_t j = 0; j < d; ++j) {
      mean[j] += theta[j] / scale[j] / static_cast<double>(options.trajectories);
    }
  }
  return mean;
}

TrainingOptions published(Algorithm algorithm) {
  TrainingOptions options = few_samples(algorithm);
  options.evaluation = evaluation_method(EvaluationKind::published);
  return options;
}

/// A thousand steps at errors of at most 1e-15 each.
TEST(PublishedEvaluation, IsPlainTdAlongOnePath) {
  const Model model = paper_model(3);
  const Policy orders = static_policy(model, solve_non_perishable(model, expectile(0.4)));
  const TrainingOptions options = published(Algorithm::td);
  const Estimate found = estimate(model, expectile(0.4), orders, options);
  const std::vector<double> plain = plain_td(model, expectile(0.4), orders, options, options.seed);
  ASSERT_EQ(found.evaluation.theta.size(), plain.size());
  for (std::size_t j = 0; j < plain.size(); ++j) {
    EXPECT_NEAR(found.evaluation.theta[j], plain[j], 1e-11 * std::abs(plain[j])) << j;
  }
}

/// Where the myopic policy never orders, a path from the empty stock stays there: Newton has no
/// inverse, and nothing is learned. Starts at any stock do not help, as they are left for ever.
TEST(PublishedEvaluation, CountsAndDiscardsSingularTrajectories) {
  const Model model = paper_model(3, studies::published_cost(80, 1, 20, 5));
  for (const PathStart start : {PathStart::empty, PathStart::uniform}) {
    TrainingOptions options = published(Algorithm::newton);
    options.evaluation.start = start;
    Training training(model, expectile(0.1), options);
    training.iterate();
    const TrainingRecord& record = training.state().trace.back();
    EXPECT_EQ(record.singular, options.trajectories);
    EXPECT_EQ(record.used, 0);
    EXPECT_EQ(record.change, 0.0);
    EXPECT_FALSE(training.state().has_learned());
    EXPECT_EQ(training.state().theta, std::vector<double>(7, 0.0));
    EXPECT_EQ(training.state().orders, training.state().best_orders);
  }
}

/// With V = 0 the greedy orders are the myopic ones, with V = V̂ they are not.
TEST(PublishedEvaluation, BeginsWithTheChosenWeights) {
  const Model model = paper_model(3);
  TrainingOptions options = published(Algorithm::td);
  EXPECT_EQ(Training(model, expectile(0.6), options).state().theta, std::vector<double>(7, 0.0));
  options.evaluation.first_weights = FirstWeights::non_perishable;
  EXPECT_THAT(Training(model, expectile(0.6), options).state().theta,
              ElementsAre(0, 1, 0, 0, 0, 0, 0));
}

/// Weights that are not carried do not depend on those of the iteration before.
TEST(PublishedEvaluation, CarriesWeightsOrBeginsAgain) {
  const Model model = paper_model(3);
  const auto theta_after_two = [&](NextWeights next, double other_weight) {
    TrainingOptions options = published(Algorithm::td);
    options.evaluation.next_weights = next;
    Training first(model, expectile(0.6), options);
    first.iterate();
    TrainingState state = first.state();
    state.theta[0] += other_weight;
    Training second(model, expectile(0.6), options, state);
    second.iterate();
    return second.state().theta;
  };
  EXPECT_EQ(theta_after_two(NextWeights::first, 0.0), theta_after_two(NextWeights::first, 50.0));
  EXPECT_NE(theta_after_two(NextWeights::carried, 0.0),
            theta_after_two(NextWeights::carried, 50.0));
}

/// The greedy orders under own draws, by plain loops from the weights that were learned.
TEST(ImprovementDraws, AreNewForEachStockOrOrder) {
  const Model model = paper_model(3, paper_costs, 8);
  const Criterion criterion = expectile(0.8);
  const StockFeatures features(model, solve_non_perishable(model, criterion));
  const StockSampler<4> sampler(model);
  const SampledStockFeatures<4> map(features, 3);
  for (const ImprovementDraws draws : {ImprovementDraws::per_state, ImprovementDraws::per_order}) {
    TrainingOptions options = published(Algorithm::td);
    options.scenarios = 20;
    options.evaluation.draws = draws;
    Training training(model, criterion, options);
    training.iterate();
    std::vector<double> phi(map.dimension());
    const std::vector<double>& theta = training.state().theta;
    Policy plain(model.states());
    const std::vector<double> equal(20, 0.05);
    for (std::size_t s = 0; s < model.states(); ++s) {
      std::vector<std::uint8_t> stock(2);
      model.stocks().unrank(static_cast<std::uint32_t>(s), stock);
      SampledStock<4> x;
      x.up_to.fill(stock[0] + stock[1]);
      x.up_to[0] = stock[0];
      double lowest = infinity;
      for (int z = 0; z + x.up_to[1] <= 8; ++z) {
        std::vector<double> costs;
        for (std::uint64_t k = 0; k < 20; ++k) {
          const std::uint64_t order =
              draws == ImprovementDraws::per_order ? static_cast<std::uint64_t>(z) : 0;
          learn::Scenarios::Bits bits(
              derive_seed(derive_seed(derive_seed(options.seed, 1), s), 20 * order + k));
          const auto [cost, next] = sampler.step(x, z, bits);
          map.write(next, phi);
          double value = 0.0;
          for (std::size_t j = 0; j < phi.size(); ++j) value += theta[j] * phi[j];
          costs.push_back(cost + 0.6 * value);
        }
        const double risk = shortfall_risk(criterion.loss, shortfall::Law{costs, equal});
        if (risk < lowest - 1e-9) {
          lowest = risk;
          plain[s] = z;
        }
      }
    }
    EXPECT_EQ(training.state().orders, plain);
  }
}

/// Every member is among the recorded options, so that no training goes on with another.
TEST(EvaluationMethod, IsDescribedInTheWordsOfTheCommandLine) {
  EXPECT_THAT(described(evaluation_method(EvaluationKind::published)),
              ElementsAre(Pair("evaluation", "published"), Pair("normalisation", "largest"),
                          Pair("step", "2,100,0.6666666666666666"), Pair("paths", "divided"),
                          Pair("start", "empty"), Pair("first-weights", "zero"),
                          Pair("next-weights", "carried"), Pair("draws", "per-state")));
  EXPECT_THAT(described({}),
              ElementsAre(Pair("evaluation", "restarted"), Pair("normalisation", "orthonormal"),
                          Pair("step", "fitted"), Pair("paths", "restarted"),
                          Pair("start", "delivery"), Pair("first-weights", "non-perishable"),
                          Pair("next-weights", "carried"), Pair("draws", "stratified")));
}

}  // namespace
}  // namespace shortfall::inventory::published_evaluation
