// K: contraction, monotone, the drift's signs, the Newton matrix, cells without visits, bad input.
#include "shortfall/theory/averager.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "shortfall/errors/error.hpp"
#include "shortfall/theory/averager_steps.hpp"
#include "shortfall/theory/mean_field.hpp"
#include "tests/theory/averager_instances.hpp"

namespace shortfall::theory::averagers {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using shortfall::testing::ErgodicChain;
using shortfall::testing::one_of;
using shortfall::testing::random_aggregation;
using shortfall::testing::random_averager;
using shortfall::testing::random_vector;
using shortfall::testing::Sums;
using shortfall::testing::uniform;
using ::testing::HasSubstr;
using ::testing::Not;

double sup(const VectorXd& v) {
  return v.cwiseAbs().maxCoeff();
}

class OperatorOfEveryLoss : public ::testing::TestWithParam<std::string> {
 protected:
  AnyLoss loss = AnyLoss::parse(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Averager, OperatorOfEveryLoss,
                         ::testing::ValuesIn(shortfall::testing::loss_specs()));

TEST_P(OperatorOfEveryLoss, IsAContractionInTheSupNormForEveryDiscountAndSamplingLaw) {
  pcg64 generator(1);
  for (int i = 0; i < 60; ++i) {
    const ErgodicChain c(generator);
    std::vector<double> q(c.chain.states());
    double sum = 0.0;
    for (double& mass : q) sum += mass = uniform(generator, 0.0, 1.0);
    for (double& mass : q) mass /= sum;  // not stationary
    const double gamma = i % 2 == 0 ? 0.999 : uniform(generator, 0.0, 1.0);
    const AveragerOperator k(c.chain, loss, gamma,
                             random_averager(generator, c.states(), 3, Sums::at_most_one), q);
    EXPECT_LE(k.modulus(), gamma * (1.0 + 1e-14));
    const VectorXd first = random_vector(generator, 3, 20.0);
    const VectorXd second = random_vector(generator, 3, 20.0);
    const auto [one, one_off] = k.apply(first);
    const auto [two, two_off] = k.apply(second);
    EXPECT_LE(sup(one - two), k.modulus() * sup(first - second) + one_off + two_off);
    const auto [above, above_off] = k.apply(first + (second - first).cwiseMax(0.0));
    EXPECT_GE((above - one).minCoeff(), -one_off - above_off);
  }
}

TEST_P(OperatorOfEveryLoss, HasAMeanUpdateThatPointsToItsImage) {
  pcg64 generator(2);
  for (int i = 0; i < 60; ++i) {
    const ErgodicChain c(generator);
    const AveragerOperator k(c.chain, loss, 0.95, random_averager(generator, c.states(), 3), c.q);
    const VectorXd theta = random_vector(generator, 3, 20.0);
    const auto [image, off] = k.apply(theta);
    const VectorXd drift = k.drift(theta);
    for (Index j = 0; j < 3; ++j) {
      if (std::abs(image[j] - theta[j]) <= 2.0 * off) continue;
      EXPECT_EQ(image[j] > theta[j], drift[j] > 0.0);
    }
  }
}

TEST_P(OperatorOfEveryLoss, HasARowDominantMatrixOfNewtonThatIsItsDerivative) {
  pcg64 generator(3);
  for (int i = 0; i < 30; ++i) {
    const ErgodicChain c(generator);
    const double gamma = 0.97;
    const AveragerOperator k(c.chain, loss, gamma,
                             random_averager(generator, c.states(), 3, Sums::at_most_one), c.q);
    const VectorXd theta = random_vector(generator, 3, 5.0);
    const VectorXd image = k.apply(theta).value;
    const MatrixXd matrix = k.newton_matrix(theta, image);
    const MatrixXd inverse = matrix.inverse();
    for (Index row = 0; row < 3; ++row) {
      for (Index column = 0; column < 3; ++column) {
        if (row != column) {
          EXPECT_LE(matrix(row, column), 0.0);
        }
        EXPECT_GE(inverse(row, column), -1e-12);
      }
      EXPECT_GE(matrix.row(row).sum(), 1.0 - gamma - 1e-14);
      EXPECT_LE(inverse.row(row).sum(), 1.0 / (1.0 - gamma) + 1e-10);
    }
    // The chord of K between two close points; where a kink is met in between, slopes on both sides
    // differ, so that the two one-sided chords enclose the derivative in no particular order.
    const VectorXd direction = random_vector(generator, 3, 1.0);
    constexpr double h = 1e-6;
    const VectorXd up = (k.apply(theta + h * direction).value - image) / h;
    const VectorXd down = (image - k.apply(theta - h * direction).value) / h;
    const VectorXd slope = direction - matrix * direction;
    // Second derivatives of ρ are at most those of ℓ over its slopes, here below 10 for targets
    // that differ by h; rounding is below 1e-13 / h.
    for (Index j = 0; j < 3; ++j) {
      const double slack = 1e-4 + std::abs(up[j] - down[j]);
      EXPECT_NEAR(slope[j], up[j], slack) << GetParam();
    }
  }
}

TEST_P(OperatorOfEveryLoss, HasTheDriftOfTdOnHardAggregation) {
  pcg64 generator(4);
  for (int i = 0; i < 40; ++i) {
    const ErgodicChain c(generator);
    const Index cells = 1 + static_cast<Index>(one_of(generator, 2));
    const MatrixXd phi = random_aggregation(generator, c.states(), cells);
    ASSERT_TRUE(is_hard_aggregation(c.chain, phi));
    const AveragerOperator k(c.chain, loss, 0.9, phi, c.q);
    const MeanField field(c.chain, loss, 0.9, phi, c.q);
    const VectorXd theta = random_vector(generator, cells, 2.0);
    const VectorXd drift = k.drift(theta);
    // Two orders of the same sums: terms of size up to the largest |ℓ| of an error of at most 14.
    const double largest = std::max(loss.at(14.0).value, -loss.at(-14.0).value);
    EXPECT_LE(sup(drift - field.drift(theta)), 1e-14 * largest);
  }
}

TEST_P(OperatorOfEveryLoss, KeepsIteratesInTheBoxWhateverTheSamplesIfStepsAreSmallEnough) {
  pcg64 generator(5);
  for (int i = 0; i < 20; ++i) {
    const ErgodicChain c(generator);
    const MatrixXd phi =
        random_averager(generator, c.states(), 3, i % 2 == 0 ? Sums::one : Sums::at_most_one);
    const double gamma = i % 3 == 0 ? 0.999 : 0.5;
    const AveragerOperator k(c.chain, loss, gamma, phi, c.q);
    VectorXd theta = random_vector(generator, 3, 30.0);
    const AveragerBox box = averager_box(k, theta);
    if (box.largest_step == 0.0) {  // e^{3 D} is out of range
      EXPECT_EQ(GetParam().substr(0, 8), "entropic");
      continue;
    }
    // Adversarial: of the transitions at hand, always one that moves the weights outwards most.
    for (int n = 0; n < 300; ++n) {
      const auto x = static_cast<Index>(one_of(generator, c.chain.states()));
      const Outcomes::Row row = c.chain.law(static_cast<std::size_t>(x));
      const bool up = n % 100 < 50;
      double target = up ? -1e300 : 1e300;
      for (std::size_t o = 0; o < row.next.size(); ++o) {
        const double y = row.cost[o] + gamma * phi.row(row.next[o]).dot(theta);
        target = up ? std::max(target, y) : std::min(target, y);
      }
      for (Index j = 0; j < 3; ++j) {
        theta[j] += box.largest_step * phi(x, j) * loss.at(target - theta[j]).value;
      }
      // A dozen roundings of numbers within the box.
      const double slack = 1e-14 * (std::abs(box.low) + std::abs(box.high));
      ASSERT_GE(theta.minCoeff(), box.low - slack) << GetParam();
      ASSERT_LE(theta.maxCoeff(), box.high + slack) << GetParam();
    }
  }
}

TEST(AveragerBoxes, AreTheRangeOfDiscountedCosts) {
  // Costs 1 and 3, sums 1: [1/(1-γ), 3/(1-γ)]. Half the sums: the upper end has γ/2, and so has the
  // lower, where the costs are positive.
  const Chain chain = shortfall::testing::chain_of({{{0.5, 0, 1.0}, {0.5, 0, 3.0}}});
  const std::vector<double> q{1.0};
  const AveragerOperator full(chain, Expectile(0.8), 0.5, MatrixXd::Ones(1, 1), q);
  const VectorXd start = VectorXd::Constant(1, 2.0);
  EXPECT_DOUBLE_EQ(averager_box(full, start).low, 2.0);
  EXPECT_DOUBLE_EQ(averager_box(full, start).high, 6.0);
  EXPECT_DOUBLE_EQ(averager_box(full, start).largest_step, 1.0 / 0.8);
  const AveragerOperator half(chain, Expectile(0.8), 0.5, MatrixXd::Constant(1, 1, 0.5), q);
  EXPECT_DOUBLE_EQ(averager_box(half, start).low, 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(averager_box(half, start).high, 4.0);
  // e^{4β} - 1 over 4 is steeper than any other chord of the entropic loss up to 4.
  const AveragerOperator entropic(chain, Entropic(1.0), 0.5, MatrixXd::Ones(1, 1), q);
  EXPECT_DOUBLE_EQ(averager_box(entropic, start).largest_step, 4.0 / std::expm1(4.0));
}

TEST(AveragerOperators, LeaveCellsWithoutVisitsAndUseTheirWeightsAsConstants) {
  // State 1 is a successor that is never sampled; its cell keeps the weight 7.
  const Chain chain = shortfall::testing::chain_of({{{1.0, 1, 2.0}}, {{1.0, 0, 5.0}}});
  const AveragerOperator k(chain, Mean(), 0.5, MatrixXd::Identity(2, 2), std::vector{1.0, 0.0});
  EXPECT_TRUE(k.is_visited(0));
  EXPECT_FALSE(k.is_visited(1));
  EXPECT_EQ(k.reached(), (std::vector<StateIndex>{0, 1}));
  const VectorXd image = k.apply(Eigen::Vector2d(0.0, 7.0)).value;
  EXPECT_DOUBLE_EQ(image[0], 5.5);
  EXPECT_EQ(image[1], 7.0);
  EXPECT_EQ(k.drift(Eigen::Vector2d(0.0, 7.0))[1], 0.0);
}

TEST(AveragerOperators, TakeTerminalStatesAsZero) {
  const Chain chain = shortfall::testing::chain_of({{{1.0, 1, 2.0}}, {}});
  MatrixXd phi(2, 1);
  phi << 1.0, 17.0;  // what a terminal row contains does not matter
  const AveragerOperator k(chain, Mean(), 0.9, phi, std::vector{1.0, 0.0});
  EXPECT_EQ(k.apply(VectorXd::Constant(1, 100.0)).value[0], 2.0);
  EXPECT_EQ(k.reached(), std::vector<StateIndex>{0});
}

TEST(AveragerOperators, CoverWeightsBelowTheRangeOfDoubleByTheirRounding) {
  // q φ P of the second state is 1e-400: its cost of 1e9 moves the mean by nothing, but the atom
  // counts for the range, within which the bound stays.
  const Chain chain =
      shortfall::testing::chain_of({{{1.0, 0, 1.0}}, {{1e-100, 0, 1e9}, {1.0, 0, 1.0}}});
  MatrixXd phi(2, 1);
  phi << 1.0, 1e-200;
  const AveragerOperator k(chain, Expectile(0.9), 0.0, phi, std::vector{1.0, 1e-100});
  const auto [image, off] = k.apply(VectorXd::Zero(1));
  EXPECT_NEAR(image[0], 1.0, off);
  EXPECT_GT(off, 0.0);
  EXPECT_LT(off, 1e-3);
}

TEST(AveragerFeatures, AreNonnegativeAndSumToAtMostOne) {
  MatrixXd phi = MatrixXd::Constant(3, 2, 0.5);
  EXPECT_FALSE(averager_violation(phi));
  phi(1, 1) = 0.5 + 1e-13;  // rounding
  EXPECT_FALSE(averager_violation(phi));
  phi(1, 1) = 0.5 + 1e-11;
  ASSERT_TRUE(averager_violation(phi));
  EXPECT_EQ(averager_violation(phi)->state, 1);
  EXPECT_FALSE(averager_violation(phi)->feature);
  EXPECT_THAT(averager_violation(phi)->message(), HasSubstr("sum to 1.00000000001"));
  phi(0, 1) = -0.25;
  EXPECT_EQ(averager_violation(phi)->state, 0);
  EXPECT_EQ(averager_violation(phi)->message(), "x2 = -0.25; accepted: a number >= 0");
  phi(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(averager_violation(phi)->feature, 0);
  EXPECT_FALSE(averager_violation(MatrixXd::Zero(2, 2)));
}

TEST(AveragerFeatures, AreAcceptedAfterDivisionByTheNumberInTheMessage) {
  MatrixXd phi(3, 2);
  phi << 0.5, 0.5, 1.5, 0.5, 3.0, 1.25;
  const auto found = averager_violation(phi);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->state, 1);
  EXPECT_EQ(found->value, 2.0);
  ASSERT_TRUE(found->largest_sum);
  EXPECT_EQ(*found->largest_sum, 4.25);
  EXPECT_THAT(found->message(), HasSubstr("divide all features by 4.25"));
  EXPECT_FALSE(averager_violation(phi / *found->largest_sum));
  phi(2, 0) = -3.0;  // no factor helps
  EXPECT_FALSE(averager_violation(phi)->largest_sum);
  EXPECT_THAT(averager_violation(phi)->message(), Not(HasSubstr("divide")));
}

TEST(AveragerSteps, KeepWeightsBoundedIfSmallOrIfTheyVanishAndSlopesAreBounded) {
  const AveragerBox box{.low = -1.0, .high = 3.0, .largest_step = 0.5};
  const SlopeBounds bounded{0.2, 2.0};
  const SlopeBounds unbounded{0.2, std::numeric_limits<double>::infinity()};
  EXPECT_TRUE(bounded_weights(box, unbounded, {.first = 0.5, .vanish = false}).holds);
  EXPECT_FALSE(bounded_weights(box, bounded, {.first = 0.51, .vanish = false}).holds);
  EXPECT_FALSE(bounded_weights(box, unbounded, {.first = 0.51, .vanish = true}).holds);
  EXPECT_TRUE(bounded_weights(box, bounded, {.first = 0.51, .vanish = true}).holds);
  const AveragerBox none{.low = 0.0, .high = 1e4, .largest_step = 0.0};
  EXPECT_FALSE(bounded_weights(none, bounded, {.first = 1e-20, .vanish = true}).holds);
}

TEST(AveragerFeatures, AreHardAggregationIfEveryStateHasOneCell) {
  const Chain chain = shortfall::testing::chain_of({{{1.0, 1}}, {{1.0, 2}}, {}});
  MatrixXd phi(3, 2);
  phi << 1, 0, 0, 1, 0.3, 0.3;
  EXPECT_TRUE(is_hard_aggregation(chain, phi));
  phi(0, 0) = 0.5;
  EXPECT_FALSE(is_hard_aggregation(chain, phi));
  phi.row(0) << 1, 1;
  EXPECT_FALSE(is_hard_aggregation(chain, phi));
  phi.row(0) << 0, 0;
  EXPECT_FALSE(is_hard_aggregation(chain, phi));
}

std::string refusal(double gamma, const MatrixXd& phi, const std::vector<double>& q) {
  const Chain chain = shortfall::testing::chain_of({{{1.0, 1}}, {{1.0, 0}}, {}});
  try {
    const AveragerOperator k(chain, Mean(), gamma, phi, q);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AveragerOperators, RejectInvalidInput) {
  const MatrixXd phi = MatrixXd::Constant(3, 2, 0.5);
  const std::vector<double> q{0.5, 0.5, 0.0};
  EXPECT_EQ(refusal(0.5, phi, q), "accepted");
  EXPECT_THAT(refusal(1.0, phi, q), HasSubstr("gamma = 1; accepted: a number in [0, 1)"));
  EXPECT_THAT(refusal(0.5, phi.topRows(2), q), HasSubstr("2 rows; accepted: one for each of 3"));
  EXPECT_THAT(refusal(0.5, -phi, q), HasSubstr("state 0: x1 = -0.5"));
  EXPECT_THAT(refusal(0.5, 2.0 * phi, q), HasSubstr("state 0: the features sum to 2"));
  EXPECT_THAT(refusal(0.5, phi, {0.5, 0.5}), HasSubstr("q has 2 entries"));
  EXPECT_THAT(refusal(0.5, phi, {0.5, 0.4, 0.0}), HasSubstr("q sums to 0.9"));
  EXPECT_THAT(refusal(0.5, phi, {-0.5, 1.5, 0.0}), HasSubstr("q of state 0 is -0.5"));
  EXPECT_THAT(refusal(0.5, phi, {0.0, 0.0, 1.0}), HasSubstr("q is 0 in all states"));
}

}  // namespace
}  // namespace shortfall::theory::averagers
