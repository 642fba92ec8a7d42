#pragma once

#include <gmpxx.h>

#include <optional>
#include <vector>

#include "exact_loss.hpp"
#include "laws.hpp"

namespace oracle {

/// The exact solution of V(x) = min_a ρ(c + γ V(X') | x, a) for a piecewise-linear loss. Given an
/// action for each state and a piece of the loss for each outcome, V solves a linear system; both
/// are chosen at the last V until E ℓ(c + γ V(X') - V(x)) is 0 for the chosen action and ≥ 0 for
/// all others. Returns nullopt if that takes too long.
std::optional<std::vector<mpq_class>> solve_exactly(const RationalLaws& laws, const Loss& loss,
                                                    double gamma, std::vector<mpq_class> start);

}  // namespace oracle
