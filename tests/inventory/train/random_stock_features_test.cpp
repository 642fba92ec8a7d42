#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/features/dense.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/stock_features.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "tests/inventory/train/training_for_tests.hpp"

namespace shortfall::inventory::random_stock_features {
namespace {

using ::testing::ElementsAre;
using testing::expectile;
using testing::few_samples;
using ::testing::HasSubstr;
using testing::paper_model;
using ::testing::ThrowsMessage;

using Kind = FeatureSet::Kind;

TEST(FeatureSet, IsReadAsItIsWritten) {
  for (const char* const spec :
       {"polynomial", "hats", "relu:1", "relu:28", "fourier:1000", "relu:3,7", "fourier:5,0"}) {
    const auto set = parse_feature_set(spec);
    ASSERT_TRUE(set.has_value()) << spec;
    EXPECT_EQ(to_string(*set), spec);
  }
  EXPECT_EQ(parse_feature_set("relu:28"), (FeatureSet{Kind::relu, 28, 1}));
  EXPECT_EQ(parse_feature_set("relu:28,1"), (FeatureSet{Kind::relu, 28, 1}));
  EXPECT_EQ(parse_feature_set("fourier:9,12"), (FeatureSet{Kind::fourier, 9, 12}));
}

TEST(FeatureSet, RejectsOtherWords) {
  for (const char* const spec :
       {"", "relu", "relu:", "relu:0", "relu:1001", "relu:-1", "relu:2.5", "relu:3,", "relu:3,x",
        "relu:3,-1", "relu:3,4,5", "relu: 3", "polynomial:2", "polynomial:", "hats:", "hats:3",
        "Relu:3", "cos:3"}) {
    EXPECT_FALSE(parse_feature_set(spec).has_value()) << spec;
  }
}

TEST(FeatureSet, IsThatOfTheAlgorithmUnlessGiven) {
  using learn::Algorithm;
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
    EXPECT_EQ(features_for(algorithm, {}), FeatureSet{});
    EXPECT_EQ(features_for(algorithm, FeatureSet{Kind::relu, 3, 1}),
              (FeatureSet{Kind::relu, 3, 1}));
    EXPECT_THAT([&] { features_for(algorithm, FeatureSet{Kind::hats}); },
                ThrowsMessage<InvalidInput>(HasSubstr("with averagers: hats")));
  }
  for (const Algorithm algorithm : {Algorithm::averager_td, Algorithm::averager_newton}) {
    EXPECT_EQ(features_for(algorithm, {}), FeatureSet{Kind::hats});
    EXPECT_EQ(features_for(algorithm, FeatureSet{Kind::hats}), FeatureSet{Kind::hats});
    for (const Kind kind : {Kind::polynomial, Kind::relu, Kind::fourier}) {
      EXPECT_THAT(
          [&] {
            features_for(algorithm, (FeatureSet{kind, 3, 1}));
          },
          ThrowsMessage<InvalidInput>(HasSubstr("with algorithm averager-")));
    }
  }
}

StockFeatures features_of(const Model& model, const std::string& set) {
  return {model, solve_non_perishable(model, expectile(0.7)), parse_feature_set(set).value()};
}

/// 1, V̂, x and D; at m = 8 as many as the polynomials if D = 28.
TEST(RandomStockFeatures, ReplaceTheProducts) {
  EXPECT_EQ(features_of(paper_model(8, testing::paper_costs, 4), "relu:28").dimension(), 37);
  const Model model = paper_model(3);
  EXPECT_THAT(features_of(model, "relu:2").names(),
              ElementsAre("1", "V", "x1", "x2", "relu1", "relu2"));
  EXPECT_THAT(features_of(model, "fourier:1").names(), ElementsAre("1", "V", "x1", "x2", "cos1"));
  const StockFeatures polynomial = features_of(model, "polynomial");
  const StockFeatures relu = features_of(model, "relu:3,5");
  const std::vector<std::uint8_t> stock{4, 9};
  std::vector<double> products(polynomial.dimension());
  std::vector<double> hinges(relu.dimension());
  polynomial.write({0, stock}, products);
  relu.write({0, stock}, hinges);
  EXPECT_THAT(hinges, ::testing::SizeIs(7));
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(hinges[j], products[j]);
  EXPECT_EQ(relu.initial_guess()[1], 1.0);
}

/// Scaled by C/m = 20/3 with shift 20/3.
TEST(RandomStockFeatures, AreTheRandomFeaturesOfTheScaledStock) {
  const Model model = paper_model(3);
  const features::Scaling scaling{{20.0 / 3.0, 20.0 / 3.0}, {20.0 / 3.0, 20.0 / 3.0}};
  const std::vector<std::uint8_t> stock{4, 9};
  const features::RandomRelu relu({.scaling = scaling, .count = 6, .seed = 5});
  const features::RandomFourier fourier(
      {.features = {.scaling = scaling, .count = 6, .seed = 5}, .length = std::sqrt(2.0)});
  std::vector<double> expected(7);
  std::vector<double> phi(10);
  relu.write(stock, expected);
  features_of(model, "relu:6,5").write({0, stock}, phi);
  for (std::size_t j = 1; j <= 6; ++j) EXPECT_EQ(phi[j + 3], expected[j]);
  fourier.write(stock, expected);
  features_of(model, "fourier:6,5").write({0, stock}, phi);
  for (std::size_t j = 1; j <= 6; ++j) EXPECT_EQ(phi[j + 3], expected[j]);
}

/// The largest value of a hinge, which is convex, is at a corner: no stock, or C units of one age.
/// Means and deviations are those of features::fit_scaling; sums of 56 terms.
TEST(RandomStockFeatures, AreNormalisedOverAllStocks) {
  const Model model = testing::model_of(Arrival::fresh(4), 5, {poisson_demand(2.0, 8)});
  for (const char* const set : {"relu:6,5", "fourier:6,5"}) {
    const StockFeatures map = features_of(model, set);
    std::vector<double> rows;
    std::vector<double> phi(map.dimension());
    std::vector<double> corners(map.dimension(), 0.0);
    std::vector<std::uint8_t> stock(3);
    for (std::size_t s = 0; s < model.states(); ++s) {
      model.stocks().unrank(static_cast<std::uint32_t>(s), stock);
      map.write({0, stock}, phi);
      rows.insert(rows.end(), phi.begin(), phi.end());
      const bool is_corner = s == 0 || *std::ranges::max_element(stock) == 5;
      for (std::size_t j = 0; is_corner && j < phi.size(); ++j) {
        corners[j] = std::max(corners[j], phi[j]);
      }
    }
    const features::Dense all(std::move(rows), map.dimension());
    const features::Scaling fitted = features::fit_scaling(all);
    const features::Scaling standard = map.normalisation(StockNormalisation::standard).scaling();
    const features::Scaling largest = map.normalisation(StockNormalisation::largest).scaling();
    EXPECT_EQ(largest.scale, features::fit_largest(all).scale) << set;
    for (std::size_t j = 5; j < map.dimension(); ++j) {
      if (set[0] == 'r' && corners[j] > 0.0) {
        EXPECT_EQ(largest.scale[j], corners[j]) << j;
      }
      EXPECT_NEAR(standard.shift[j], fitted.shift[j], 1e-13 * largest.scale[j]) << set << j;
      EXPECT_NEAR(standard.scale[j], fitted.scale[j], 1e-13 * largest.scale[j]) << set << j;
    }
  }
}

TEST(RandomStockFeatures, AreEvaluatedAsPublished) {
  const Model model = paper_model(3, testing::paper_costs, 8);
  const Criterion criterion = expectile(0.9);
  const Policy orders = static_policy(model, solve_non_perishable(model, criterion));
  const double exact = evaluate(model, criterion, orders).values.front();
  TrainingOptions options{.algorithm = learn::Algorithm::td, .samples = 40'000, .trajectories = 4};
  options.features = parse_feature_set("relu:4").value();
  options.evaluation = evaluation_method(EvaluationKind::published);
  options.evaluation.start = PathStart::uniform;
  const Estimate learned = estimate(model, criterion, orders, options);
  EXPECT_EQ(learned.evaluation.used, 4);
  // The last step is 0.0043: four last iterates with errors of deviation below 40, times the root
  // of half a step, have a mean of deviation 0.9.
  EXPECT_NEAR(learned.value_at_empty, exact, 5.0 * 0.9);
}

/// Averagers take features as they are, whatever the method says.
TEST(Hats, AreNotNormalised) {
  const Model model = paper_model(3, testing::paper_costs, 4);
  const Criterion criterion = expectile(0.9);
  const Policy orders = static_policy(model, solve_non_perishable(model, criterion));
  TrainingOptions options{.algorithm = learn::Algorithm::averager_td, .samples = 400};
  options.evaluation = evaluation_method(EvaluationKind::published);
  const double value = estimate(model, criterion, orders, options).value_at_empty;
  options.evaluation.normalisation = StockNormalisation::none;
  EXPECT_EQ(estimate(model, criterion, orders, options).value_at_empty, value);
  EXPECT_THAT([&] { (void)features_of(model, "hats").normalisation(StockNormalisation::largest); },
              ThrowsMessage<InvalidInput>(HasSubstr("hats")));
}

TEST(RandomStockFeatures, AreRejectedIfNoStockIsKept) {
  const Model model = testing::model_of(Arrival::fresh(1), 4, {poisson_demand(1.0, 6)});
  EXPECT_THAT([&] { features_of(model, "relu:3"); },
              ThrowsMessage<InvalidInput>(HasSubstr("shelf life 1")));
}

/// With as many hinges as stocks, nearly everything can be represented: the estimate comes close to
/// the exact value, closer than V̂ is.
TEST(RandomStockFeatures, LearnTheValueOfGivenOrders) {
  const Model model = paper_model(3, testing::paper_costs, 8);
  const Criterion criterion = expectile(0.9);
  const NonPerishable non_perishable = solve_non_perishable(model, criterion);
  const Policy orders = static_policy(model, non_perishable);
  const double exact = evaluate(model, criterion, orders).values.front();
  for (const char* const set : {"relu:10", "fourier:10"}) {
    TrainingOptions options{.samples = 40'000, .trajectories = 4};
    options.features = parse_feature_set(set).value();
    const Estimate learned = estimate(model, criterion, orders, options);
    EXPECT_EQ(learned.evaluation.used, 4);
    EXPECT_EQ(learned.evaluation.theta.size(), 14);
    // The noise of a cost of standard deviation below 100 in the ninth of 40 000 samples.
    EXPECT_NEAR(learned.value_at_empty, exact, 0.05 * exact) << set;
  }
}

TEST(RandomStockFeatures, TrainTheSameForAnyNumberOfThreads) {
  const Model model = testing::week_of(Arrival::fresh(3), 5);
  const auto trained = [&](int threads, const char* set) {
    TrainingOptions options = few_samples();
    options.features = parse_feature_set(set).value();
    Training training(model, expectile(0.8), options, {}, {.threads = threads});
    EXPECT_TRUE(training.iterate());
    return training.state().theta;
  };
  const std::vector<double> theta = trained(1, "relu:4");
  EXPECT_EQ(theta.size(), 7 + 1 + 2 + 4);
  EXPECT_EQ(trained(2, "relu:4"), theta);
  EXPECT_NE(trained(1, "relu:4,2"), theta);
}

}  // namespace
}  // namespace shortfall::inventory::random_stock_features
