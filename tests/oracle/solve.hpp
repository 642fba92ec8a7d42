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

/// Lower and upper bounds of the true values, by state.
struct Enclosure {
  std::vector<Real> low;
  std::vector<Real> high;
};

/// Encloses the solution of V(x) = min_a ρ(c + γ V(X') | x, a), for any loss and at the current
/// precision. Policy iteration with Newton's method finds W close to it. Then, with directed
/// rounding throughout: U = W + δ has E ℓ(c + γ U(X') - U(x)) ≤ 0 for some action in every state,
/// so that V ≤ U; and U = W - δ has it ≥ 0 for all actions, so that V ≥ U. Terminal states are 0 in
/// both. Returns nullopt if no small δ works.
std::optional<Enclosure> enclose_fixed_point(const RealLaws& laws, const Loss& loss, double gamma,
                                             const std::vector<double>& start);

/// The same after `stages` steps from V = 0, where γ may be 1; each step is enclosed separately.
std::optional<Enclosure> enclose_horizon(const RealLaws& laws, const Loss& loss, double gamma,
                                         int stages);

/// The action of the smallest ρ(c) in each state; nullopt if two are so close that a computation in
/// double precision may not distinguish them.
std::optional<std::vector<std::size_t>> clearly_best_actions(const RealLaws& laws,
                                                             const Loss& loss);

}  // namespace oracle
