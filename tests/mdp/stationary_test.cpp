#include "shortfall/mdp/stationary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall {
namespace {

using testing::chain_of;
using testing::graph_of;
using ::testing::HasSubstr;
using testing::Move;
using ::testing::ThrowsMessage;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr StationaryOptions iterate{.elimination_limit = 0};

/// Relative in every state, down to where the iteration no longer measures it.
void expect_law(const StationaryLaw& found, const std::vector<double>& expected, double relative) {
  ASSERT_TRUE(found.converged) << "residual " << found.residual;
  ASSERT_EQ(found.probability.size(), expected.size());
  EXPECT_NEAR(std::accumulate(found.probability.begin(), found.probability.end(), 0.0), 1.0,
              static_cast<double>(expected.size()) * epsilon);
  for (std::size_t x = 0; x < expected.size(); ++x) {
    EXPECT_NEAR(found.probability[x], expected[x], std::max(relative * expected[x], 1e-280)) << x;
  }
}

/// A walk on 0..n-1 that goes up with probability up(x), else down, and stays where it would leave.
Chain walk(StateIndex n, const std::function<double(StateIndex)>& up) {
  std::vector<std::vector<Move>> rows;
  for (StateIndex x = 0; x < n; ++x) {
    rows.push_back({{up(x), std::min(x + 1, n - 1)}, {1.0 - up(x), x > 0 ? x - 1 : 0}});
  }
  return chain_of(rows);
}

/// Ehrenfest's urn: of n balls a random one changes sides. Period 2, stationary law binomial(n,
/// 1/2).
Chain urn(StateIndex balls) {
  std::vector<std::vector<Move>> rows(balls + std::size_t{1});
  for (StateIndex x = 0; x <= balls; ++x) {
    if (x < balls) rows[x].push_back({double(balls - x) / balls, x + 1});
    if (x > 0) rows[x].push_back({double(x) / balls, x - 1});
  }
  return chain_of(rows);
}

std::vector<double> binomial(StateIndex n) {
  std::vector<double> law;
  for (StateIndex k = 0; k <= n; ++k) {
    law.push_back(std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) -
                           n * std::log(2.0)));
  }
  return law;
}

/// Each of n states moves to 2 random others and to the next one, so that all communicate.
Chain random_chain(StateIndex n, pcg64& bits) {
  std::vector<std::vector<Move>> rows(n);
  for (StateIndex x = 0; x < n; ++x) {
    const double p = 0.1 + 0.4 * draw_uniform(bits);
    rows[x] = {{p, (x + 1) % n}, {0.5, draw_index(bits, n)}, {0.5 - p, draw_index(bits, n)}};
  }
  return chain_of(rows);
}

/// With leaving probabilities a and b, the law is (b, a) / (a + b), here found to the last places
/// however slow the chain; 1 - P(x|x) would have lost them.
TEST(StationaryLaw, OfTwoStatesIsExactHoweverRarelyTheyChange) {
  for (const double a : {0.5, 1e-3, 1e-9, 1e-15}) {
    const double b = 3.0 * a / 2.0;
    const Chain chain = chain_of({{{1.0 - a, 0}, {a, 1}}, {{b, 0}, {1.0 - b, 1}}});
    expect_law(stationary_law(chain), {0.6, 0.4}, 4.0 * epsilon);
    expect_law(stationary_law(chain, iterate), {0.6, 0.4}, 4.0 * epsilon);
  }
}

/// Courtois's nearly decomposable matrix (Decomposability, 1977; Stewart, Introduction to the
/// Numerical Solution of Markov Chains, 1994). Printed: 0.08928, 0.09276, 0.04049, 0.15853,
/// 0.11894, 0.12039, 0.27780, 0.10182. The digits here are from elimination in rational arithmetic.
TEST(StationaryLaw, OfCourtoisMatrixIsThePublishedOne) {
  const Chain chain = chain_of({
      {{0.85, 0}, {0.149, 2}, {0.0009, 3}, {0.00005, 5}, {0.00005, 7}},
      {{0.1, 0}, {0.65, 1}, {0.249, 2}, {0.0009, 4}, {0.00005, 5}, {0.00005, 7}},
      {{0.1, 0}, {0.8, 1}, {0.0996, 2}, {0.0003, 3}, {0.0001, 6}},
      {{0.0004, 1}, {0.7, 3}, {0.2995, 4}, {0.0001, 6}},
      {{0.0005, 0}, {0.0004, 2}, {0.399, 3}, {0.6, 4}, {0.0001, 5}},
      {{0.00005, 1}, {0.00005, 4}, {0.6, 5}, {0.2499, 6}, {0.15, 7}},
      {{0.00003, 0}, {0.00003, 2}, {0.00004, 3}, {0.1, 5}, {0.8, 6}, {0.0999, 7}},
      {{0.00005, 1}, {0.00005, 4}, {0.1999, 5}, {0.25, 6}, {0.55, 7}},
  });
  const std::vector<double> expected = {
      0.08928265275450187, 0.0927576375051332,  0.04048831201636394, 0.15853319081982592,
      0.11893820690417506, 0.12038548110605266, 0.2777952524492734,  0.10181926644467398};
  // Decimal probabilities are rounded by up to ε/2 each, and a relative change of δ in every entry
  // changes q by at most 2nδ relatively (O'Cinneide 1993).
  expect_law(stationary_law(chain), expected, 16.0 * epsilon);
  // The chain mixes in about 1e4 steps, by which a residual of 1e-13 is magnified at most.
  expect_law(stationary_law(chain, iterate), expected, 1e-9);
}

/// Detailed balance: q(x + 1) down(x + 1) = q(x) up(x).
TEST(StationaryLaw, OfAWalkIsInDetailedBalance) {
  constexpr StateIndex n = 300;
  const auto up = [](StateIndex x) { return 0.25 + 0.5 * ((x * 37) % 100) / 100.0; };
  std::vector<double> expected{1.0};
  for (StateIndex x = 1; x < n; ++x) {
    expected.push_back(expected.back() * up(x - 1) / (1.0 - up(x)));
  }
  const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
  for (double& q : expected) q /= sum;
  // Both are products of up to n factors, each with a few roundings.
  expect_law(stationary_law(walk(n, up)), expected, 8.0 * n * epsilon);
}

/// q(x) is proportional to (3/2)^x or (2/3)^x: over 2000 states, 352 powers of ten.
TEST(StationaryLaw, SpansTheRangeOfDoubles) {
  constexpr StateIndex n = 2000;
  for (const double up : {0.6, 0.4}) {
    const double ratio = up / (1.0 - up);
    std::vector<double> expected;
    for (StateIndex x = 0; x < n; ++x) {
      const double power = ratio > 1.0 ? double(x) - (n - 1) : double(x);
      expected.push_back(std::pow(ratio, power) *
                         std::abs(1.0 - (ratio > 1.0 ? 1.0 / ratio : ratio)));
    }
    const Chain chain = walk(n, [&](StateIndex) { return up; });
    expect_law(stationary_law(chain, {.elimination_limit = n}), expected, 8.0 * n * epsilon);
    // The iteration's error adds up along the walk: at most n² times the residual, relatively.
    expect_law(stationary_law(chain, iterate), expected, n * double(n) * iterate.tolerance);
  }
}

TEST(StationaryLaw, ExistsForPeriodicChains) {
  expect_law(stationary_law(graph_of({{1}, {2}, {0}})), {1 / 3.0, 1 / 3.0, 1 / 3.0}, 2 * epsilon);
  // lgamma near 100 log 100 is accurate to about 1e3 ε.
  expect_law(stationary_law(urn(100)), binomial(100), 1e-12);
  expect_law(stationary_law(urn(100), iterate), binomial(100), 1e-10);
}

TEST(StationaryLaw, OfOneStateIsCertain) {
  expect_law(stationary_law(graph_of({{0}})), {1.0}, 0.0);
  expect_law(stationary_law(graph_of({{0}}), iterate), {1.0}, 0.0);
}

TEST(StationaryLaw, AddsUpOutcomesWithTheSameSuccessor) {
  const Chain chain =
      chain_of({{{0.25, 1, 1.0}, {0.25, 1, 2.0}, {0.5, 0, 0.0}}, {{0.25, 0, 7.0}, {0.75, 1, 0.0}}});
  expect_law(stationary_law(chain), {1 / 3.0, 2 / 3.0}, 2.0 * epsilon);
}

TEST(StationaryLaw, IsTheSameByEliminationAndByIteration) {
  pcg64 bits(7);
  for (const StateIndex n : {2U, 5U, 50U, 399U, 400U, 401U, 1000U}) {
    const Chain chain = random_chain(n, bits);
    const StationaryLaw eliminated = stationary_law(chain);
    EXPECT_EQ(eliminated.cycles, 0);
    const StationaryLaw iterated = stationary_law(chain, iterate);
    EXPECT_GT(iterated.cycles, 0);
    // These chains mix within 100 steps.
    expect_law(iterated, eliminated.probability, 100.0 * iterate.tolerance);
  }
}

TEST(StationaryLaw, IsFoundByIterationAboveTheLimitOnly) {
  const Chain chain = graph_of({{1}, {2}, {0}});
  EXPECT_EQ(stationary_law(chain, {.elimination_limit = 3}).cycles, 0);
  EXPECT_GT(stationary_law(chain, {.elimination_limit = 2}).cycles, 0);
}

TEST(StationaryLaw, ReportsWhenItHasNotConverged) {
  pcg64 bits(8);
  const Chain chain = random_chain(1000, bits);
  const StationaryLaw law = stationary_law(chain, {.elimination_limit = 0, .max_cycles = 1});
  EXPECT_FALSE(law.converged);
  EXPECT_EQ(law.cycles, 1);
  double residual = 0.0;
  std::vector<double> moved(1000, 0.0);
  for (StateIndex x = 0; x < 1000; ++x) {
    const Outcomes::Row row = chain.law(x);
    for (std::size_t i = 0; i < row.next.size(); ++i) {
      moved[row.next[i]] += law.probability[x] * row.probability[i];
    }
  }
  for (StateIndex x = 0; x < 1000; ++x) {
    residual = std::max(residual, std::abs(moved[x] - law.probability[x]) / law.probability[x]);
  }
  EXPECT_NEAR(law.residual, residual, 1e-12);
  EXPECT_GT(law.residual, 1e-13);
}

TEST(StationaryLaw, RejectsReducibleChainsAndNamesTheStates) {
  EXPECT_THAT(
      [] {
        static_cast<void>(stationary_law(graph_of({{1}, {1}}), {}, 1));
      },
      ThrowsMessage<InvalidInput>(HasSubstr("state 2 cannot reach state 1")));
  EXPECT_THAT(
      [] {
        static_cast<void>(stationary_law(graph_of({{0, 1}, {0, 2}, {}})));
      },
      ThrowsMessage<InvalidInput>(HasSubstr("state 2 is terminal")));
}

}  // namespace
}  // namespace shortfall
