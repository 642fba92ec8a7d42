// Under which conditions each learner of a study is proven to converge.
#include "studies/learner_theory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/mdp/library.hpp"
#include "tests/mdp/chains_for_tests.hpp"
#include "tests/theory/circle_for_tests.hpp"

namespace shortfall::studies::learner_conditions {
namespace {

using shortfall::testing::chain_of;
using shortfall::testing::circle;
using shortfall::testing::grouped;
using shortfall::testing::interpolated;
using ::testing::HasSubstr;
using theory::Assumption;

struct Case {
  Chain chain = circle();
  AnyLoss loss = Expectile(0.9);
  double gamma = 0.9;
  Eigen::MatrixXd phi = interpolated();
  double restart = 0.0;
};

std::vector<double> value_of(const Chain& chain, const Criterion& criterion) {
  if (criterion.gamma < 1.0) return evaluate_by_newton(chain, criterion).values;
  return evaluate_finite_horizon(chain, criterion, {.stages = static_cast<int>(chain.states())})
      .values.back();
}

std::vector<Assumption> assumptions(const std::string& name, const Case& given,
                                    const LearnerDefaults& defaults = {.lambda = 0.5}) {
  Restarts restarts = restarts_at(given.chain, 0);
  restarts.probability = given.restart;
  const Visits visits = long_run_visits(given.chain, restarts);
  const Criterion criterion{given.loss, given.gamma};
  const LearningProblem problem = learning_problem({.chain = given.chain,
                                                    .criterion = criterion,
                                                    .phi = given.phi,
                                                    .q = visits.q,
                                                    .restart = given.restart},
                                                   value_of(given.chain, criterion));
  const StudiedLearner learner = parse_learner(name, defaults);
  return assumptions_of({problem, visits, learner});
}

bool guaranteed(const std::string& name, const Case& given,
                const LearnerDefaults& defaults = {.lambda = 0.5}) {
  return theory::all_hold(assumptions(name, given, defaults));
}

const Assumption& named(const std::vector<Assumption>& all, std::string_view name) {
  return *std::ranges::find(all, name, &Assumption::name);
}

TEST(LearnerConditions, AreThoseOfTheLearnersOwnProof) {
  const Case given;  // γ = 0.9 is above 0.6
  EXPECT_FALSE(guaranteed("td", given));
  EXPECT_TRUE(guaranteed("averager-td", given));
  EXPECT_TRUE(guaranteed("averager-td:averaged", given));
  EXPECT_TRUE(guaranteed("td", {.gamma = 0.59}));
  EXPECT_FALSE(guaranteed("td", {.gamma = 0.61}));
}

TEST(LearnerConditions, OfTdOnHardAggregationAreThoseOfAveragers) {
  const std::vector<Assumption> found = assumptions("td", {.phi = grouped()});
  EXPECT_TRUE(theory::all_hold(found));
  EXPECT_THAT(named(found, "features").reason, HasSubstr("lies in one cell"));
}

TEST(LearnerConditions, LookAtVisitedStatesOnly) {
  // State 3 is never reached, and its features are those of no cell.
  const Chain more = chain_of(
      {{{0.5, 0, 1.0}, {0.5, 1, 1.0}}, {{1.0, 2, -2.0}}, {{1.0, 0, 3.0}}, {{1.0, 0, 0.0}}});
  Eigen::MatrixXd phi(4, 2);
  phi << 1, 0, 0, 1, 0, 1, -7, 0.3;
  EXPECT_TRUE(guaranteed("td", {.chain = more, .phi = phi}));
}

TEST(LearnerConditions, HaveNoProofForNewtonNorForTracesButForTheMean) {
  for (const AnyLoss& loss : std::vector<AnyLoss>{Mean(), Expectile(0.9)}) {
    for (const std::string name : {"newton", "averager-newton"}) {
      const std::vector<Assumption> found = assumptions(name, {.loss = loss, .gamma = 0.05});
      ASSERT_EQ(found.size(), 1u);
      EXPECT_FALSE(found[0].holds);
    }
  }
  EXPECT_TRUE(guaranteed("td-lambda:0.5", {.loss = Mean()}));
  EXPECT_FALSE(guaranteed("td-lambda:0.5", {.gamma = 0.05}));
  EXPECT_TRUE(guaranteed("td-lambda:0", {.gamma = 0.05}));  // TD
}

TEST(LearnerConditions, NeedStepsThatVanishAndSmallOnesForExponentialLosses) {
  const LearnerDefaults constant{.step = learn::AnyStep::parse("0.01")};
  EXPECT_FALSE(guaranteed("averager-td", {}, constant));
  const Case entropic{.loss = Entropic(0.5), .gamma = 0.5};  // weights in [-4, 6]
  EXPECT_TRUE(guaranteed("averager-td", entropic));          // scaled steps suit any loss
  const std::vector<Assumption> large =
      assumptions("averager-td", entropic, {.step = learn::PolynomialStep()});
  EXPECT_FALSE(named(large, "bounded weights").holds);
  EXPECT_THAT(named(large, "bounded weights").reason, HasSubstr("smaller ones are needed"));
  EXPECT_TRUE(guaranteed("averager-td", entropic, {.step = learn::AnyStep::parse("0.02,1,0.8")}));
  EXPECT_FALSE(guaranteed("averager-td", entropic,
                          {.step = learn::AnyStep::parse("0.02,1,0.8"), .initial = 50.0}));
}

/// γ = 1 with one end: a proof for TD under the mean, if only the end leads to a new start.
TEST(LearnerConditions, AtDiscountOneDependOnTheLossAndOnRestarts) {
  const Mdp model = library::boyan_chain();
  const Case boyan{.chain = under_policy(model, *unique_policy(model)),
                   .loss = Mean(),
                   .gamma = 1.0,
                   .phi = library::boyan_features()};
  EXPECT_TRUE(guaranteed("td", boyan));
  Case other = boyan;
  other.restart = 0.1;
  EXPECT_FALSE(guaranteed("td", other));
  other = boyan;
  other.loss = Expectile(0.9);
  const std::vector<Assumption> found = assumptions("td", other);
  EXPECT_FALSE(theory::all_hold(found));
  EXPECT_THAT(named(found, "discount").reason, HasSubstr("every path ends"));
  EXPECT_FALSE(guaranteed("averager-td", boyan));
}

/// Restarts change what the paper's condition is about, but not that of averagers.
TEST(LearnerConditions, HaveTheEffectiveDiscountOfRestarts) {
  const Case given{.loss = Expectile(0.5), .gamma = 0.97, .restart = 0.3};
  const std::vector<Assumption> td = assumptions("td", given);
  EXPECT_FALSE(named(td, "discount").holds);
  EXPECT_THAT(named(td, "discount").reason, HasSubstr("act like"));
  EXPECT_TRUE(guaranteed("td", {.loss = Expectile(0.5), .gamma = 0.97}));
  EXPECT_TRUE(guaranteed("averager-td", given));
}

}  // namespace
}  // namespace shortfall::studies::learner_conditions
