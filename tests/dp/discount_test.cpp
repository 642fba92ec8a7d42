// Where the discount stands in a stage: hand values, all paths of a tree, the loss that is inside
// what another is outside, and what does not depend on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/risk/shortfall_risk.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

/// From state 0, which costs nothing, to state 1, which costs 0, or to state 2, which costs 4; both
/// lead to the end.
Mdp nothing_then_zero_or_four() {
  TransitionTable table;
  table.add(0, 0, 1, Probability(0.5), 0.0);
  table.add(0, 0, 2, Probability(0.5), 0.0);
  table.add(1, 0, 3, Probability(1.0), 0.0);
  table.add(2, 0, 3, Probability(1.0), 4.0);
  return Mdp::build(std::move(table));
}

double value_of(const Mdp& model, const Criterion& criterion, int stages, Discount discount) {
  const FiniteHorizonSolution solution =
      solve_finite_horizon(model, criterion, {.stages = stages, .discount = discount});
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_LE(solution.error_bound, 1e-10);
  return solution.values.back()[0];
}

TEST(Discount, InsideAndOutsideHaveTheirValuesByHand) {
  const Mdp model = nothing_then_zero_or_four();
  const Criterion criterion{Entropic(1.0), 0.5};
  const double inside = std::log((1.0 + std::exp(2.0)) / 2.0);
  const double outside = 0.5 * std::log((1.0 + std::exp(4.0)) / 2.0);
  EXPECT_NEAR(value_of(model, criterion, 2, Discount::inside), inside, 1e-13);
  EXPECT_NEAR(value_of(model, criterion, 2, Discount::outside), outside, 1e-13);
  EXPECT_NEAR(inside, 1.434, 5e-4);
  EXPECT_NEAR(outside, 1.663, 5e-4);
}

/// The paper's V_T by its own formula, over the tree of all paths: c(x) + γ SR(c(X_1) + γ SR(..)),
/// for costs of states.
double total_risk(const Chain& chain, const Criterion& criterion, std::size_t x, int left) {
  const Outcomes::Row law = chain.law(x);
  if (law.next.empty()) return 0.0;
  if (left == 0) return law.cost[0];
  std::vector<double> later;
  for (const StateIndex next : law.next) {
    later.push_back(total_risk(chain, criterion, next, left - 1));
  }
  return law.cost[0] + criterion.gamma * shortfall_risk(criterion.loss, {later, law.probability});
}

/// Every state has a cost of its own and leads to all states.
Chain random_chain(StateIndex states, pcg64& generator) {
  const auto uniform = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  Outcomes outcomes;
  for (StateIndex x = 0; x < states; ++x) {
    const double cost = 6.0 * uniform() - 2.0;
    std::vector<double> weight(states);
    double sum = 0.0;
    for (double& w : weight) sum += w = 0.1 + uniform();
    for (StateIndex y = 0; y < states; ++y) {
      outcomes.probability.push_back(weight[y] / sum);
      outcomes.cost.push_back(cost);
      outcomes.next.push_back(y);
    }
    outcomes.row_begin.push_back(outcomes.size());
  }
  return Chain(std::move(outcomes));
}

class UnderEachLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
  pcg64 generator{1};
};
INSTANTIATE_TEST_SUITE_P(Losses, UnderEachLoss, ::testing::ValuesIn(testing::loss_specs()));

TEST_P(UnderEachLoss, OutsideIsTheTotalRiskOfThePaperOverAllPaths) {
  const Chain chain = random_chain(3, generator);
  for (const double gamma : {0.3, 0.9, 1.0}) {
    const Criterion criterion{loss, gamma};
    for (int horizon = 0; horizon <= 4; ++horizon) {
      const FiniteHorizonSolution solution = evaluate_finite_horizon(
          chain, criterion, {.stages = horizon + 1, .discount = Discount::outside});
      for (std::size_t x = 0; x < chain.states(); ++x) {
        EXPECT_NEAR(solution.values.back()[x], total_risk(chain, criterion, x, horizon), 1e-11)
            << gamma << " " << horizon;
      }
    }
  }
}

TEST_P(UnderEachLoss, BothAreTheSameWithoutDiscount) {
  const Chain chain = random_chain(4, generator);
  const auto with = [&](Discount discount) {
    return evaluate_finite_horizon(chain, {loss, 1.0}, {.stages = 5, .discount = discount}).values;
  };
  EXPECT_EQ(with(Discount::inside), with(Discount::outside));
}

TEST(Discount, DoesNotMatterForPositivelyHomogeneousRisksAndDoesForOthers) {
  const Mdp model = library::forest();  // with a choice in every state
  const auto apart = [&](const AnyLoss& loss) {
    return std::abs(value_of(model, {loss, 0.7}, 6, Discount::inside) -
                    value_of(model, {loss, 0.7}, 6, Discount::outside));
  };
  for (const char* loss : {"mean", "expectile:0.1", "expectile:0.9", "piecewise:-1:-1,0:0,1:3"}) {
    EXPECT_LE(apart(AnyLoss::parse(loss)), 1e-12) << loss;
  }
  for (const char* loss : {"entropic:1", "truncated-entropic:1,5", "soft-quantile:0.8,2"}) {
    EXPECT_GE(apart(AnyLoss::parse(loss)), 1e-3) << loss;
  }
}

/// γ ρ(Y/γ) is the risk of ℓ(·/γ). Costs vary with the outcome.
TEST(Discount, OutsideIsInsideWithTheLossOfAmountsOverGamma) {
  constexpr double gamma = 0.5;
  TransitionTable table;
  table.add(0, 0, 0, Probability(0.25), 3.0);
  table.add(0, 0, 1, Probability(0.75), -1.0);
  table.add(0, 1, 1, Probability(1.0), 1.0);
  table.add(1, 0, 0, Probability(0.5), 0.5);
  table.add(1, 0, 1, Probability(0.5), 2.0);
  const Mdp model = Mdp::build(std::move(table));
  const auto values = [&](const char* loss, Discount discount) {
    return solve_finite_horizon(model, {AnyLoss::parse(loss), gamma},
                                {.stages = 7, .discount = discount});
  };
  // Knots ±κ γ and 0; slopes κ, 1/κ times μ and 1 - μ, up to a common factor.
  const std::vector<std::pair<const char*, const char*>> pairs = {
      {"entropic:0.4", "entropic:0.8"},
      {"truncated-entropic:0.4,3", "truncated-entropic:0.8,1.5"},
      {"soft-quantile:0.75,2", "piecewise:-2:-1.25,-1:-0.25,0:0,1:0.75,2:3.75"}};
  for (const auto& [outside, inside] : pairs) {
    const FiniteHorizonSolution of_outside = values(outside, Discount::outside);
    const FiniteHorizonSolution of_inside = values(inside, Discount::inside);
    EXPECT_EQ(of_outside.policies, of_inside.policies) << outside;
    for (std::size_t x = 0; x < 2; ++x) {
      EXPECT_NEAR(of_outside.values.back()[x], of_inside.values.back()[x],
                  of_outside.error_bound + of_inside.error_bound)
          << outside;
    }
  }
}

TEST(Discount, OutsideOverflowsInsteadOfReturningValuesThatAreNone) {
  TransitionTable table;
  table.add(0, 0, 0, Probability(0.5), 1e200);
  table.add(0, 0, 0, Probability(0.5), 0.0);
  const Mdp model = Mdp::build(std::move(table));
  const FiniteHorizonSolution solution = solve_finite_horizon(
      model, {Expectile(0.9), 1e-200}, {.stages = 3, .discount = Discount::outside});
  EXPECT_EQ(solution.status, Status::overflow);
}

TEST(Discount, IsReadByName) {
  EXPECT_EQ(value_named("outside", discount_names, "discount"), Discount::outside);
  EXPECT_THROW((void)value_named("beside", discount_names, "discount"), InvalidInput);
}

}  // namespace
}  // namespace shortfall
