// The residual and the operator H on chains that end; contraction_test.cpp covers the rest.
#include "shortfall/theory/operator_h.hpp"

#include <gtest/gtest.h>

#include "shortfall/errors/error.hpp"
#include "shortfall/theory/distortion.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::theory {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

/// 0 moves to 1 at cost 1 or ends at cost 4; 1 ends at cost 3.
Chain ending() {
  return testing::chain_of({{{0.5, 1, 1.0}, {0.5, 2, 4.0}}, {{1.0, 2, 3.0}}, {}});
}

TEST(ExpectedResidual, GivesATerminalStateValueZero) {
  const AnyLoss loss = Expectile(0.75);
  // V = (4, 2, ·), γ = ½: state 0 has differences 1 + 1 - 4 and 4 - 4, state 1 has 3 - 2.
  const VectorXd expected = Vector3d(0.5 * 0.25 * -2.0, 0.75 * 1.0, 0.0);
  EXPECT_EQ(expected_residual(ending(), loss, 0.5, Vector3d(4.0, 2.0, 0.0)), expected);
  EXPECT_EQ(expected_residual(ending(), loss, 0.5, Vector3d(4.0, 2.0, 100.0)), expected);
}

TEST(OperatorH, KeepsATerminalStateAtZero) {
  const VectorXd image = operator_h(ending(), Expectile(0.75), 0.5, 2.0, Vector3d(4.0, 2.0, 100.0));
  EXPECT_EQ(image, Vector3d(4.0 - 0.5, 2.0 + 1.5, 0.0));
}

TEST(OperatorH, RejectsInconsistentArguments) {
  EXPECT_THROW(operator_h(ending(), Mean(), 0.5, 1.0, VectorXd::Zero(2)), InvalidInput);
  EXPECT_THROW(operator_h(ending(), Mean(), 1.5, 1.0, VectorXd::Zero(3)), InvalidInput);
}

TEST(Distortion, LeavesOutTerminalSuccessors) {
  const Chain chain = testing::chain_of({{{0.75, 1}, {0.25, 2}}, {{1.0, 0}}, {}});
  EXPECT_NEAR(distortion_coefficient(chain, {0.2, 0.8}), 0.8 / (0.2 + 0.6 * 0.75) - 1.0, 1e-15);
}

}  // namespace
}  // namespace shortfall::theory
