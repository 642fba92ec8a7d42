// Conditions with features: averagers, hard aggregation and others; recurrence of chains.
#include "shortfall/theory/feature_conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "shortfall/errors/error.hpp"
#include "tests/mdp/chains_for_tests.hpp"
#include "tests/risk/losses_for_tests.hpp"
#include "tests/theory/circle_for_tests.hpp"

namespace shortfall::theory::feature_conditions {
namespace {

using shortfall::testing::chain_of;
using shortfall::testing::circle;
using shortfall::testing::graph_of;
using shortfall::testing::grouped;
using shortfall::testing::interpolated;
using ::testing::HasSubstr;

const Assumption& named(const CheckedConditions& checked, std::string_view name) {
  const auto& all = checked.conditions.assumptions;
  return *std::ranges::find(all, name, &Assumption::name);
}

TEST(FeatureConditions, GuaranteeAveragersForEveryLossAndEveryDiscountBelowOne) {
  const Chain chain = circle();
  const Eigen::MatrixXd phi = interpolated();
  for (const std::string& spec : shortfall::testing::loss_specs()) {
    for (const double gamma : {0.0, 0.5, 0.99}) {
      if (spec == "entropic:3" && gamma > 0.0) continue;  // see below
      if (spec == "entropic:0.5" && gamma > 0.9) continue;
      const auto checked =
          check_conditions(ProvenAlgorithm::averager_td, AnyLoss::parse(spec), gamma, {chain, phi});
      EXPECT_TRUE(checked.conditions.guaranteed()) << report(checked);
      EXPECT_EQ(checked.conditions.gamma_limit, 1.0);
      EXPECT_GE(checked.largest_step.value(), 1e-12);
      EXPECT_EQ(checked.rests_on.size(), 3U);
      EXPECT_EQ(verdict(checked), "guaranteed");
      EXPECT_THAT(report(checked), HasSubstr("convergence of averager-td is guaranteed"));
    }
    const auto at_one =
        check_conditions(ProvenAlgorithm::averager_td, AnyLoss::parse(spec), 1.0, {chain, phi});
    EXPECT_FALSE(at_one.conditions.guaranteed());
    EXPECT_FALSE(named(at_one, "discount").holds);
    EXPECT_FALSE(at_one.largest_step);
  }
}

TEST(FeatureConditions, GuaranteeNothingWhereNoStepKeepsTheWeightsInRange) {
  // Weights may reach 300, and e^900 is out of range.
  const Chain chain = circle();
  const Eigen::MatrixXd phi = interpolated();
  const auto checked =
      check_conditions(ProvenAlgorithm::averager_td, Entropic(3.0), 0.99, {chain, phi});
  EXPECT_FALSE(checked.conditions.guaranteed());
  EXPECT_FALSE(named(checked, "bounded weights").holds);
  EXPECT_THAT(named(checked, "bounded weights").reason, HasSubstr("no step is small enough"));
}

TEST(FeatureConditions, GuaranteeNothingWhereStepsAreTooSmallToLearn) {
  // Weights may reach 300 at γ = 0.99, 6 at γ = 0.5: slopes of e^150 and e^3.
  const Chain chain = circle();
  const Eigen::MatrixXd phi = interpolated();
  const auto reason = [&](double gamma) {
    return named(check_conditions(ProvenAlgorithm::averager_td, Entropic(0.5), gamma, {chain, phi}),
                 "bounded weights");
  };
  EXPECT_TRUE(reason(0.5).holds);
  EXPECT_FALSE(reason(0.99).holds);
  EXPECT_THAT(reason(0.99).reason, HasSubstr("too small to learn"));
}

TEST(FeatureConditions, GuaranteeTdOnHardAggregationAndElseOnlyUnderItsOwnConditions) {
  const Chain chain = circle();
  const Expectile loss(0.9);
  const auto hard = check_conditions(ProvenAlgorithm::td, loss, 0.99, {chain, grouped()});
  EXPECT_TRUE(hard.conditions.guaranteed());
  EXPECT_THAT(named(hard, "features").reason, HasSubstr("hard aggregation"));
  const auto soft = check_conditions(ProvenAlgorithm::td, loss, 0.99, {chain, interpolated()});
  EXPECT_FALSE(soft.conditions.guaranteed());
  EXPECT_THAT(named(soft, "discount").reason, HasSubstr("averager-td needs no such condition"));
  EXPECT_EQ(soft.conditions.gamma_limit, gamma_limit(loss.slope_bounds()));
  const auto small = check_conditions(ProvenAlgorithm::td, loss, 0.1, {chain, interpolated()});
  EXPECT_TRUE(small.conditions.guaranteed()) << report(small);
  EXPECT_TRUE(check_conditions(ProvenAlgorithm::td, loss, 0.5, {chain, interpolated()})
                  .conditions.guaranteed());  // below 0.6, not below 1/9
  Eigen::MatrixXd dependent(3, 2);
  dependent << 1, 2, 2, 4, 3, 6;
  const auto bad = check_conditions(ProvenAlgorithm::td, loss, 0.1, {chain, dependent});
  EXPECT_FALSE(bad.conditions.guaranteed());
}

/// Features of length 30 and 40 with the paper's steps, of which the first is 0.0928: runs diverge
/// after seven updates. One over the largest slope, 1, and squared length is 1/1600.
TEST(FeatureConditions, GuaranteeNothingWhereStepsAreTooLargeForTheFeatures) {
  const Chain chain = circle();
  Eigen::MatrixXd long_features(3, 1);
  long_features << 30, 40, 35;
  const auto check = [&](std::optional<double> first) {
    return check_conditions(ProvenAlgorithm::td, Mean(), 0.5, {chain, long_features}, first);
  };
  EXPECT_NEAR(largest_td_step(Mean(), long_features), 1.0 / 1600.0, 1e-18);
  EXPECT_TRUE(check({}).conditions.guaranteed()) << report(check({}));
  EXPECT_NEAR(check({}).largest_step.value(), 1.0 / 1600.0, 1e-18);
  EXPECT_TRUE(check(1.0 / 1600.0).conditions.guaranteed());
  const auto large = check(0.0928);
  EXPECT_FALSE(large.conditions.guaranteed());
  EXPECT_THAT(named(large, "first step").reason, HasSubstr("out of range"));
  EXPECT_TRUE(large.rests_on.empty());
}

TEST(FeatureConditions, SayForEachAlgorithmWhatIsProved) {
  const auto known = [](const AnyLoss& loss, double gamma) {
    std::vector<bool> proved;
    for (const KnownConvergence& each :
         known_convergence({check_conditions(loss, gamma), loss.to_string()})) {
      EXPECT_EQ(each.guaranteed, !each.rests_on.empty()) << each.algorithm;
      proved.push_back(each.guaranteed);
    }
    return proved;  // td, td-lambda, newton, averager-td, averager-newton
  };
  using Proved = std::vector<bool>;
  EXPECT_EQ(known(Mean(), 0.9), (Proved{true, true, false, true, false}));
  EXPECT_EQ(known(Expectile(0.9), 0.5), (Proved{true, false, false, true, false}));
  EXPECT_EQ(known(Expectile(0.9), 0.7), (Proved{false, false, false, true, false}));
  EXPECT_EQ(known(Entropic(1.0), 0.5), (Proved{false, false, false, false, false}));
}

TEST(FeatureConditions, RejectFeaturesThatAreNoAverager) {
  const Chain chain = circle();
  const Eigen::MatrixXd negative = -interpolated();
  EXPECT_THROW((void)check_conditions(ProvenAlgorithm::averager_td, Mean(), 0.5, {chain, negative}),
               InvalidInput);
  EXPECT_THROW((void)check_conditions(ProvenAlgorithm::averager_td, Mean(), 1.0, {chain, negative}),
               InvalidInput);
  const Eigen::MatrixXd short_of_rows = interpolated().topRows(2);
  EXPECT_THROW((void)check_conditions(ProvenAlgorithm::td, Mean(), 0.5, {chain, short_of_rows}),
               InvalidInput);
}

TEST(Recurrence, IgnoresOutcomesOfProbabilityZero) {
  // State 1 is never left: what leads to 0 does not happen.
  const Chain two = chain_of({{{1.0, 0}}, {{1.0, 1}, {0.0, 0}}});
  EXPECT_FALSE(recurrence_assumption(two).holds);
  EXPECT_FALSE(ergodicity_assumption(chain_of({{{1.0, 1}}, {{1.0, 1}, {0.0, 0}}})).holds);
  EXPECT_TRUE(recurrence_assumption(chain_of({{{1.0, 1}}, {{1.0, 1}, {0.0, 0}}})).holds);
}

TEST(Recurrence, NeedsOneClassOfStatesThatCannotBeLeftPeriodicOrNot) {
  EXPECT_TRUE(recurrence_assumption(graph_of({{1}, {0}})).holds);          // of period 2
  EXPECT_TRUE(recurrence_assumption(graph_of({{1}, {2}, {1, 2}})).holds);  // 0 is left for ever
  const Assumption two = recurrence_assumption(graph_of({{1, 2}, {1}, {2}}), 1);
  EXPECT_FALSE(two.holds);
  EXPECT_THAT(two.reason, HasSubstr("stay with state 2, others with state 3"));
}

TEST(Recurrence, TakesEndsAsOneClass) {
  EXPECT_TRUE(recurrence_assumption(graph_of({{1, 2}, {}, {}})).holds);
  const Assumption mixed = recurrence_assumption(graph_of({{1, 2}, {}, {2}}));
  EXPECT_FALSE(mixed.holds);
  EXPECT_THAT(mixed.reason, HasSubstr("some paths end, others stay with state 2"));
}

}  // namespace
}  // namespace shortfall::theory::feature_conditions
