#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/learn/trajectory.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::learn {
namespace {

/// Four states, of which the last is never left.
Chain trap() {
  return testing::graph_of({{0, 1}, {0, 2}, {1, 3}, {3}});
}

struct Counts {
  std::vector<double> visits;  ///< frequency of each state
  double restarts = 0.0;       ///< fraction of the steps that did not end
  int ends = 0;
};

template <class StartRule>
Counts follow(const Chain& chain, const StartRule& start, double restart, int steps) {
  const ChainSampler sampler(chain);
  pcg64 bits(17);
  Trajectory path(sampler, start, bits, restart);
  Counts counts{std::vector<double>(chain.states(), 0.0)};
  int restarts = 0;
  for (int n = 0; n < steps; ++n) {
    counts.visits[path.state()] += 1.0 / steps;
    const auto transition = path.step(bits);
    EXPECT_EQ(transition.ends, chain.is_terminal(transition.next));
    if (transition.ends) {
      EXPECT_TRUE(transition.restarts);
      ++counts.ends;
    } else if (transition.restarts) {
      ++restarts;
    } else {
      EXPECT_EQ(path.state(), transition.next);
    }
  }
  counts.restarts = static_cast<double>(restarts) / (steps - counts.ends);
  return counts;
}

/// ξ = p ν + (1 - p) ξ P, iterated: the error falls by 1 - p each time.
std::vector<double> restarted_law(const Chain& chain, const std::vector<double>& nu, double p) {
  std::vector<double> xi = nu;
  for (int k = 0; k < 2000; ++k) {
    std::vector<double> next(nu.size(), 0.0);
    for (std::size_t x = 0; x < nu.size(); ++x) {
      const Outcomes::Row row = chain.law(x);
      next[x] += p * nu[x];
      for (std::size_t i = 0; i < row.next.size(); ++i) {
        next[row.next[i]] += (1.0 - p) * xi[x] * row.probability[i];
      }
    }
    xi = next;
  }
  return xi;
}

TEST(Restarts, HappenAfterEachStepWithTheirProbability) {
  constexpr int steps = 40'000;
  for (const double p : {0.02, 0.3, 0.9}) {
    const Counts counts = follow(trap(), StartAt{StateIndex{0}}, p, steps);
    EXPECT_NEAR(counts.restarts, p, 4.0 * std::sqrt(p * (1.0 - p) / steps)) << p;
    EXPECT_EQ(counts.ends, 0);
  }
}

TEST(Restarts, DoNotHappenWithoutAProbability) {
  const Counts counts = follow(trap(), StartAt{StateIndex{0}}, 0.0, 5000);
  EXPECT_EQ(counts.restarts, 0.0);
  EXPECT_GT(counts.visits[3], 0.9);  // trapped, after 12 steps on average
}

TEST(Restarts, OfProbabilityZeroTakeNoDraws) {
  const ChainSampler sampler(trap());
  pcg64 with(3);
  pcg64 without(3);
  Trajectory one(sampler, StartAt{StateIndex{0}}, with, 0.0);
  Trajectory other(sampler, StartAt{StateIndex{0}}, without);
  for (int n = 0; n < 50; ++n) EXPECT_EQ(one.step(with).next, other.step(without).next);
  EXPECT_EQ(with(), without());
}

/// One of three equally likely moves of state 0 ends; one of two from state 1.
TEST(Restarts, HappenAtEachEndForAnyProbability) {
  const Chain chain = testing::graph_of({{0, 1, 2}, {0, 2}, {}});
  constexpr int steps = 20'000;
  for (const double p : {0.0, 0.2}) {
    const Counts counts = follow(chain, StartAt{StateIndex{0}}, p, steps);
    const int others = steps - counts.ends;
    EXPECT_NEAR(counts.restarts, p, 4.0 * std::sqrt(p * (1.0 - p) / others)) << p;
    EXPECT_GT(counts.ends, steps / 4);
    EXPECT_LT(counts.ends, steps / 2);
    EXPECT_EQ(counts.visits[2], 0.0);
  }
}

/// A frequency over N steps has variance at most ξ(1 - ξ)/N · (1 + s)/(1 - s) with s = √(1 - p), by
/// which the restarted kernel contracts functions of mean 0 in the norm of ξ: it is 1 - p times
/// that of the chain, of norm 1/√(1 - p). That the path does not start from ξ contributes 1/(pN).
TEST(Restarts, GiveThePathItsStationaryLaw) {
  constexpr int steps = 400'000;
  const std::vector<double> nu{0.5, 0.0, 0.25, 0.25};
  for (const double p : {0.1, 0.4}) {
    const std::vector<double> xi = restarted_law(trap(), nu, p);
    const Counts counts = follow(trap(), StartLaw(nu), p, steps);
    const double s = std::sqrt(1.0 - p);
    for (std::size_t x = 0; x < 4; ++x) {
      const double variance = xi[x] * (1.0 - xi[x]) / steps * (1.0 + s) / (1.0 - s);
      EXPECT_NEAR(counts.visits[x], xi[x], 4.0 * std::sqrt(variance) + 1.0 / (p * steps))
          << "p = " << p << ", state " << x;
      EXPECT_GT(xi[x], 10.0 * std::sqrt(variance));  // which a law without this state would fail
    }
  }
}

}  // namespace
}  // namespace shortfall::learn
