// The fast kernel compared with the explicit model, on random small instances: on one rank, and on
// three.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"
#include "shortfall/mdp/chain.hpp"
#include "tests/inventory/kernel/losses_for_tests.hpp"
#include "tests/inventory/kernel/solution_on_ranks.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::inventory {
namespace {

using shortfall::testing::on_ranks;
using shortfall::testing::Steep;
using shortfall::testing::Wavy;

AnyLoss random_loss(pcg64& bits, std::size_t kind) {
  const double u = draw_uniform(bits);
  switch (kind % 8) {
    case 0:
      return Mean();
    case 1:
    case 2:
      return Expectile(0.05 + 0.9 * u);
    case 3:
      return Entropic(0.01 + 0.5 * u);
    case 4:
      return TruncatedEntropic(0.05 + 0.1 * u, 10.0);
    case 5:
      return SoftQuantile(0.1 + 0.8 * u, 0.5 + draw_uniform(bits));
    case 6:
      return Piecewise({{-2.0, -1.0 - u}, {0.0, 0.0}, {1.0, 2.0}, {3.0, 3.0 + u}});
    default:
      return CustomLoss(Wavy());
  }
}

class ExplicitModel : public ::testing::TestWithParam<std::size_t> {
 protected:
  std::size_t ranks = GetParam();

  void compare(const Model& model, const Criterion& criterion, pcg64& bits) const;
};
INSTANTIATE_TEST_SUITE_P(Ranks, ExplicitModel, ::testing::Values(1u, 3u));

/// Solves the model and evaluates some orders, by both methods.
void ExplicitModel::compare(const Model& model, const Criterion& criterion, pcg64& bits) const {
  constexpr double tolerance = 1e-8;
  const Mdp plain = explicit_mdp(model);
  ASSERT_EQ(plain.states(), model.states());
  const Solution expected = policy_iteration(plain, criterion, {.tolerance = tolerance});
  const Policy orders = shortfall::testing::random_orders(bits, model);
  const SolverOptions options{.tolerance = tolerance};
  const Solution found = on_ranks(ranks, [&](const Execution& execution) {
    return solve(model, criterion, options, execution);
  });
  const Solution value = on_ranks(ranks, [&](const Execution& execution) {
    return evaluate(model, criterion, orders, options, execution);
  });
  ASSERT_EQ(expected.status, Status::converged);
  ASSERT_EQ(found.status, Status::converged);

  const Chain chain = under_policy(plain, orders);
  const Solution expected_value = evaluate_by_newton(chain, criterion, {.tolerance = tolerance});
  ASSERT_EQ(value.status, Status::converged);
  for (std::size_t x = 0; x < model.states(); ++x) {
    ASSERT_NEAR(found.values[x], expected.values[x], found.error_bound + expected.error_bound);
    ASSERT_NEAR(value.values[x], expected_value.values[x],
                value.error_bound + expected_value.error_bound);
  }
}

/// What the days of a week differ in.
struct Variety {
  int max_order = 0;
  int arrival = 0;
  int demand = 0;
  int cost = 0;
  int closed = 0;       ///< some days, not all
  int shares = 0;       ///< for any day
  int zero_shares = 0;  ///< some shares of an order are zero, but not all others
  int unit_cost = 0;

  void add(const Model& model) {
    const ModelParts& parts = model.parts();
    max_order += parts.max_order.size() == 7;
    arrival += parts.arrival.size() == 7;
    demand += parts.demand.size() == 7;
    cost += parts.cost.size() == 7;
    closed += model.max_order() > 0 && std::ranges::count(parts.max_order, 0U) > 0;
    const auto plain = [](const Arrival& a) { return !a.is_fresh() && !a.depends_on_order(); };
    shares += std::ranges::any_of(parts.arrival, plain);
    zero_shares += std::ranges::any_of(parts.arrival, [&](const Arrival& a) {
      return plain(a) && a.possible_ages() > 1 && a.possible_ages() < a.shelf_life();
    });
    unit_cost += std::ranges::any_of(parts.cost, [](const Costs& c) { return c.unit > 0.0; });
  }
};

TEST_P(ExplicitModel, AgreesWithTheFastKernelOnRandomInstances) {
  pcg64 bits(4);
  Variety variety;
  for (std::size_t instance = 0; instance < 200; ++instance) {
    const Model model = shortfall::testing::random_model(bits);
    variety.add(model);
    const Criterion criterion{random_loss(bits, instance), 0.3 + 0.6 * draw_uniform(bits)};
    SCOPED_TRACE("instance " + std::to_string(instance) + ", " + criterion.loss.to_string());
    compare(model, criterion, bits);
  }
  for (const int seen : {variety.max_order, variety.arrival, variety.demand, variety.cost,
                         variety.closed, variety.shares, variety.zero_shares}) {
    EXPECT_GE(seen, 15);
  }
  EXPECT_GE(variety.unit_cost, 50);
}

/// Five or more ages are summed over by different code than four.
TEST_P(ExplicitModel, AgreesForLongShelfLives) {
  const std::size_t capacity_of[] = {6, 5, 4, 4, 3, 3};
  pcg64 bits(6);
  for (std::size_t shelf_life = 5; shelf_life <= longest_shelf_life; ++shelf_life) {
    const std::size_t capacity = capacity_of[shelf_life - 5];
    for (std::size_t kind = 0; kind < 8; ++kind) {
      const Model model(
          {.capacity = capacity,
           .max_order = {capacity},
           .arrival = {shortfall::testing::random_arrival(bits, shelf_life)},
           .demand = {shortfall::testing::random_demand(bits, capacity + 1)},
           .cost = {{.order = 4.0, .holding = 0.5, .shortage = 9.0, .wastage = 3.0}}});
      const Criterion criterion{random_loss(bits, kind), 0.8};
      SCOPED_TRACE("shelf life " + std::to_string(shelf_life) + ", " + criterion.loss.to_string());
      compare(model, criterion, bits);
    }
  }
}

TEST_P(ExplicitModel, AgreesForRowsAndLayersOfAnyLength) {
  pcg64 bits(8);
  const auto compare_all = [&](std::size_t shelf_life, std::size_t capacity,
                               std::size_t max_order) {
    for (const std::size_t kind : {0UL, 1UL, 3UL, 5UL}) {
      const Model model(
          {.capacity = capacity,
           .max_order = {max_order},
           .arrival = {shortfall::testing::random_arrival(bits, shelf_life)},
           .demand = {poisson_demand(5.0, capacity - 1)},
           .cost = {{.order = 4.0, .holding = 0.5, .shortage = 9.0, .wastage = 3.0}}});
      const Criterion criterion{random_loss(bits, kind), 0.8};
      SCOPED_TRACE("shelf life " + std::to_string(shelf_life) + ", " + criterion.loss.to_string());
      compare(model, criterion, bits);
    }
  };
  compare_all(3, 28, 3);  // rows longer than those that are unrolled
  compare_all(5, 13, 1);  // layers of more than one batch
}

/// Deliveries of probability 1e-26 and less, which still affect a steep loss.
TEST_P(ExplicitModel, AgreesForRareDeliveries) {
  pcg64 bits(9);
  for (int instance = 0; instance < (ranks == 1 ? 60 : 20); ++instance) {  // ranks wait much
    const std::size_t shelf_life = 2 + draw_index(bits, 3);
    std::vector<double> c0(shelf_life - 1);
    for (double& c : c0) c = 120.0 * draw_uniform(bits) - 60.0;
    const Model model(
        {.capacity = 4,
         .max_order = {4},
         .arrival = {Arrival::logit(shelf_life, c0, std::vector<double>(shelf_life - 1, 0.0))},
         .demand = {shortfall::testing::random_demand(bits, 4)},
         .cost = {{.order = 2.0, .holding = 0.5, .shortage = 9.0, .wastage = 30.0}}});
    for (const AnyLoss& loss : {AnyLoss(Entropic(2.0)), AnyLoss(TruncatedEntropic(2.0, 20.0)),
                                AnyLoss(Expectile(0.99))}) {
      SCOPED_TRACE("instance " + std::to_string(instance) + ", " + loss.to_string());
      compare(model, {loss, 0.7}, bits);
    }
  }
}

/// At these risk levels the exponentials of most outcomes overflow or vanish.
TEST_P(ExplicitModel, AgreesForExtremeEntropicRisks) {
  pcg64 bits(7);
  for (int instance = 0; instance < 20; ++instance) {
    const Model model = shortfall::testing::random_model(bits);
    for (const double beta : {1e-9, 5.0, 50.0}) {
      SCOPED_TRACE("instance " + std::to_string(instance) + ", beta " + std::to_string(beta));
      compare(model, {Entropic(beta), 0.7}, bits);
    }
  }
}

TEST_P(ExplicitModel, AgreesForALossWithoutBoundedSlopes) {
  pcg64 bits(5);
  for (int instance = 0; instance < 10; ++instance) {
    const Model model = shortfall::testing::random_model(bits);
    const Criterion criterion{CustomLoss(Steep()), 0.5};
    const Mdp plain = explicit_mdp(model);
    const Policy orders = shortfall::testing::random_orders(bits, model);
    // Its rounding cannot be bounded, so neither method certifies; they still agree.
    const Solution expected = evaluate_by_sweeps(under_policy(plain, orders), criterion,
                                                 {.tolerance = 1e-8, .max_iterations = 60});
    const Solution value = on_ranks(ranks, [&](const Execution& execution) {
      return evaluate(model, criterion, orders, {.tolerance = 1e-8, .max_iterations = 60},
                      execution);
    });
    for (std::size_t x = 0; x < model.states(); ++x) {
      ASSERT_NEAR(value.values[x], expected.values[x], 1e-6 * (1.0 + std::abs(expected.values[x])));
    }
  }
}

}  // namespace
}  // namespace shortfall::inventory
