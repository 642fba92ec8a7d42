// TD with its default steps: it finds the values of Newton on chains and features of any scale, or
// says that it has not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <pcg_random.hpp>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::learn::scaled_steps {
namespace {

enum class Walk { mixing, slow };

/// A path of a chain, with features of its states.
struct World {
  std::size_t dimension;
  std::vector<std::vector<double>> phi;
  std::vector<std::size_t> path;
  std::vector<double> cost;
  std::vector<double> base;  // of a state

  std::span<const double> now(std::size_t n) const { return phi[path[n]]; }
  std::span<const double> next(std::size_t n) const { return phi[path[n + 1]]; }
};

/// Mixing: the next state is drawn evenly. Slow: it is a neighbour.
World world_of(Walk walk, std::size_t states, double scale, std::size_t rows) {
  pcg64 bits(states);
  World world{.dimension = states,
              .phi = std::vector(states, std::vector<double>(states)),
              .path = {0},
              .cost = {},
              .base = std::vector<double>(states)};
  for (std::size_t x = 0; x < states; ++x) {
    world.phi[x][x] = scale;
    world.base[x] = 1.0 + 4.0 * draw_uniform(bits);
  }
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t x = world.path.back();
    const bool up = draw_uniform(bits) < 0.5;
    const std::size_t neighbour = up ? std::min(x + 1, states - 1) : x - (x > 0 ? 1 : 0);
    const auto drawn = draw_index(bits, static_cast<std::uint32_t>(states));
    world.path.push_back(walk == Walk::mixing ? drawn : neighbour);
    world.cost.push_back(world.base[x] + draw_index(bits, 3u));
  }
  return world;
}

template <class A>
A learned(A learner, const World& world, std::size_t rows) {
  for (std::size_t n = 0; n < rows; ++n) {
    (void)learner.update(world.now(n), world.cost[n], world.next(n));
  }
  return learner;
}

/// The largest difference of values, as a share of the largest value.
template <class A, class B>
double distance(const A& learner, const B& reference, const World& world) {
  double difference = 0.0;
  double largest = 0.0;
  for (const std::vector<double>& phi : world.phi) {
    difference = std::max(difference, std::abs(learner.value(phi) - reference.value(phi)));
    largest = std::max(largest, std::abs(reference.value(phi)));
  }
  return difference / largest;
}

TEST(ScaledSteps, FindTheValuesOfNewtonForFeaturesOfAnyScale) {
  constexpr std::size_t rows = 100000;
  for (const std::size_t states : {3u, 10u, 30u}) {
    for (const double scale : {0.01, 1.0, 100.0}) {
      SCOPED_TRACE(::testing::Message() << states << " states, scale " << scale);
      const World world = world_of(Walk::mixing, states, scale, rows);
      const Td td = learned(Td(states, Expectile(0.9), 0.9), world, rows);
      const Newton newton = learned(Newton(states, Expectile(0.9), 0.9), world, rows);
      EXPECT_LT(distance(td, newton, world), 0.02);
      EXPECT_EQ(td.status(), LearnerStatus::ok) << td.movement().value_or(-1.0);
    }
  }
}

/// The exact values of the chain of `world_of`, whose costs are those of a state plus 0, 1 or 2.
std::vector<double> exact_values(Walk walk, const World& world, const AnyLoss& loss, double gamma) {
  const std::size_t states = world.dimension;
  std::vector<std::vector<testing::Move>> rows(states);
  for (std::size_t x = 0; x < states; ++x) {
    for (std::size_t drawn = 0; drawn < (walk == Walk::mixing ? states : 2); ++drawn) {
      const std::size_t neighbour = drawn == 0 ? std::min(x + 1, states - 1) : x - (x > 0 ? 1 : 0);
      const std::size_t y = walk == Walk::mixing ? drawn : neighbour;
      const double p = 1.0 / (3.0 * (walk == Walk::mixing ? static_cast<double>(states) : 2.0));
      for (const double extra : {0.0, 1.0, 2.0}) {
        rows[x].push_back({p, static_cast<StateIndex>(y), world.base[x] + extra});
      }
    }
  }
  return evaluate_by_newton(testing::chain_of(rows), {loss, gamma}, {.tolerance = 1e-9}).values;
}

/// After 200 000 rows, values are within 2 % of the largest, or the status says that they may not
/// be. It does on long walks, and does not on chains that mix.
TEST(ScaledSteps, AreWithinTwoPercentOnTwentyChainsOrSayThatTheyMayNotBe) {
  constexpr std::size_t rows = 200000;
  const std::vector<std::pair<double, double>> settings{
      {0.5, 0.5}, {0.9, 0.9}, {0.9, 0.5}, {0.5, 0.9}};
  const std::vector<double> scales{0.01, 0.1, 1.0, 10.0, 100.0};
  std::size_t chain = 0;
  for (const Walk walk : {Walk::mixing, Walk::slow}) {
    for (const std::size_t states : {3u, 10u, 50u, 100u, 200u}) {
      for (int second = 0; second < 2; ++second, ++chain) {
        const auto [tau, gamma] = settings[(chain + chain / 4) % settings.size()];
        const double scale = scales[(chain + chain / 5) % scales.size()];
        SCOPED_TRACE(::testing::Message()
                     << (walk == Walk::slow ? "walk along " : "") << states << " states, scale "
                     << scale << ", tau " << tau << ", gamma " << gamma);
        const World world = world_of(walk, states, scale, rows);
        const Td td = learned(Td(states, Expectile(tau), gamma), world, rows);
        const std::vector<double> exact = exact_values(walk, world, Expectile(tau), gamma);
        double difference = 0.0;
        for (std::size_t x = 0; x < states; ++x) {
          difference = std::max(difference, std::abs(td.value(world.phi[x]) - exact[x]));
        }
        const double error = difference / std::ranges::max(exact);
        const bool is_settled = td.status() == LearnerStatus::ok;
        EXPECT_TRUE(td.movement());
        if (is_settled) {
          EXPECT_LE(error, 0.02) << *td.movement();
        }
        if (walk == Walk::mixing && states <= 100) {
          EXPECT_TRUE(is_settled) << *td.movement() << " " << error;
        }
        if (walk == Walk::slow && states >= 100) {
          EXPECT_FALSE(is_settled) << error;
        }
      }
    }
  }
  EXPECT_EQ(chain, 20u);
}

TEST(ScaledSteps, AreTheSameForFeaturesTimesAPowerOfTwo) {
  const World small = world_of(Walk::mixing, 5, 1.0 / 64.0, 3000);
  const World large = world_of(Walk::mixing, 5, 64.0, 3000);
  const Td one = learned(Td(5, Expectile(0.8), 0.8), small, 3000);
  const Td other = learned(Td(5, Expectile(0.8), 0.8), large, 3000);
  for (std::size_t x = 0; x < 5; ++x) {
    EXPECT_EQ(one.value(small.phi[x]), other.value(large.phi[x]));
  }
}

/// 100 states, each of which is seen ten times in 1 000 rows, and a walk along 200.
TEST(ScaledSteps, SayThatTooShortARunAndASlowWalkHaveNotSettled) {
  for (const auto& [walk, states, rows] :
       {std::tuple(Walk::mixing, 100u, 1000u), std::tuple(Walk::slow, 200u, 20000u)}) {
    const World world = world_of(walk, states, 1.0, rows);
    const Td td = learned(Td(states, Expectile(0.9), 0.9), world, rows);
    EXPECT_EQ(td.status(), LearnerStatus::not_settled) << td.movement().value_or(-1.0);
    if (td.movement()) {
      EXPECT_GT(*td.movement(), IterateMeans::settled_movement);
    }
  }
}

TEST(ScaledSteps, CannotTellFromFewerThan256Updates) {
  const World world = world_of(Walk::mixing, 1, 1.0, 256);
  const Td before = learned(Td(1, Mean(), 0.0), world, 255);
  EXPECT_EQ(before.status(), LearnerStatus::not_settled);
  EXPECT_FALSE(before.movement());
  EXPECT_TRUE(learned(Td(1, Mean(), 0.0), world, 256).movement());
}

/// One row with features a million times as long makes all later steps tiny.
TEST(ScaledSteps, SayThatAnOutlierAmongFeaturesKeepsThemFromLearning) {
  const World world = world_of(Walk::mixing, 3, 1.0, 20000);
  Td td(3, Mean(), 0.5);
  (void)td.update(std::vector<double>{1e6, 0.0, 0.0}, 0.0, std::vector<double>{0.0, 1.0, 0.0});
  td = learned(td, world, 20000);
  EXPECT_EQ(td.status(), LearnerStatus::not_settled);
}

/// Hand calculation with φ = 1, γ = 0 and the mean: R = L = 1 and η_n = (1 + n/1000)^-0.51, so that
/// the first iterate is the first cost. Batches have length 1 at first: after two updates the mean
/// of the last half is the second iterate, after four that of the third and the fourth.
TEST(ScaledSteps, ReportTheMeanOfTheLastHalfOfTheIterates) {
  const std::vector<double> one{1.0};
  Td td(1, Mean(), 0.0);
  double theta = 0.0;
  std::vector<double> iterates;
  for (int n = 0; n < 4; ++n) {
    const double cost = n + 1.0;
    theta += std::pow(1.0 + n / 1000.0, -0.51) * (cost - theta);
    iterates.push_back(theta);
    (void)td.update(one, cost, one);
    if (n == 0) {
      EXPECT_NEAR(td.theta()[0], 1.0, 1e-14);
    }
    if (n == 1) {
      EXPECT_NEAR(td.theta()[0], iterates[1], 1e-14);
    }
  }
  EXPECT_NEAR(td.theta()[0], 0.5 * (iterates[2] + iterates[3]), 1e-13);
  EXPECT_NEAR(td.padded_theta()[0], iterates[3], 1e-13);
}

/// Second method: all iterates are kept, in a plain loop. After 200 updates batches have length 8
/// and the later half of 25 are those from the 13th on: iterates 97 to 200.
TEST(ScaledSteps, MeansAreThoseOfAPlainLoop) {
  constexpr std::size_t rows = 200;
  const World world = world_of(Walk::mixing, 4, 3.0, rows);
  Td td(4, Expectile(0.7), 0.6);
  std::vector<double> sum(4);
  for (std::size_t n = 0; n < rows; ++n) {
    (void)td.update(world.now(n), world.cost[n], world.next(n));
    for (std::size_t i = 0; i < 4 && n >= 96; ++i) sum[i] += td.padded_theta()[i];
  }
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(td.theta()[i], sum[i] / 104.0, 1e-12);
}

/// ℓ(x) = e^x - 1 has no largest slope: that of the residuals so far takes its place.
TEST(ScaledSteps, SuitLossesWithoutSlopeBounds) {
  constexpr std::size_t rows = 100000;
  const World world = world_of(Walk::mixing, 3, 1.0, rows);
  const Td td = learned(Td(3, Entropic(0.5), 0.5), world, rows);
  const Newton newton = learned(Newton(3, Entropic(0.5), 0.5), world, rows);
  EXPECT_TRUE(td.status() == LearnerStatus::not_settled || distance(td, newton, world) < 0.02);
  EXPECT_LT(distance(td, newton, world), 0.05);
}

TEST(ScaledSteps, OfHardAggregationAndOfTracesWithLambdaZeroAreThoseOfTd) {
  const World world = world_of(Walk::mixing, 6, 1.0, 5000);
  const Td td = learned(Td(6, Expectile(0.9), 0.9), world, 5000);
  const AveragerTd averager = learned(AveragerTd(6, Expectile(0.9), 0.9), world, 5000);
  const TdLambda traces = learned(TdLambda(6, Expectile(0.9), 0.9, 0.0), world, 5000);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(td.theta()[i], averager.theta()[i], 1e-12);
    EXPECT_EQ(td.theta()[i], traces.theta()[i]);
  }
}

TEST(ScaledSteps, OfTracesFindTheValuesToo) {
  constexpr std::size_t rows = 100000;
  const World world = world_of(Walk::mixing, 10, 10.0, rows);
  const TdLambda td = learned(TdLambda(10, Expectile(0.7), 0.8, 0.7), world, rows);
  const Newton newton = learned(Newton(10, Expectile(0.7), 0.8), world, rows);
  EXPECT_LT(distance(td, newton, world), 0.02);
}

TEST(ALearnerThatDiverged, HasNoValues) {
  const std::vector<double> phi{1.0};
  LearnerOptions options{.loss = Mean(), .gamma = 0.9, .step = ConstantStep(1e6)};
  AnyLearner td(1, options);
  for (int n = 0; n < 100; ++n) (void)td.update(phi, 1.0, phi);
  ASSERT_EQ(td.status(), LearnerStatus::diverged);
  EXPECT_THROW((void)td.value(phi), InvalidInput);
  EXPECT_THROW((void)td.value(SparseFeatures{}), InvalidInput);
  EXPECT_TRUE(std::isfinite(td.theta()[0]));
}

}  // namespace
}  // namespace shortfall::learn::scaled_steps
