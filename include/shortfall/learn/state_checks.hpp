#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "shortfall/learn/status.hpp"

/// What a learner asks of a state that it is to go on from, which may be damaged or not its own.
/// All throw InvalidInput that names the field, its value and what is accepted.
namespace shortfall::learn::detail {

/// Unless least ≤ value ≤ most.
void check_count(std::string_view field, std::uint64_t value, std::uint64_t least,
                 std::uint64_t most);
/// Unless least ≤ value ≤ most; NaN is neither.
void check_real(std::string_view field, double value, double least, double most);
/// Unless `status` is one that there is, or one that TD may have: ok or diverged.
void check_status(Status status);
void check_status_of_td(Status status);
/// Where rows of padded length hold NaN, or anything but 0 behind their d numbers. Infinities pass:
/// the next update tells of them.
void check_numbers(std::string_view field, std::span<const double> numbers, std::size_t dimension);
/// The same, and where they hold infinities.
void check_finite(std::string_view field, std::span<const double> numbers, std::size_t dimension);
/// Where the numbers behind d in rows of padded length are not 0.
void check_padding(std::string_view field, std::span<const double> numbers, std::size_t dimension);

}  // namespace shortfall::learn::detail
