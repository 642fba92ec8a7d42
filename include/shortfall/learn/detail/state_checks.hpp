#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "shortfall/learn/status.hpp"

/// Checks of a state to resume from, which may be damaged or belong to another learner. All throw
/// InvalidInput that names the field, its value and what is accepted.
namespace shortfall::learn::detail {

/// Unless least ≤ value ≤ most.
void check_count(std::string_view field, std::uint64_t value, std::uint64_t least,
                 std::uint64_t most);
/// Unless least ≤ value ≤ most; fails for NaN.
void check_real(std::string_view field, double value, double least, double most);
/// Unless `status` is a valid enumerator, or one that TD may have: ok or diverged.
void check_status(LearnerStatus status);
void check_status_of_td(LearnerStatus status);
/// If rows of padded length contain NaN, or anything but 0 after their d numbers. Infinities pass:
/// the next update reports them.
void check_numbers(std::string_view field, std::span<const double> numbers, std::size_t dimension);
/// Also if they contain infinities.
void check_finite(std::string_view field, std::span<const double> numbers, std::size_t dimension);
/// If the numbers after d in rows of padded length are not 0.
void check_padding(std::string_view field, std::span<const double> numbers, std::size_t dimension);

}  // namespace shortfall::learn::detail
