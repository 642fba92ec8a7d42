#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "text/text.hpp"

namespace shortfall::io {

/// A number in decimal or scientific notation that fills `text` except for blanks around it; a
/// leading plus is accepted. Infinite if the text says so or exceeds the range of double, NaN if
/// the text says so; nothing if it is not a number.
std::optional<double> parse_number(std::string_view text);

/// The finite number that makes up all of `text`, without blanks or a plus, or nullopt.
std::optional<double> parse_finite_number(std::string_view text);

/// An integer from 0 to `largest` in digits; blanks around it and a leading plus are accepted.
std::optional<std::uint32_t> parse_id(std::string_view text, std::uint32_t largest);

/// The finite number or id in a field of a file. Throws InvalidInput if it holds none.
double read_number(std::string_view field, const Place& place);
std::uint32_t read_id(std::string_view field, std::uint32_t largest, const Place& place);

}  // namespace shortfall::io
