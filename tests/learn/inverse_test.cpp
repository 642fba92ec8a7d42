#include "learn/inverse.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <pcg_random.hpp>

#include "shortfall/learn/vector_kernels.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::learn {
namespace {

struct Inverted {
  double reciprocal_condition;
  Eigen::MatrixXd inverse;
};

Inverted inverted(const Eigen::MatrixXd& matrix) {
  const auto d = static_cast<std::size_t>(matrix.rows());
  AlignedVector entries(d * padded(d));
  std::vector<double> scratch(inverse_scratch(d));
  Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>, 0, Eigen::OuterStride<>> view(
      entries.data(), matrix.rows(), matrix.cols(),
      Eigen::OuterStride<>(static_cast<Eigen::Index>(padded(d))));
  view = matrix;
  const double reciprocal_condition = invert(entries.data(), d, scratch);
  return {reciprocal_condition, view};
}

Eigen::MatrixXd random_matrix(Eigen::Index d) {
  pcg64 random(static_cast<std::uint64_t>(d));
  return Eigen::MatrixXd::NullaryExpr(d, d, [&] { return draw_normal(random); });
}

TEST(Invert, AgreesWithEigen) {
  for (const Eigen::Index d : {1, 2, 3, 8, 9, 37, 100}) {
    const Eigen::MatrixXd matrix = random_matrix(d);
    const Eigen::MatrixXd expected = matrix.fullPivLu().inverse();
    const auto [reciprocal_condition, inverse] = inverted(matrix);
    // Forward error of elimination with pivoting: a modest multiple of d ε times the condition.
    const double bound = 10.0 * static_cast<double>(d) * 0x1p-52 / reciprocal_condition;
    EXPECT_LT((inverse - expected).norm(), bound * expected.norm()) << d;
    EXPECT_LT(bound, 1e-6);
  }
}

TEST(Invert, ExchangesRowsWhereThePivotIsZero) {
  Eigen::MatrixXd matrix(3, 3);
  matrix << 0, 2, 0, 0, 0, 4, 8, 0, 0;
  Eigen::MatrixXd expected(3, 3);
  expected << 0, 0, 0.125, 0.5, 0, 0, 0, 0.25, 0;
  EXPECT_EQ(inverted(matrix).inverse, expected);
}

TEST(Invert, KnowsSingularMatrices) {
  EXPECT_LT(inverted(Eigen::MatrixXd::Ones(4, 4)).reciprocal_condition, 1e-15);
  EXPECT_EQ(inverted(Eigen::MatrixXd::Zero(2, 2)).reciprocal_condition, 0.0);
  Eigen::MatrixXd matrix = random_matrix(5);
  matrix.row(2) = matrix.row(0) - 3.0 * matrix.row(4);
  EXPECT_LT(inverted(matrix).reciprocal_condition, 1e-14);
  matrix(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(inverted(matrix).reciprocal_condition, 0.0);
  matrix(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(inverted(matrix).reciprocal_condition, 0.0);
}

TEST(Invert, FindsTheConditionOfTheScaledMatrix) {
  const Eigen::MatrixXd matrix = random_matrix(6);
  const double reciprocal_condition = inverted(matrix).reciprocal_condition;
  EXPECT_GT(reciprocal_condition, 1e-4);
  Eigen::VectorXd scale(6);
  scale << 1, 0x1p30, 0x1p-20, 0x1p7, 0x1p-60, 2;
  const auto [scaled_condition, inverse] = inverted(scale.asDiagonal() * matrix);
  EXPECT_NEAR(scaled_condition, reciprocal_condition, 1e-12);
  const Eigen::MatrixXd expected = inverted(matrix).inverse * scale.cwiseInverse().asDiagonal();
  EXPECT_EQ(inverse, expected);  // powers of two
}

}  // namespace
}  // namespace shortfall::learn
