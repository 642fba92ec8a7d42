#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shortfall/mdp/outcomes.hpp"

/// Checks of the arguments of learners. All throw InvalidInput that names the argument and what
/// is accepted.
namespace shortfall::learn::detail {

/// Whether c + v' - v is no more than the rounding of its terms, or of θ.
inline bool is_rounding(double cost, double next, double now) {
  return std::abs(cost + next - now) <= 1e-10 * (std::abs(cost) + std::abs(next) + std::abs(now));
}

/// Unless γ is in [0, 1].
void check_discount(double gamma);
/// Unless d ≥ 1.
void check_dimension(std::size_t dimension);
/// Unless λ is in [0, 1].
void check_lambda(double lambda);
/// Unless `updates` is 0.
void check_not_started(std::uint64_t updates);
/// Unless updates ≤ from.
void check_average_from(std::uint64_t from, std::uint64_t updates);
/// If the cost, or a feature, is not finite: then the input is at fault, not the learner.
void check_cost(double cost);
void check_features(std::span<const double> phi, std::span<const double> phi_next);
/// Unless it is a number of samples from 1 to 1e18.
void check_half_life(double half_life);
/// 1 - 2^(-1/h), after that check.
double forgotten_share(double half_life);
[[noreturn]] void throw_weight(double weight);
/// For values of a learner that has diverged after this many updates.
[[noreturn]] void throw_diverged(std::uint64_t updates);
[[noreturn]] void throw_size(std::size_t size, std::size_t dimension);
[[noreturn]] void throw_no_state(StateIndex x, std::size_t states);

}  // namespace shortfall::learn::detail
