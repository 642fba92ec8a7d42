// The fixed point of K, its certificate and its distance from the value.
#include "shortfall/theory/averager_fixed_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/theory/averager_bound.hpp"
#include "tests/theory/averager_instances.hpp"

namespace shortfall::theory::averager_points {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using shortfall::testing::ErgodicChain;
using shortfall::testing::ExtendedLoss;
using shortfall::testing::one_of;
using shortfall::testing::random_aggregation;
using shortfall::testing::random_averager;
using shortfall::testing::random_vector;
using shortfall::testing::Sums;
using shortfall::testing::uniform;

using Extended = long double;
using ExtendedVector = std::vector<Extended>;

/// K once more: laws by their definition, roots by bisection, all in extended precision.
ExtendedVector bisected(const AveragerOperator& k, const ExtendedLoss& loss,
                        const ExtendedVector& theta) {
  ExtendedVector image;
  for (Index i = 0; i < k.dimension(); ++i) {
    ExtendedVector atoms, weights;
    for (std::size_t x = 0; x < k.chain().states(); ++x) {
      const Outcomes::Row row = k.chain().law(x);
      const Extended share = Extended(k.q()[x]) * k.phi()(static_cast<Index>(x), i);
      for (std::size_t o = 0; o < row.next.size() && share > 0; ++o) {
        Extended value = 0;
        for (Index j = 0; j < k.dimension(); ++j) {
          value += Extended(k.phi()(row.next[o], j)) * theta[static_cast<std::size_t>(j)];
        }
        atoms.push_back(row.cost[o] + k.gamma() * value);
        weights.push_back(share * row.probability[o]);
      }
    }
    Extended low = *std::ranges::min_element(atoms);
    Extended high = *std::ranges::max_element(atoms);
    for (int halving = 0; halving < 80; ++halving) {
      const Extended m = (low + high) / 2;
      Extended sum = 0;
      for (std::size_t a = 0; a < atoms.size(); ++a) {
        sum += weights[a] * loss(atoms[a] - m);
      }
      (sum > 0 ? low : high) = m;
    }
    image.push_back((low + high) / 2);
  }
  return image;
}

ExtendedVector extended(const VectorXd& theta) {
  return {theta.begin(), theta.end()};
}

Extended distance(const ExtendedVector& a, const ExtendedVector& b) {
  Extended largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

class AveragerPointOfEveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
  ExtendedLoss twin{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Averager, AveragerPointOfEveryLoss,
                         ::testing::ValuesIn(shortfall::testing::loss_specs()));

TEST_P(AveragerPointOfEveryLoss, IsWhereSweepsByBisectionEnd) {
  pcg64 generator(11);
  for (int i = 0; i < 6; ++i) {
    const ErgodicChain c(generator);
    const double gamma = uniform(generator, 0.0, 0.9);
    const Index cells = 1 + static_cast<Index>(one_of(generator, 3));
    const AveragerOperator k(
        c.chain, loss, gamma,
        random_averager(generator, c.states(), cells, i % 2 == 0 ? Sums::one : Sums::at_most_one),
        c.q);
    const AveragerFixedPoint found = averager_fixed_point(k);
    ASSERT_EQ(found.status, FixedPointStatus::converged);
    ExtendedVector exact = extended(random_vector(generator, cells, 50.0));
    Extended change = 1;
    while (change > 1e-14L) {
      const ExtendedVector next = bisected(k, twin, exact);
      change = distance(next, exact);
      exact = next;
    }
    EXPECT_LE(distance(extended(found.theta), exact), found.error_bound + 1e-12L);
  }
}

TEST_P(AveragerPointOfEveryLoss, HasACertificateThatBisectionCannotRefuteCloseToOne) {
  pcg64 generator(12);
  for (const double gamma : {0.99, 0.999, 0.9999}) {
    for (int i = 0; i < 10; ++i) {
      const ErgodicChain c(generator);
      const AveragerOperator k(c.chain, loss, gamma, random_averager(generator, c.states(), 3),
                               c.q);
      const AveragerFixedPoint found =
          averager_fixed_point(k, {.tolerance = 1e-13, .max_iterations = 300});
      ASSERT_TRUE(found.status == FixedPointStatus::precision_limit ||
                  found.status == FixedPointStatus::converged)
          << to_string(found.status) << " after " << found.iterations;
      EXPECT_LT(found.error_bound, 1e-4);
      // From θ within e of θ*, K leads at most (1 + γ) e away; and each coordinate of θ* lies
      // between the ends that the residuals in extended precision allow.
      const ExtendedVector theta = extended(found.theta);
      const Extended moved = distance(bisected(k, twin, theta), theta);
      EXPECT_LE(moved, (1.0L + gamma) * found.error_bound + 1e-13L) << GetParam();
    }
  }
}

TEST_P(AveragerPointOfEveryLoss, IsTheSameFromEveryStartAndHasAValidBoundWheneverItStops) {
  pcg64 generator(13);
  for (int i = 0; i < 15; ++i) {
    const ErgodicChain c(generator);
    const double gamma = i % 3 == 0 ? 0.999 : 0.9;
    const AveragerOperator k(c.chain, loss, gamma, random_averager(generator, c.states(), 3), c.q);
    const AveragerFixedPoint first = averager_fixed_point(k, {.tolerance = 1e-6});
    ASSERT_EQ(first.status, FixedPointStatus::converged) << first.error_bound;
    for (const int limit : {0, 1, 3, 300}) {
      const AveragerFixedPoint other = averager_fixed_point(
          k,
          {.tolerance = 1e-6, .max_iterations = limit, .start = random_vector(generator, 3, 1e3)});
      EXPECT_LE((other.theta - first.theta).cwiseAbs().maxCoeff(),
                first.error_bound + other.error_bound);
      if (limit == 300) {
        EXPECT_EQ(other.status, FixedPointStatus::converged);
      }
    }
  }
}

VectorXd value_of(const Chain& chain, const AnyLoss& loss, double gamma, double tolerance) {
  const Solution solution =
      evaluate_by_newton(chain, {loss, gamma}, {.tolerance = tolerance}, {.threads = 1});
  EXPECT_EQ(solution.status, Status::converged);
  return Eigen::Map<const VectorXd>(solution.values.data(),
                                    static_cast<Index>(solution.values.size()));
}

TEST_P(AveragerPointOfEveryLoss, IsTheValueWithOneCellPerState) {
  pcg64 generator(14);
  for (int i = 0; i < 20; ++i) {
    const ErgodicChain c(generator);
    const double gamma = i % 2 == 0 ? 0.999 : 0.8;
    const AveragerOperator k(c.chain, loss, gamma, MatrixXd::Identity(c.states(), c.states()), c.q);
    const AveragerFixedPoint found = averager_fixed_point(k, {.tolerance = 1e-6});
    ASSERT_EQ(found.status, FixedPointStatus::converged);
    const VectorXd value = value_of(c.chain, loss, gamma, 1e-6);
    EXPECT_LE((found.theta - value).cwiseAbs().maxCoeff(), found.error_bound + 1e-6);
    EXPECT_LE(averager_bound(k, value).bound, 1e-9);
  }
}

TEST_P(AveragerPointOfEveryLoss, IsAsCloseToTheValueAsTheBoundsSay) {
  pcg64 generator(15);
  for (int i = 0; i < 40; ++i) {
    const ErgodicChain c(generator);
    const double gamma = i % 2 == 0 ? uniform(generator, 0.9, 0.999) : uniform(generator, 0.0, 0.9);
    const Sums sums = i % 4 < 2 ? Sums::one : Sums::at_most_one;
    const MatrixXd phi = i % 3 == 0 ? random_aggregation(generator, c.states(), 2)
                                    : random_averager(generator, c.states(), 3, sums);
    const AveragerOperator k(c.chain, loss, gamma, phi, c.q);
    const AveragerFixedPoint found = averager_fixed_point(k, {.tolerance = 1e-6});
    ASSERT_EQ(found.status, FixedPointStatus::converged);
    const VectorXd value = value_of(c.chain, loss, gamma, 1e-8);
    const AveragerBound bound = averager_bound(k, value);
    const double error = averager_error(k, found.theta, value);
    const double slack = found.error_bound + (2.0 / (1.0 - gamma) + 2.0) * 1e-8;
    EXPECT_LE(error, bound.bound + slack);
    EXPECT_LE(bound.bound, bound.oscillation_bound * (1.0 + 1e-12) + 1e-12);
    if (sums == Sums::one) {
      EXPECT_NEAR(bound.oscillation_bound, bound.oscillation / (1.0 - gamma),
                  1e-9 * bound.oscillation_bound + 1e-9);
    }
  }
}

TEST(AveragerPoint, IsKnownForOneCell) {
  // ρ of costs 0 and 1 under the expectile of level 3/4 is 3/4: τ (1 - m) = (1 - τ) m.
  const Chain chain = shortfall::testing::chain_of({{{0.5, 0, 0.0}, {0.5, 0, 1.0}}});
  const AveragerOperator k(chain, Expectile(0.75), 0.9, MatrixXd::Ones(1, 1), std::vector{1.0});
  const AveragerFixedPoint found = averager_fixed_point(k);
  EXPECT_EQ(found.status, FixedPointStatus::converged);
  EXPECT_NEAR(found.theta[0], 7.5, found.error_bound);
  EXPECT_LE(found.error_bound, 1e-9);
}

TEST(AveragerPoint, KeepsTheStartInCellsWithoutVisits) {
  const Chain chain = shortfall::testing::chain_of({{{1.0, 1, 2.0}}, {{1.0, 0, 5.0}}});
  const AveragerOperator k(chain, Mean(), 0.5, MatrixXd::Identity(2, 2), std::vector{1.0, 0.0});
  const AveragerFixedPoint found = averager_fixed_point(k, {.start = Eigen::Vector2d(-3.0, 7.0)});
  EXPECT_NEAR(found.theta[0], 5.5, found.error_bound);
  EXPECT_EQ(found.theta[1], 7.0);
  EXPECT_EQ(averager_bound(k, Eigen::Vector2d(0.0, 0.0)).bound,
            std::numeric_limits<double>::infinity());
}

TEST(AveragerPoint, IsZeroOnTheCounterexampleFromEveryStart) {
  for (const double p : {0.85, 0.9, 0.95, 0.99}) {
    for (const auto root : {library::DeltaRoot::smaller, library::DeltaRoot::larger}) {
      const library::Counterexample example = library::counterexample(p, root);
      const Chain chain = under_policy(example.model, {0, 0});
      const MatrixXd phi = example.features / example.features.maxCoeff();
      const AveragerOperator k(chain, example.loss, example.gamma, phi, std::vector{0.5, 0.5});
      for (const double start : {-1e6, -1.0, 0.1, 1.0, 1e6}) {
        const AveragerFixedPoint found =
            averager_fixed_point(k, {.start = VectorXd::Constant(1, start)});
        EXPECT_EQ(found.status, FixedPointStatus::converged);
        EXPECT_NEAR(found.theta[0], 0.0, 1e-9);
      }
    }
  }
}

TEST(AveragerPoint, AttainsItsBoundWhereAnErrorFeedsItself) {
  // Two states in one cell; 0 returns to itself at cost 1, 1 moves to 0 at cost 0. V = (1,
  // γ)/(1-γ). Sampled in state 1 only, θ* = γ θ* = 0: as far from V(0) as (1) says, γ osc/(1-γ) +
  // osc.
  const Chain chain = shortfall::testing::chain_of({{{1.0, 0, 1.0}}, {{1.0, 0, 0.0}}});
  for (const double gamma : {0.5, 0.9, 0.99}) {
    const Eigen::Vector2d value(1.0 / (1.0 - gamma), gamma / (1.0 - gamma));
    const AveragerOperator k(chain, Expectile(0.9), gamma, MatrixXd::Ones(2, 1),
                             std::vector{0.0, 1.0});
    const AveragerFixedPoint found = averager_fixed_point(k);
    EXPECT_NEAR(found.theta[0], 0.0, 1e-9);
    EXPECT_NEAR(averager_bound(k, value).oscillation, 1.0, 1e-12 / (1.0 - gamma));
    EXPECT_NEAR(averager_error(k, found.theta, value), averager_bound(k, value).bound,
                1e-9 / (1.0 - gamma));
  }
}

TEST(AveragerPoint, RejectsInvalidOptions) {
  const Chain chain = shortfall::testing::chain_of({{{1.0, 0, 1.0}}});
  const AveragerOperator k(chain, Mean(), 0.5, MatrixXd::Ones(1, 1), std::vector{1.0});
  EXPECT_THROW((void)averager_fixed_point(k, {.tolerance = 0.0}), InvalidInput);
  EXPECT_THROW((void)averager_fixed_point(k, {.start = VectorXd::Zero(2)}), InvalidInput);
  EXPECT_THROW((void)averager_fixed_point(
                   k, {.start = VectorXd::Constant(1, std::numeric_limits<double>::infinity())}),
               InvalidInput);
  EXPECT_THROW((void)averager_bound(k, VectorXd::Zero(2)), InvalidInput);
}

}  // namespace
}  // namespace shortfall::theory::averager_points
