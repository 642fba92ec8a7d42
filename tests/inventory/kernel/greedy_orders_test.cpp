#include "inventory/kernel/memory.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "tests/inventory/train/training_for_tests.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::inventory {
namespace {

using namespace shortfall::testing;

void expect_greedy_to_be_optimal(const Model& model, const Criterion& criterion) {
  const Solution optimum = solve(model, criterion, {.tolerance = 1e-9});
  shortfall::detail::Watch unwatched;
  StockBellman bellman(model, criterion, 0, unwatched);
  const Policy greedy = greedy_orders(bellman, optimum.values);
  model.check_orders(greedy);
  const Solution value = evaluate(model, criterion, greedy, {.tolerance = 1e-9});
  // Orders that are greedy for values within e of the optimum lose at most 2 γ e/(1 - γ).
  const double margin =
      optimum.error_bound * (1.0 + 2.0 * criterion.gamma / (1.0 - criterion.gamma));
  for (std::size_t x = 0; x < model.states(); ++x) {
    ASSERT_NEAR(value.values[x], optimum.values[x], value.error_bound + margin)
        << criterion.loss.to_string() << ", state " << x;
  }
}

TEST(GreedyOrders, OfTheOptimalValuesAreOptimal) {
  for (const char* const spec :
       {"mean", "expectile:0.1", "expectile:0.9", "entropic:0.05", "truncated-entropic:0.1,20",
        "soft-quantile:0.8,0.1", "piecewise:-1:-0.3,0:0,1:0.7,10:20"}) {
    const AnyLoss loss = AnyLoss::parse(spec);
    expect_greedy_to_be_optimal(paper_model(3, paper_costs, 10), {loss, 0.6});
    expect_greedy_to_be_optimal(week_of(studies::platelets_arrival(3), 6), {loss, 0.8});
  }
  pcg64 generator(21);
  for (int trial = 0; trial < (is_sanitized() ? 5 : 30); ++trial) {
    expect_greedy_to_be_optimal(random_model(generator), expectile(0.7));
  }
}

/// The first orders come from coarse deliveries if there are many; here up to 1716 of them.
TEST(GreedyOrders, DoNotDependOnWhereTheSearchStarts) {
  const Model model = paper_model(8, paper_costs, 6);
  pcg64 generator(23);
  std::vector<double> values(model.states());
  for (double& value : values) value = 40.0 + 10.0 * draw_uniform(generator);
  for (const char* const spec : {"expectile:0.9", "expectile:0.3", "soft-quantile:0.8,0.1"}) {
    shortfall::detail::Watch unwatched;
    StockBellman bellman(model, {AnyLoss::parse(spec), 0.6}, 0, unwatched);
    ASSERT_TRUE(bellman.has_coarse_deliveries());
    std::vector<double> risks(values.size());
    std::vector<float> no_bounds(values.size() * bellman.orders_per_state(),
                                 -std::numeric_limits<float>::infinity());
    Policy plain(values.size(), 0);
    (void)bellman.improve({0, values, values, risks, plain, exact_roots},
                          {no_bounds, bellman.orders_per_state()});
    EXPECT_EQ(greedy_orders(bellman, values), plain) << spec;
  }
}

/// With V = 0 only the current period counts.
TEST(GreedyOrders, OfZeroValuesAreMyopic) {
  pcg64 generator(22);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = random_model(generator);
    shortfall::detail::Watch unwatched;
    const Criterion criterion = expectile(0.8);
    StockBellman bellman(model, criterion, 0, unwatched);
    EXPECT_EQ(greedy_orders(bellman, std::vector<double>(model.states(), 0.0)),
              myopic_policy(model, criterion));
  }
}

}  // namespace
}  // namespace shortfall::inventory
