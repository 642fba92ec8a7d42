#include "shortfall/inventory/train.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <pcg_random.hpp>
#include <string>
#include <utility>
#include <vector>

#include "inventory/greedy_orders.hpp"
#include "inventory/models_for_tests.hpp"
#include "inventory/published_inventory.hpp"
#include "sanitized.hpp"
#include "shortfall/error.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/io/checkpoint.hpp"

namespace shortfall::inventory {
namespace {

using learn::Algorithm;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;
using testing::is_sanitized;
using testing::paper_model;

Criterion expectile(double tau) {
  return {Expectile(tau), 0.6};
}

Model model_of(Arrival arrival, std::size_t capacity, std::vector<std::vector<double>> demand) {
  return Model({.capacity = capacity,
                .max_order = capacity,
                .arrival = std::move(arrival),
                .demand = std::move(demand),
                .cost = testing::paper_costs});
}

Model week_of(Arrival arrival, std::size_t capacity) {
  std::vector<std::vector<double>> demand;
  for (const double mean : {6.0, 6.0, 5.0, 6.0, 5.0, 2.0, 1.0}) {
    demand.push_back(poisson_demand(mean, 15));
  }
  return model_of(std::move(arrival), capacity, std::move(demand));
}

/// Few samples: what is done is the same, and fast under sanitizers too.
TrainingOptions few_samples(Algorithm algorithm = Algorithm::newton) {
  return {.algorithm = algorithm, .samples = 4'000, .trajectories = 4, .warmup = 200};
}

void expect_greedy_to_be_optimal(const Model& model, const Criterion& criterion) {
  const Solution optimum = solve(model, criterion, {.tolerance = 1e-9});
  const SolverOptions options;
  StockBellman bellman(model, criterion, options);
  const Policy greedy = greedy_orders(bellman, optimum.values);
  model.check_orders(greedy);
  const Solution value = evaluate(model, criterion, greedy, {.tolerance = 1e-9});
  // Orders that are greedy for values within e of the optimum lose at most 2 γ e/(1 - γ).
  const double margin = optimum.error_bound * (1.0 + 2.0 * criterion.gamma / (1.0 - criterion.gamma));
  for (std::size_t x = 0; x < model.states(); ++x) {
    ASSERT_NEAR(value.values[x], optimum.values[x], value.error_bound + margin)
        << criterion.loss.word() << ", state " << x;
  }
}

TEST(GreedyOrders, OfTheOptimalValuesAreOptimal) {
  for (const char* const word :
       {"mean", "expectile:0.1", "expectile:0.9", "entropic:0.05", "truncated-entropic:0.1,20",
        "soft-quantile:0.8,0.1", "piecewise:-1:-0.3,0:0,1:0.7,10:20"}) {
    const AnyLoss loss = AnyLoss::parse(word);
    expect_greedy_to_be_optimal(paper_model(3, testing::paper_costs, 10), {loss, 0.6});
    expect_greedy_to_be_optimal(week_of(testing::paper_arrival(3), 6), {loss, 0.8});
  }
  pcg64 generator(21);
  for (int trial = 0; trial < (is_sanitized() ? 5 : 30); ++trial) {
    expect_greedy_to_be_optimal(testing::random_model(generator), expectile(0.7));
  }
}

/// max_order does not keep values from being anything: the greedy order of V = 0 is the myopic one.
TEST(GreedyOrders, OfZeroValuesAreMyopic) {
  pcg64 generator(22);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = testing::random_model(generator);
    const SolverOptions options;
    const Criterion criterion = expectile(0.8);
    StockBellman bellman(model, criterion, options);
    EXPECT_EQ(greedy_orders(bellman, std::vector<double>(model.states(), 0.0)),
              myopic_policy(model, criterion));
  }
}

/// What must hold of any training, whatever it has learned.
void expect_consistent(const Training& training, const Model& model, const Criterion& criterion) {
  const TrainingState& state = training.state();
  ASSERT_LT(state.best, state.trace.size());
  for (std::size_t k = 0; k < state.trace.size(); ++k) {
    EXPECT_EQ(state.trace[k].iteration, static_cast<int>(k));
    EXPECT_GE(state.trace[k].value_at_empty, training.best().value_at_empty);
  }
  model.check_orders(state.orders);
  model.check_orders(state.best_orders);
  const auto expect_worth = [&](const Policy& orders, const TrainingRecord& record) {
    const Solution value = evaluate(model, criterion, orders);
    EXPECT_NEAR(value.values[0], record.value_at_empty, value.error_bound + record.error_bound);
  };
  expect_worth(state.best_orders, training.best());
  expect_worth(state.orders, state.trace.back());
  expect_worth(myopic_policy(model, criterion), state.trace.front());
}

/// (best - optimum) / optimum in percent, or the difference where the optimum is 0.
double gap_after(int iterations, const Model& model, const Criterion& criterion,
                 const TrainingOptions& options) {
  Training training(model, criterion, options);
  for (int k = 0; k < iterations; ++k) {
    const TrainingRecord& record = training.iterate();
    EXPECT_EQ(record.used + record.singular + record.diverged, options.trajectories);
  }
  EXPECT_THAT(training.state().trace, SizeIs(iterations + 1));
  expect_consistent(training, model, criterion);
  const Solution optimum = solve(model, criterion);
  const double gap = training.best().value_at_empty - optimum.values[0];
  EXPECT_GE(gap, -optimum.error_bound - training.best().error_bound);
  return optimum.values[0] > 0.0 ? 100.0 * gap / optimum.values[0] : gap;
}

/// The settings of the published table of shelf life 3, four iterations each: measured, the largest
/// gap is 0.036 % with Newton and 0.032 % with TD, both at costs (20, 1, 20, 5) and level 0.5. At
/// costs (80, 1, 20, 5) and level 0.1 the myopic policy never orders, and costs 30 % too much.
void expect_published_gaps(Algorithm algorithm, double gap,
                           const std::vector<double>& levels) {
  for (const double tau : levels) {
    for (std::size_t c = 0; c < testing::published_costs.size(); ++c) {
      if (is_sanitized() && c != 3) continue;
      const Model model = paper_model(3, testing::published_costs[c]);
      EXPECT_LE(gap_after(is_sanitized() ? 2 : 4, model, expectile(tau), {.algorithm = algorithm}),
                gap)
          << "level " << tau << ", costs " << c;
    }
  }
}

TEST(Training, WithNewtonComesCloseToTheOptimumInAllPublishedSettings) {
  if (is_sanitized()) {
    expect_published_gaps(Algorithm::newton, 0.04, {0.1});
  } else {
    expect_published_gaps(Algorithm::newton, 0.04, {0.1, 0.4, 0.5, 0.6, 0.9});
  }
}

TEST(Training, WithTdComesCloseToTheOptimumAtTheExtremeLevels) {
  if (is_sanitized()) {
    expect_published_gaps(Algorithm::td, 0.14, {0.1});
  } else {
    expect_published_gaps(Algorithm::td, 0.14, {0.1, 0.9});
  }
}

TEST(Training, BeginsWithTheMyopicPolicyAndTheNonPerishableValue) {
  const Model model = paper_model(3, {80, 1, 20, 5});
  const Criterion criterion = expectile(0.1);
  const Training training(model, criterion, {});
  EXPECT_EQ(training.state().orders, myopic_policy(model, criterion));
  EXPECT_EQ(training.state().orders, training.state().best_orders);
  EXPECT_THAT(training.state().orders, Each(0));  // it never orders
  EXPECT_THAT(training.state().theta, ::testing::ElementsAre(0, 1, 0, 0, 0, 0, 0));
  expect_consistent(training, model, criterion);
}

/// Of what is estimated at the empty stock, that it is the value of the policy evaluated. With
/// 60000 samples and features that cannot hold V it is off by 1.2 % at most here, measured.
TEST(Training, EstimatesTheValueOfThePolicyBeforeTheIteration) {
  const Model model = paper_model(3, {50, 1, 20, 5});
  for (const double tau : {0.1, 0.5, 0.9}) {
    Training training(model, expectile(tau), {});
    const double before = training.state().trace.back().value_at_empty;
    const TrainingRecord& record = training.iterate();
    RecordProperty("estimate_over_value", std::to_string(record.estimated_at_empty / before));
    EXPECT_NEAR(record.estimated_at_empty, before, 0.03 * before) << "level " << tau;
    EXPECT_GT(record.change, 0.0);
  }
}

TEST(Training, ImprovesBySamplesToo) {
  const int iterations = is_sanitized() ? 1 : 5;
  for (const std::size_t c : {1U, 3U}) {
    for (const double tau : {0.1, 0.5, 0.9}) {
      if (is_sanitized() && tau != 0.1) continue;
      const Model model = paper_model(3, testing::published_costs[c]);
      const double gap = gap_after(iterations, model, expectile(tau), {.scenarios = 50});
      std::printf("MEASURE scen c%zu tau %.1f gap %.4f\n", c, tau, gap);
      EXPECT_LE(gap, 1.0) << "level " << tau << ", costs " << c;
    }
  }
}

/// All of a state as bytes.
std::string bytes_of(TrainingState state) {
  io::StateWriter writer;
  state.archive(writer);
  return writer.bytes();
}

TrainingState state_of(const std::string& bytes) {
  TrainingState state;
  io::StateReader reader("test", bytes);
  state.archive(reader);
  reader.finish();
  return state;
}

/// The bytes after each iteration, the start included.
std::vector<std::string> history(const Model& model, const Criterion& criterion,
                                 const TrainingOptions& options, int iterations) {
  Training training(model, criterion, options);
  std::vector<std::string> states{bytes_of(training.state())};
  for (int k = 0; k < iterations; ++k) {
    training.iterate();
    states.push_back(bytes_of(training.state()));
  }
  return states;
}

TEST(Training, HasTheSameBytesForAnyNumberOfThreads) {
  const Model week = week_of(testing::paper_arrival(3), 8);
  for (const Algorithm algorithm : {Algorithm::newton, Algorithm::td}) {
    for (const std::size_t scenarios : {0U, 10U}) {
      TrainingOptions options = few_samples(algorithm);
      options.scenarios = scenarios;
      options.threads = 1;
      const std::vector<std::string> one = history(week, expectile(0.8), options, 3);
      options.threads = 2;
      EXPECT_EQ(history(week, expectile(0.8), options, 3), one);
      options.threads = 0;
      EXPECT_EQ(history(week, expectile(0.8), options, 3), one);
    }
  }
}

TEST(Training, LearnsOtherWeightsFromAnotherSeed) {
  const Model model = paper_model(3);
  TrainingOptions options = few_samples();
  Training training(model, expectile(0.8), options);
  options.seed = 2;
  Training other(model, expectile(0.8), options);
  EXPECT_EQ(bytes_of(training.state()), bytes_of(other.state()));
  EXPECT_NE(training.iterate().estimated_at_empty, other.iterate().estimated_at_empty);
  EXPECT_NE(training.state().theta, other.state().theta);
}

TEST(Training, ImprovesWithOtherScenariosInEachIterationAndForEachSeed) {
  const Model model = paper_model(3, {50, 1, 20, 5});
  TrainingOptions options = few_samples();
  options.scenarios = 5;
  Training training(model, expectile(0.8), options);
  training.iterate();
  const Policy first = training.state().orders;
  training.iterate();
  EXPECT_NE(training.state().orders, first);
  options.seed = 2;
  Training other(model, expectile(0.8), options);
  other.iterate();
  EXPECT_NE(other.state().orders, first);
}

TEST(Training, GoesOnAsItWouldHaveAfterAnyIteration) {
  constexpr int iterations = 4;
  const std::vector<std::pair<Model, std::size_t>> cases{
      {paper_model(3, {80, 1, 20, 5}), 0},
      {paper_model(3, {80, 1, 20, 5}), 10},
      {week_of(testing::paper_arrival(3), 6), 0},
  };
  for (const auto& [model, scenarios] : cases) {
    for (const Algorithm algorithm : {Algorithm::newton, Algorithm::td}) {
      TrainingOptions options = few_samples(algorithm);
      options.scenarios = scenarios;
      const std::vector<std::string> whole = history(model, expectile(0.4), options, iterations);
      for (std::size_t k = 0; k < whole.size(); ++k) {
        Training resumed(model, expectile(0.4), options, state_of(whole[k]));
        EXPECT_EQ(bytes_of(resumed.state()), whole[k]);
        for (std::size_t j = k + 1; j < whole.size(); ++j) {
          resumed.iterate();
          ASSERT_EQ(bytes_of(resumed.state()), whole[j]) << "from " << k << " to " << j;
        }
      }
    }
  }
}

TEST(Training, StateKeepsEveryMemberThroughItsArchive) {
  const TrainingState state{
      .trace = {{.iteration = 1,
                 .estimated_at_empty = 2.0,
                 .change = 3.0,
                 .used = 4,
                 .singular = 5,
                 .diverged = 6,
                 .value_at_empty = 7.0,
                 .error_bound = 8.0,
                 .status = Status::precision_limit},
                {}},
      .theta = {9.0, 10.0},
      .orders = {11, 12, 13},
      .values = {14.0},
      .best_orders = {15},
      .best = 1};
  const TrainingState read = state_of(bytes_of(state));
  ASSERT_EQ(read.trace.size(), 2);
  EXPECT_EQ(read.trace[0].iteration, 1);
  EXPECT_EQ(read.trace[0].estimated_at_empty, 2.0);
  EXPECT_EQ(read.trace[0].change, 3.0);
  EXPECT_EQ(read.trace[0].used, 4);
  EXPECT_EQ(read.trace[0].singular, 5);
  EXPECT_EQ(read.trace[0].diverged, 6);
  EXPECT_EQ(read.trace[0].value_at_empty, 7.0);
  EXPECT_EQ(read.trace[0].error_bound, 8.0);
  EXPECT_EQ(read.trace[0].status, Status::precision_limit);
  EXPECT_EQ(read.theta, state.theta);
  EXPECT_EQ(read.orders, state.orders);
  EXPECT_EQ(read.values, state.values);
  EXPECT_EQ(read.best_orders, state.best_orders);
  EXPECT_EQ(read.best, 1);
}

TEST(Training, SaysWhatItIsDoing) {
  const Model model = paper_model(3, testing::paper_costs, 10);
  TrainingOptions options = few_samples();
  std::vector<std::string> said;
  options.threads = 1;
  options.on_progress = [&](std::string_view what, double fraction) {
    EXPECT_GE(fraction, 0.0);
    EXPECT_LE(fraction, 1.0);
    said.emplace_back(what);
  };
  Training training(model, expectile(0.6), options);
  training.iterate();
  for (const std::string& what : said) {
    EXPECT_THAT(what, ::testing::AnyOf("evaluating", "improving", "valuing exactly"));
  }
}

}  // namespace
}  // namespace shortfall::inventory
