#pragma once

#include <Eigen/Core>

#include "shortfall/mdp/chain.hpp"
#include "tests/mdp/chains_for_tests.hpp"

namespace shortfall::testing {

/// Three states in a circle, with a loop in the first.
inline Chain circle() {
  return chain_of({{{0.5, 0, 1.0}, {0.5, 1, 1.0}}, {{1.0, 2, -2.0}}, {{1.0, 0, 3.0}}});
}

/// Features of these states: the second one between the others, or in a group with the third.
inline Eigen::MatrixXd interpolated() {
  Eigen::MatrixXd phi(3, 2);
  phi << 1.0, 0.0, 0.5, 0.5, 0.0, 1.0;
  return phi;
}
inline Eigen::MatrixXd grouped() {
  Eigen::MatrixXd phi(3, 2);
  phi << 1, 0, 0, 1, 0, 1;
  return phi;
}

}  // namespace shortfall::testing
