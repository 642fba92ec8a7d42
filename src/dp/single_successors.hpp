#pragma once

#include <Eigen/Core>

#include "dp/tangent.hpp"

namespace shortfall::detail {

/// Solves d = b + γ W d where no row of W has more than one entry, as for a policy in a
/// deterministic model: exactly, in linear time. Whoever follows successors from a state gets to a
/// state without one, or into a cycle x₀ → x₁ → .. → x_L = x₀, where
///
///   d(x₀) = Σ_j g_j b(x_j) / (1 - g_L),    g_j = γʲ w(x₀) .. w(x_{j-1}).
///
/// Values of the other states on the way follow backwards. The rows must be packed. Each rank
/// solves for all states: that takes less time than a few products.
void solve_single_successors(const Tangent& tangent, const Eigen::VectorXd& b, Eigen::VectorXd& d);

}  // namespace shortfall::detail
