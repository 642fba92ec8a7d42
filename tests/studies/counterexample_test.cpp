// The two-state counterexample: its drift by hand, its expected iterates path by path, and the
// verdicts on both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "studies/counterexample.hpp"
#include "tests/studies/results_for_tests.hpp"

namespace shortfall::studies {
namespace {

using library::DeltaRoot;
using ::testing::ElementsAre;

double delta_of(DeltaRoot root) {
  return (891.0 + (root == DeltaRoot::larger ? 1.0 : -1.0) * std::sqrt(465917.0)) / 182.0;
}

/// For θ > 0: of the four moves, only the one from the first state to the second has a positive
/// error. Slopes 10/11 and 1/11.
double drift_by_hand(double p, double delta) {
  const double first = p * 10.0 * (0.9 * delta - 1.0) - (1.0 - p) * 0.1;
  const double second = delta * (p * (0.9 - delta) - (1.0 - p) * 0.1 * delta);
  return (first + second) / 22.0;
}

TEST(CounterexampleChain, HasTheDriftComputedByHand) {
  for (const DeltaRoot root : {DeltaRoot::smaller, DeltaRoot::larger}) {
    for (const double p : {0.5, 0.85, 0.9, 0.95, 0.99}) {
      const CounterexampleChain chain(p, root);
      for (const double theta : {0.1, 1.0, 3.0}) {
        EXPECT_NEAR(chain.drift(theta), theta * drift_by_hand(p, delta_of(root)), 1e-13);
      }
    }
    EXPECT_NEAR(drift_by_hand(0.9, delta_of(root)), 0.0, 1e-14);
  }
}

TEST(CounterexampleChain, HasTheExpectedIteratesOfAllItsPaths) {
  constexpr int length = 10;
  for (const DeltaRoot root : {DeltaRoot::smaller, DeltaRoot::larger}) {
    const CounterexampleChain chain(0.9, root);
    const double phi[2] = {1.0, delta_of(root)};
    double sum = 0.0;
    for (unsigned path = 0; path < (2u << length); ++path) {  // bit k is the state X_k
      double weight = 0.5, theta = 1.0;
      for (unsigned n = 0; n < length; ++n) {
        const unsigned x = path >> n & 1u, y = path >> (n + 1) & 1u;
        weight *= x == y ? 0.1 : 0.9;
        const double error = (0.9 * phi[y] - phi[x]) * theta;
        const double step = 8.0 / (1.0 + phi[1] * phi[1]) / std::pow(n + 1000.0, 2.0 / 3.0);
        theta += step * phi[x] * (error > 0.0 ? 10.0 : 1.0) / 11.0 * error;
      }
      sum += weight * theta;
    }
    const std::vector<double> expected = chain.expected_iterates({0, length});
    EXPECT_EQ(expected[0], 1.0);
    EXPECT_NEAR(expected[1], sum, 1e-13);
    EXPECT_GT(std::abs(sum - 1.0), 1e-9);  // successive moves are correlated
  }
}

TEST(CounterexampleStudy, HasAPartForEachChainWithTheColumnsOfTheTables) {
  const Study study = counterexample({.scale = Scale::quick});
  ASSERT_EQ(study.parts.size(), 8u);
  const Part& part = study.parts[5];
  EXPECT_EQ(part.name, "p=0.95,root=larger");
  double done = 0.0;
  const auto found =
      std::any_cast<CounterexampleTables>(part.compute([&](double fraction) { done = fraction; }));
  const Json tables = found;
  EXPECT_EQ(done, 1.0);
  EXPECT_THAT(columns_of(tables["drift"]), ElementsAre("p", "root", "theta", "drift"));
  EXPECT_THAT(columns_of(tables["paths"]), ElementsAre("p", "root", "path", "iteration", "theta"));
  EXPECT_THAT(columns_of(tables["paths_summary"]),
              ElementsAre("p", "root", "iteration", "mean_theta", "standard_error", "drift_sign",
                          "expected_theta"));
  EXPECT_EQ(found.drift.size(), 31u);
  EXPECT_EQ(found.paths.size(), 5 * found.paths_summary.size());
  const PathSummaryRow& end = found.paths_summary.back();
  EXPECT_EQ(end.drift_sign, 1);
  EXPECT_GT(end.expected_theta, 1.1);
  EXPECT_NEAR(end.mean_theta, end.expected_theta, 5.0 * end.standard_error);
}

/// Tables with one row per chain and the true values.
CounterexampleTables true_tables() {
  CounterexampleTables tables;
  for (const double p : {0.85, 0.9, 0.95}) {
    const int sign = sign_of_drift(p - 0.9);
    for (const double theta : {0.0, 1.0}) {
      tables.drift.push_back({p, "smaller", theta, 0.01 * sign * theta});
    }
    tables.paths_summary.push_back({.p = p,
                                    .root = "smaller",
                                    .iteration = 1000,
                                    .mean_theta = 1.0 + 0.1 * sign,
                                    .standard_error = 0.01,
                                    .drift_sign = sign,
                                    .expected_theta = 1.0 + 0.1 * sign});
    tables.conditions.push_back({.p = p,
                                 .root = "smaller",
                                 .gamma = 0.9,
                                 .gamma_limit = 0.1,
                                 .sharp_gamma_limit = 0.575,
                                 .distortion_gamma_limit = std::sqrt(19.0) / 10.0,
                                 .largest_value = 0.0,
                                 .drift_at_smaller_gamma = -0.001,
                                 .drift_at_larger_gamma = 0.001,
                                 .expected_theta = 0.96,
                                 .expected_theta_half_steps = 0.99});
  }
  return tables;
}

std::size_t refuted_by(const std::function<void(CounterexampleTables&)>& change) {
  CounterexampleTables tables = true_tables();
  change(tables);
  return refuted_of(counterexample_findings(tables));
}

TEST(CounterexampleFindings, AreRefutedOneByOne) {
  EXPECT_EQ(refuted_by([](CounterexampleTables&) {}), 8u);
  EXPECT_EQ(refuted_by([](CounterexampleTables& t) { t.conditions[0].largest_value = 0.1; }), 0u);
  EXPECT_EQ(refuted_by([](CounterexampleTables& t) { t.drift[3].drift = 1e-9; }), 1u);
  EXPECT_EQ(refuted_by([](CounterexampleTables& t) { t.drift[5].drift = -0.01; }), 2u);
  EXPECT_EQ(refuted_by([](CounterexampleTables& t) { t.drift[1].drift = 0.0; }), 3u);
  EXPECT_EQ(refuted_by([](CounterexampleTables& t) {
              t.paths_summary[2].mean_theta = t.paths_summary[2].expected_theta = 0.9;
            }),
            4u);
  EXPECT_EQ(
      refuted_by([](CounterexampleTables& t) { t.conditions[1].expected_theta_half_steps = 0.98; }),
      5u);
  EXPECT_EQ(refuted_by([](CounterexampleTables& t) { t.paths_summary[0].expected_theta = 0.95; }),
            6u);
  EXPECT_EQ(
      refuted_by([](CounterexampleTables& t) { t.conditions[1].distortion_gamma_limit = 0.5; }),
      7u);
}

TEST(CounterexampleFindings, AreOpenIfNoiseHidesTheMove) {
  CounterexampleTables tables = true_tables();
  tables.paths_summary[2].standard_error = 0.05;
  EXPECT_EQ(counterexample_findings(tables)[4].verdict, Verdict::open);
}

}  // namespace
}  // namespace shortfall::studies
