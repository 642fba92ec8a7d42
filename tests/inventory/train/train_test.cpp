#include "shortfall/inventory/train/train.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "published/tables.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "tests/inventory/kernel/losses_for_tests.hpp"
#include "tests/inventory/train/training_for_tests.hpp"
#include "tests/sanitized.hpp"

/// The results of training.
namespace shortfall::inventory {
namespace {

using learn::Algorithm;
using ::testing::Each;
using ::testing::SizeIs;
using namespace shortfall::testing;
using studies::published_costs;
using studies::published_levels;

/// Properties that hold for any training, whatever it has learned.
void expect_consistent(const Training& training, const Model& model, const Criterion& criterion) {
  const TrainingState& state = training.state();
  ASSERT_LT(state.best, state.trace.size());
  for (std::size_t k = 0; k < state.trace.size(); ++k) {
    EXPECT_EQ(state.trace[k].iteration, static_cast<int>(k));
    EXPECT_GE(state.trace[k].value_at_empty + state.trace[k].error_bound,
              training.best().value_at_empty - training.best().error_bound);
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

/// (value - optimum) / optimum at the empty stock in percent; value where the optimum is 0.
struct Gaps {
  double best;
  double last;
};

Gaps gaps_after(int iterations, const Model& model, const Criterion& criterion,
                const TrainingOptions& options) {
  Training training(model, criterion, options);
  for (int k = 0; k < iterations; ++k) {
    training.iterate();
    const TrainingRecord& record = training.state().trace.back();
    EXPECT_EQ(record.used + record.singular + record.diverged, options.trajectories);
  }
  EXPECT_THAT(training.state().trace, SizeIs(iterations + 1));
  expect_consistent(training, model, criterion);
  const Solution optimum = solve(model, criterion);
  EXPECT_GE(training.best().value_at_empty,
            optimum.values[0] - optimum.error_bound - training.best().error_bound);
  const auto gap = [&](const TrainingRecord& record) {
    const double excess = record.value_at_empty - optimum.values[0];
    return optimum.values[0] > 0.0 ? 100.0 * excess / optimum.values[0] : excess;
  };
  return {gap(training.best()), gap(training.state().trace.back())};
}

/// The settings of the published table of shelf life 3, two iterations each: the largest measured
/// gap is 0.036 % with Newton and 0.035 % with TD, both at costs (20, 1, 20, 5) and level 0.5. At
/// costs (80, 1, 20, 5) and level 0.1 the myopic policy never orders, and costs 30 % too much.
void expect_published_gaps(Algorithm algorithm, double gap) {
  for (const double tau : published_levels) {
    for (std::size_t c = 0; c < published_costs.size(); ++c) {
      if (is_sanitized() && !(c == 3 && tau == 0.1)) continue;
      const Model model = paper_model(3, published_costs[c]);
      EXPECT_LE(gaps_after(2, model, expectile(tau), {.algorithm = algorithm}).best, gap)
          << "level " << tau << ", costs " << c;
    }
  }
}

TEST(Training, WithNewtonComesCloseToTheOptimumInAllPublishedSettings) {
  expect_published_gaps(Algorithm::newton, 0.04);
}

TEST(Training, WithTdComesCloseToTheOptimumInAllPublishedSettings) {
  expect_published_gaps(Algorithm::td, 0.14);
}

/// Shelf life 5, where one wrong order at the empty stock costs a percent. The bounds are those
/// required over all 35 settings and 20 iterations; measured here: at most 0.04 % with exact
/// improvement, at most 0.2 % with samples.
TEST(Training, ComesCloseAtShelfLifeFive) {
  if (is_sanitized()) GTEST_SKIP() << "slow, and covers nothing that shelf life 3 does not";
  struct Setting {
    Costs cost;
    double tau;
  };
  for (const auto& [cost, tau] : {Setting{studies::published_cost(80, 1, 20, 5), 0.1},
                                  Setting{studies::published_cost(10, 1, 20, 5), 0.5}}) {
    const Model model = paper_model(5, cost);
    const auto best = [&, tau = tau](Algorithm algorithm, std::size_t scenarios) {
      return gaps_after(3, model, expectile(tau), {.algorithm = algorithm, .scenarios = scenarios})
          .best;
    };
    EXPECT_LE(best(Algorithm::newton, 0), 0.5) << cost.order << ", " << tau;
    EXPECT_LE(best(Algorithm::td, 0), 1.0) << cost.order << ", " << tau;
    EXPECT_LE(best(Algorithm::newton, 50), 1.54) << cost.order << ", " << tau;
    EXPECT_LE(best(Algorithm::td, 50), 2.16) << cost.order << ", " << tau;
  }
}

TEST(Training, BeginsWithTheMyopicPolicyAndTheNonPerishableValue) {
  const Model model = paper_model(3, studies::published_cost(80, 1, 20, 5));
  const Criterion criterion = expectile(0.1);
  const Training training(model, criterion, {});
  EXPECT_EQ(training.state().orders, myopic_policy(model, criterion));
  EXPECT_EQ(training.state().orders, training.state().best_orders);
  EXPECT_THAT(training.state().orders, Each(0));  // it never orders
  EXPECT_THAT(training.state().theta, ::testing::ElementsAre(0, 1, 0, 0, 0, 0, 0));
  expect_consistent(training, model, criterion);
}

/// The myopic policy has value 188.6 here, and the next 144.7. Features cannot represent V:
/// estimates are off by 1.4 %, as measured.
TEST(Training, EstimatesTheValueOfThePolicyBeforeTheIteration) {
  const Model model = paper_model(3, studies::published_cost(80, 1, 20, 5));
  Training training(model, expectile(0.1), {});
  for (int k = 0; k < 2; ++k) {
    const double before = training.state().trace.back().value_at_empty;
    training.iterate();
    const TrainingRecord& record = training.state().trace.back();
    EXPECT_NEAR(record.estimated_at_empty, before, 0.03 * before);
    EXPECT_GT(record.change, 0.0);
  }
  EXPECT_LT(training.best().value_at_empty, 0.8 * training.state().trace.front().value_at_empty);
}

/// Measured: the best is within 0.11 %, the first of level 0.1 within 0.34 %.
TEST(Training, ImprovesFromSamples) {
  for (const std::size_t c : {1U, 3U}) {
    for (const double tau : {0.1, 0.5, 0.9}) {
      if (is_sanitized() && tau != 0.1) continue;
      const Model model = paper_model(3, published_costs[c]);
      const Gaps gaps =
          gaps_after(is_sanitized() ? 1 : 5, model, expectile(tau), {.scenarios = 50});
      EXPECT_LE(gaps.best, is_sanitized() ? 0.7 : 0.25) << "level " << tau << ", costs " << c;
    }
  }
}

/// Gaps in percent: about twice the measured ones of either algorithm, at least 0.01.
struct Unusual {
  std::string name;
  Model model;
  Criterion criterion = expectile(0.7);
  double best = 0.01;
  double last = 0.01;
};

/// Three iterations with few samples.
void expect_gaps(const std::vector<Unusual>& cases) {
  for (const Unusual& unusual : cases) {
    for (const Algorithm algorithm : {Algorithm::newton, Algorithm::td}) {
      if (is_sanitized() && algorithm == Algorithm::td) continue;
      SCOPED_TRACE(unusual.name + (algorithm == Algorithm::td ? ", TD" : ", Newton"));
      const TrainingOptions options{
          .algorithm = algorithm, .samples = 20'000, .trajectories = 10, .warmup = 500};
      const Gaps gaps =
          gaps_after(is_sanitized() ? 1 : 3, unusual.model, unusual.criterion, options);
      if (is_sanitized()) continue;
      EXPECT_LE(gaps.best, unusual.best);
      EXPECT_LE(gaps.last, unusual.last);
    }
  }
}

/// At costs where the myopic policies are off by more than 1 %.
TEST(Training, SupportsEveryLoss) {
  const Model model = paper_model(3, studies::published_cost(50, 1, 20, 5));
  const auto with = [&](const char* spec, double best, double last) {
    return Unusual{spec, model, {AnyLoss::parse(spec), 0.6}, best, last};
  };
  expect_gaps({
      with("mean", 0.02, 0.02),
      with("entropic:0.02", 0.12, 0.12),
      with("soft-quantile:0.8,0.1", 0.2, 0.2),
      with("truncated-entropic:0.05,50", 0.06, 0.06),
      with("piecewise:-1:-0.3,0:0,1:0.7,10:20", 0.06, 0.06),
      {"a user's", model, {CustomLoss(Wavy()), 0.6}, 0.03, 0.03},
  });
}

/// All shelf lives that fit the sums of 4, 8 and 12 ages, including those that fill them.
TEST(Training, SupportsEveryShelfLife) {
  const auto fresh = [](std::size_t shelf_life, double best, double last) {
    const bool is_long = shelf_life > 6;
    return Unusual{.name = "shelf life " + std::to_string(shelf_life),
                   .model = model_of(Arrival::fresh(shelf_life), is_long ? 4 : 7,
                                     {poisson_demand(is_long ? 0.9 : 2.5, is_long ? 5 : 9)}),
                   .best = best,
                   .last = last};
  };
  expect_gaps({
      fresh(1, 0.01, 0.01),
      fresh(2, 0.01, 0.01),
      fresh(3, 0.4, 0.5),
      fresh(4, 0.01, 0.01),
      fresh(5, 0.01, 0.01),
      fresh(6, 0.2, 0.25),
      fresh(8, 0.01, 0.01),
      fresh(9, 0.01, 0.01),
      fresh(10, 0.01, 0.01),
  });
}

TEST(Training, SupportsWeeksAndTheSmallestModels) {
  const auto with = [](std::string name, std::size_t capacity, std::size_t max_order,
                       std::vector<double> demand, double last = 0.01) {
    return Unusual{.name = std::move(name),
                   .model = Model({.capacity = capacity,
                                   .max_order = {max_order},
                                   .arrival = {studies::platelets_arrival(3)},
                                   .demand = {std::move(demand)},
                                   .cost = {paper_costs}}),
                   .last = last};
  };
  const std::vector<double> demand = poisson_demand(4.0, 12);
  const Model without_costs({.capacity = 8,
                             .max_order = {8},
                             .arrival = {studies::platelets_arrival(3)},
                             .demand = {demand}});
  expect_gaps({
      {.name = "week",
       .model = week_of(studies::platelets_arrival(3), 12),
       .best = 0.12,
       .last = 0.15},
      {.name = "week of shelf life 1", .model = week_of(Arrival::fresh(1), 12)},
      {.name = "week of shelf life 4",
       .model = week_of(Arrival::fresh(4), 12),
       .best = 0.02,
       .last = 0.7},
      with("capacity 1", 1, 1, poisson_demand(0.8, 3)),
      with("no orders", 8, 0, demand),
      with("small orders", 8, 2, demand),
      with("no demand", 8, 8, {1.0}),
      with("known demand", 8, 8, {0.0, 0.0, 0.0, 1.0}, 0.95),
      {.name = "no costs", .model = without_costs},
      {"large discount",
       paper_model(3, studies::published_cost(50, 1, 20, 5)),
       {Expectile(0.7), 0.9},
       0.12,
       0.3},
      {"small discount",
       paper_model(3, studies::published_cost(50, 1, 20, 5)),
       {Expectile(0.7), 0.05},
       0.01,
       0.01},
  });
}

}  // namespace
}  // namespace shortfall::inventory
