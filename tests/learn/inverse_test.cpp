#include "learn/inverse.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <pcg_random.hpp>

#include "shortfall/learn/detail/vector_kernels.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::learn {
namespace {

struct Inverted {
  double distance;
  Eigen::MatrixXd inverse;
};

/// The sizes of rows are given, or 1; those of columns are 4, more than any entry here.
Inverted inverted(const Eigen::MatrixXd& matrix, std::vector<double> rows = {}) {
  const auto d = static_cast<std::size_t>(matrix.rows());
  AlignedVector entries(d * padded(d));
  std::vector<double> scratch(inverse_scratch(d));
  Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>, 0, Eigen::OuterStride<>> view(
      entries.data(), matrix.rows(), matrix.cols(),
      Eigen::OuterStride<>(static_cast<Eigen::Index>(padded(d))));
  view = matrix;
  rows.resize(d, rows.empty() ? 1.0 : rows.back());
  const std::vector<double> columns(d, 4.0);
  const double distance = invert(entries.data(), d, {rows, columns}, scratch);
  return {distance, view};
}

Eigen::MatrixXd random_matrix(Eigen::Index d) {
  pcg64 random(static_cast<std::uint64_t>(d));
  return Eigen::MatrixXd::NullaryExpr(d, d, [&] { return draw_normal(random); });
}

TEST(Invert, AgreesWithEigen) {
  for (const Eigen::Index d : {1, 2, 3, 8, 9, 37, 100}) {
    const Eigen::MatrixXd matrix = random_matrix(d);
    const Eigen::MatrixXd expected = matrix.fullPivLu().inverse();
    const auto [distance, inverse] = inverted(matrix);
    // Forward error of elimination with pivoting: a modest multiple of d ε times the condition.
    const double bound = 10.0 * static_cast<double>(d) * 0x1p-52 / distance;
    EXPECT_LT((inverse - expected).norm(), bound * expected.norm()) << d;
    EXPECT_LT(bound, 1e-6);
  }
}

TEST(Invert, ExchangesRowsIfThePivotIsZero) {
  Eigen::MatrixXd matrix(3, 3);
  matrix << 0, 2, 0, 0, 0, 4, 8, 0, 0;
  Eigen::MatrixXd expected(3, 3);
  expected << 0, 0, 0.125, 0.5, 0, 0, 0, 0.25, 0;
  EXPECT_EQ(inverted(matrix).inverse, expected);
}

TEST(Invert, DetectsSingularMatrices) {
  EXPECT_LT(inverted(Eigen::MatrixXd::Ones(4, 4)).distance, 1e-15);
  EXPECT_EQ(inverted(Eigen::MatrixXd::Zero(2, 2)).distance, 0.0);
  Eigen::MatrixXd matrix = random_matrix(5);
  matrix.row(2) = matrix.row(0) - 3.0 * matrix.row(4);
  EXPECT_LT(inverted(matrix).distance, 1e-14);
  matrix(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(inverted(matrix).distance, 0.0);
  matrix(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(inverted(matrix).distance, 0.0);
}

TEST(Invert, MeasuresRelativeToTheSizesOfRowsAndColumns) {
  const Eigen::MatrixXd matrix = random_matrix(6);
  const double distance = inverted(matrix).distance;
  EXPECT_GT(distance, 1e-4);
  const std::vector<double> sizes = {1, 0x1p30, 0x1p-20, 0x1p7, 0x1p-60, 2};
  const Eigen::Map<const Eigen::VectorXd> scale(sizes.data(), 6);
  const auto [scaled_distance, inverse] = inverted(scale.asDiagonal() * matrix, sizes);
  EXPECT_EQ(scaled_distance, distance);
  const Eigen::MatrixXd expected = inverted(matrix).inverse * scale.cwiseInverse().asDiagonal();
  EXPECT_EQ(inverse, expected);  // powers of two
}

TEST(Invert, DetectsEntriesThatAreSmallForTheirSizes) {
  const Eigen::MatrixXd matrix = random_matrix(4);
  const double distance = inverted(matrix).distance;
  EXPECT_NEAR(inverted(0x1p-40 * matrix).distance, 0x1p-40 * distance, 1e-20);
  EXPECT_NEAR(inverted(Eigen::MatrixXd::Constant(1, 1, 1e-12)).distance, 1e-12 / 16, 1e-20);
}

}  // namespace
}  // namespace shortfall::learn
