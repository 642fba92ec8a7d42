#pragma once

#include <Eigen/Core>
#include <cstddef>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/risk/any_loss.hpp"

/// The chain of Boyan ("Technical update: least-squares temporal difference learning", Machine
/// Learning 49, 2002), with states counted towards the end: 0..13, of which 13 is terminal. From s
/// ≤ 11 it moves to s + 1 or s + 2, with probability 1/2 each, at cost 3; from 12 to 13 at cost c.
///
/// Undiscounted, its value is linear for every shortfall risk ρ with a suitable c:
///
///   V(s) = c (13 - s)  with  2c = 3 + ρ(Z),  Z = 0 or c with probability 1/2 each,
///
/// because ρ(3 + V(X')) = 3 + c (11 - s) + ρ(Z). For the mean, c = 2; for the expectile of level
/// τ (of costs), c = 3 / (2 - τ).
namespace shortfall::library {

inline constexpr std::size_t boyan_states = 14;

/// The chain as a model with one action, `final_cost` being c.
Mdp boyan_chain(double final_cost = 2.0);

/// The c for which the value is linear, to rounding. It lies in [3/2, 3], since ρ(Z) is in [0, c].
double boyan_final_cost(const AnyLoss& loss);

/// 14 × 4: row s interpolates linearly between unit vectors at the states 0, 4, 8, 12, as in
/// Boyan's paper; the terminal state has zeros. θ = c (13, 9, 5, 1) gives the linear value exactly.
Eigen::MatrixXd boyan_features();

}  // namespace shortfall::library
