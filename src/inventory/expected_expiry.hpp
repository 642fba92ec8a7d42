#pragma once

#include <cstddef>
#include <vector>

#include "shortfall/inventory/model.hpp"

namespace shortfall::inventory {

/// By rank of a stock x of at most `capacity` units on a day: how many of them are expected to
/// expire, that day or later, if nothing is ordered. With L ages, from L = 0 on,
///
///   U_L(x) = E ((x_1 - D)⁺ + U_{L-1}(X')),
///
/// where X' has L - 1 ages. Check: one age, and D = 0 or 1 with probability 1/2: U(1) = 1/2.
std::vector<double> expected_expiry(const Model& model, std::size_t day, std::size_t capacity);

}  // namespace shortfall::inventory
