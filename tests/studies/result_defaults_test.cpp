#include <gtest/gtest.h>

#include "shortfall/dp/bellman.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/plan/backtest.hpp"
#include "shortfall/inventory/plan/order.hpp"
#include "shortfall/inventory/plan/plan.hpp"
#include "shortfall/inventory/plan/rules.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "shortfall/learn/interval.hpp"
#include "shortfall/learn/sampled_evaluation.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/monitor/monitor.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/averager_fixed_point.hpp"
#include "shortfall/theory/fixed_point.hpp"

namespace shortfall {
namespace {

TEST(AResultThatNothingHasFilledIn, HasInfiniteBoundsAndResiduals) {
  EXPECT_EQ(Solution().error_bound, infinity);
  EXPECT_EQ(FiniteHorizonSolution().error_bound, infinity);
  EXPECT_EQ(SweepSummary().residual(), infinity);
  EXPECT_EQ(Progress().error_bound, infinity);
  EXPECT_EQ(StationaryLaw().residual, infinity);
  EXPECT_EQ(theory::FixedPoint().residual_norm, infinity);
  EXPECT_EQ(theory::FixedPoint().error_bound, infinity);
  EXPECT_EQ(theory::FixedPoint().error_estimate, infinity);
  EXPECT_EQ(theory::AveragerFixedPoint().residual, infinity);
  EXPECT_EQ(theory::AveragerFixedPoint().error_bound, infinity);
  EXPECT_EQ(learn::Evaluation().change, infinity);
  EXPECT_EQ(learn::Interval().low, -infinity);
  EXPECT_EQ(learn::Interval().high, infinity);
  EXPECT_EQ(learn::Interval().standard_error, infinity);
  EXPECT_EQ(inventory::NonPerishable().error_bound, infinity);
  EXPECT_EQ(inventory::RuleOrders().error_bound, infinity);
  EXPECT_EQ(inventory::SimulationResult().standard_error, infinity);
  EXPECT_EQ(inventory::OrderAnswer().error_bound, infinity);
  EXPECT_EQ(inventory::BacktestPolicy().error_bound, infinity);
  EXPECT_EQ(inventory::Forecast().extra_standard_error, infinity);
  EXPECT_EQ(inventory::PlanPolicy().error_bound, infinity);
  EXPECT_EQ(inventory::PlanOutcome().error_bound, infinity);
  EXPECT_EQ(inventory::TrainingRecord().error_bound, infinity);
  EXPECT_EQ(inventory::TrainingRecord().change, infinity);
}

TEST(AResultThatNothingHasFilledIn, IsNoSuccess) {
  EXPECT_FALSE(is_success(Solution().status));
  EXPECT_FALSE(is_success(FiniteHorizonSolution().status));
  EXPECT_FALSE(StationaryLaw().converged);
  EXPECT_NE(theory::FixedPoint().status, theory::FixedPointStatus::converged);
  EXPECT_NE(theory::AveragerFixedPoint().status, theory::FixedPointStatus::converged);
  EXPECT_EQ(learn::Evaluation().used, 0U);
  EXPECT_EQ(learn::Interval().status, learn::IntervalStatus::not_yet);
  EXPECT_FALSE(is_success(inventory::RuleOrders().status));
  EXPECT_FALSE(is_success(inventory::BacktestPolicy().status));
  EXPECT_FALSE(is_success(inventory::PlanPolicy().status));
  EXPECT_FALSE(is_success(inventory::PlanOutcome().status));
  EXPECT_FALSE(inventory::PlanConclusions().falls_with_stock);
  EXPECT_FALSE(is_success(inventory::TrainingRecord().status));
}

}  // namespace
}  // namespace shortfall
