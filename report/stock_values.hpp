#pragma once

#include <span>

#include "report/rows.hpp"

namespace shortfall::report {

/// The largest number of states whose values a page contains: five megabytes.
inline constexpr std::size_t most_values_in_a_page = std::size_t{1} << 20;

/// Numbers in few characters: v = lowest + step · k, with k from 0 to 2³⁰ - 1 in five digits of
/// base 64 (A-Z, a-z, 0-9, +, /), the highest first. Keys: lowest, step, digits. Each is within
/// step / 2. Check: 0 and 1 are "AAAAA" and "/////".
Json digits_of_values(std::span<const double> values);

}  // namespace shortfall::report
