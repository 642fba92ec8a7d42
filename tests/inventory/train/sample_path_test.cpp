#include "shortfall/inventory/train/sample_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "tests/inventory/train/training_for_tests.hpp"

namespace shortfall::inventory::sample_paths {
namespace {

using testing::expectile;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Model small_model() {
  return testing::model_of(Arrival::shares({0.2, 0.3, 0.5}), 3, {poisson_demand(1.2, 4)});
}

TEST(SamplePath, ContinuesWhereThePeriodBeforeEnded) {
  const Model model = testing::week_of(Arrival::fresh(2), 4);
  const Policy orders = base_stock_policy(model, 3);
  const SampledPath path = sample_path(model, orders, {.periods = 5'000});
  ASSERT_EQ(path.state.size(), 5'000);
  ASSERT_EQ(path.cost.size(), 5'000);
  const std::size_t stocks = model.stocks().size();
  for (std::size_t n = 0; n + 1 < path.state.size(); ++n) {
    ASSERT_EQ(path.next[n], path.state[n + 1]);
    ASSERT_EQ(path.next[n] / stocks, (path.state[n] / stocks + 1) % 7);  // the next day
  }
}

TEST(SamplePath, IsTheSameForTheSameSeedOnly) {
  const Model model = small_model();
  const Policy orders = base_stock_policy(model, 3);
  const PathOptions options{.periods = 300, .restart = 0.3, .seed = 4};
  const SampledPath path = sample_path(model, orders, options);
  EXPECT_EQ(sample_path(model, orders, options).next, path.next);
  EXPECT_NE(sample_path(model, orders, {.periods = 300, .restart = 0.3, .seed = 5}).next,
            path.next);
}

/// A second method: the chain of all outcomes. Under it, the mean cost of a period and the
/// frequency of every state are the stationary ones, up to five standard errors; as successive
/// periods depend on each other little, no error is above three times that of independent ones.
TEST(SamplePath, HasTheLongRunFrequenciesOfTheExplicitModel) {
  const Model model = small_model();
  const Policy orders = base_stock_policy(model, 3);  // reaches all states
  const Chain chain = under_policy(explicit_mdp(model), orders);
  const std::vector<double> law = stationary_law(chain).probability;
  constexpr std::size_t periods = 200'000;
  const SampledPath path = sample_path(model, orders, {.periods = periods});
  std::vector<double> frequency(model.states(), 0.0);
  for (const StateIndex x : path.state) frequency[x] += 1.0 / periods;
  for (std::size_t x = 0; x < model.states(); ++x) {
    const double error = std::sqrt(law[x] * (1.0 - law[x]) / periods);
    EXPECT_NEAR(frequency[x], law[x], 15.0 * error + 1e-12) << x;
  }
}

TEST(SamplePath, RestartsAsOftenAsAskedFor) {
  const Model model = small_model();
  constexpr std::size_t periods = 20'000;
  // Without orders the stock runs out and stays empty: every other start is a restart.
  const SampledPath path =
      sample_path(model, Policy(model.states(), 0), {.periods = periods, .restart = 0.25});
  std::size_t breaks = 0;
  for (std::size_t n = 0; n + 1 < periods; ++n)
    breaks += path.next[n] != path.state[n + 1] ? 1U : 0U;
  EXPECT_GT(breaks, 0);
  // At most the restarts, within five standard deviations.
  EXPECT_LT(static_cast<double>(breaks), 0.25 * periods + 5.0 * std::sqrt(0.1875 * periods));
  const SampledPath straight = sample_path(model, Policy(model.states(), 0), {.periods = 50});
  EXPECT_EQ(straight.next.back(), 0U);
}

TEST(SamplePath, RejectsBadOptionsAndStopsWhenAsked) {
  const Model model = small_model();
  const Policy orders = base_stock_policy(model, 2);
  for (const double restart : {-0.1, 1.0, std::nan("")}) {
    EXPECT_THAT([&] { (void)sample_path(model, orders, {.restart = restart}); },
                ThrowsMessage<InvalidInput>(HasSubstr("accepted: a number in [0, 1)")));
  }
  EXPECT_THAT([&] { (void)sample_path(model, orders, {.periods = max_path + 1}); },
              ThrowsMessage<InvalidInput>(HasSubstr("accepted: at most 1000000000")));
  EXPECT_THROW((void)sample_path(model, Policy(2, 0)), InvalidInput);
  const auto stop = [](const Progress&) { return Request::stop; };
  EXPECT_TRUE(sample_path(model, orders, {}, {.monitor = stop}).state.empty());
}

TEST(GreedyPolicy, OfTheOptimalValuesIsOptimalAndOfZerosMyopic) {
  const Model model = testing::paper_model(3, testing::paper_costs, 10);
  const Criterion criterion = expectile(0.9);
  const Solution optimum = solve(model, criterion);
  EXPECT_EQ(greedy_policy(model, criterion, optimum.values), optimum.policy);
  EXPECT_EQ(greedy_policy(model, criterion, std::vector<double>(model.states(), 0.0)),
            myopic_policy(model, criterion));
}

TEST(GreedyPolicy, RejectsValuesThatAreNotOneFiniteNumberPerState) {
  const Model model = small_model();
  std::vector<double> values(model.states(), 1.0);
  values[4] = std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { (void)greedy_policy(model, expectile(0.9), values); },
              ThrowsMessage<InvalidInput>(HasSubstr("the value of state 4 is inf")));
  values.pop_back();
  EXPECT_THAT([&] { (void)greedy_policy(model, expectile(0.9), values); },
              ThrowsMessage<InvalidInput>(HasSubstr("9 values; accepted: one per state, 10")));
  const auto stop = [](const Progress&) { return Request::stop; };
  values.assign(model.states(), 1.0);
  EXPECT_TRUE(greedy_policy(model, expectile(0.9), values, {.monitor = stop}).empty());
}

}  // namespace
}  // namespace shortfall::inventory::sample_paths
